// Caches made by somebody else: the JSON of a header is changed, every size and checksum is right again.
#pragma once

#include <cstring>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "taut/base/hash.hpp"
#include "taut/io/cache_header.hpp"

namespace taut::tests {

// The header of `good` with its JSON changed and every size and checksum right again.
inline std::string reforge(const std::string& good,
                           const std::function<void(nlohmann::ordered_json&)>& change,
                           std::uint32_t version = io::cache_version) {
    const auto number = [&](std::size_t at) {
        std::uint64_t value = 0;
        std::memcpy(&value, good.data() + at, 8);
        return value;
    };
    const std::uint64_t header = number(16), json = number(24), arrays = number(32);
    nlohmann::ordered_json j = nlohmann::ordered_json::parse(good.substr(56, json));
    change(j);
    std::string body = j.dump() + good.substr(56 + json, arrays);
    const std::uint64_t new_json = body.size() - arrays;
    body.resize((body.size() + 7) / 8 * 8);
    std::string head = good.substr(0, 48);
    const auto put = [&](std::size_t at, std::uint64_t value) { std::memcpy(head.data() + at, &value, 8); };
    std::memcpy(head.data() + 8, &version, 4);
    put(16, 56 + body.size());
    put(24, new_json);
    const std::uint64_t seed = hash_bytes(body.data(), body.size(), hash_bytes(head.data(), head.size()));
    head.append(reinterpret_cast<const char*>(&seed), 8);

    // Seal the frames anew: they are seeded by the header's checksum.
    std::string frames = good.substr(header);
    const std::uint64_t frame = number(40);
    for (std::size_t at = 0; at + frame <= frames.size(); at += frame) {
        const std::uint64_t sum = hash_bytes(frames.data() + at, frame - 8, seed);
        std::memcpy(frames.data() + at + frame - 8, &sum, 8);
    }
    return head + body + frames;
}

}  // namespace taut::tests
