// Pins in the header of an animation cache: names, paths and releases as JSON, vertices and anchors as
// arrays, i32 vertices[count] and f64 anchor[count][3] for each pin. Private to the cache files.
#pragma once

#include <string>
#include <vector>

#include "taut/io/binary.hpp"
#include "taut/io/cache_fields.hpp"
#include "taut/model/model.hpp"

namespace taut::io {

nlohmann::ordered_json pins_json(const std::vector<PinGroup>& pins);
void put_pins(const std::vector<PinGroup>& pins, ByteWriter& out);

// Reads what the two above have written. Throws InputError.
std::vector<PinGroup> read_pins(const CacheFields& in, ByteReader& arrays);

// Throws InputError on a vertex that does not exist or a number that is not finite.
void check_pins(const std::vector<PinGroup>& pins, int vertices, const std::string& file);

}  // namespace taut::io
