// 64-bit content hashes for state hashes and checksums of files (xxHash, XXH3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace taut {

std::uint64_t hash_bytes(const void* data, std::size_t bytes, std::uint64_t seed = 0);

std::string hash_text(std::uint64_t hash);  // 16 hexadecimal digits

}  // namespace taut
