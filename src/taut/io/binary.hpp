// Bytes of taut's own binary files: values are appended as they lie in memory and read back behind
// a bounds check, so that no count in a damaged or hostile file makes the reader allocate or read
// beyond the bytes that are there. Doubles keep their bits.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "taut/base/error.hpp"

namespace taut::io {

// Stored after the magic of every binary file; reads differently on a machine of other byte order.
inline constexpr std::uint32_t byte_order_mark = 0x01020304;
inline constexpr std::uint32_t swapped_byte_order_mark = 0x04030201;

class ByteWriter {
public:
    template <class T>
    void put(const T& value) {
        static_assert(std::is_trivially_copyable_v<T>);
        append(&value, sizeof(T));
    }
    template <class T>
    void put_array(std::span<const T> values) {
        append(values.data(), values.size_bytes());
    }
    // Length, then characters.
    void put_text(std::string_view text) {
        put<std::uint64_t>(text.size());
        append(text.data(), text.size());
    }
    void pad_to(std::size_t multiple) { bytes_.resize((bytes_.size() + multiple - 1) / multiple * multiple); }
    void reserve(std::size_t bytes) { bytes_.reserve(bytes); }

    const std::string& bytes() const { return bytes_; }
    std::string take() { return std::move(bytes_); }

private:
    void append(const void* data, std::size_t size) {
        if (size > 0) bytes_.append(static_cast<const char*>(data), size);
    }
    std::string bytes_;
};

class ByteReader {
public:
    // where: named in the InputError thrown when the bytes end too early.
    ByteReader(std::string_view bytes, ErrorPlace where) : bytes_(bytes), where_(std::move(where)) {}

    template <class T>
    T get() {
        static_assert(std::is_trivially_copyable_v<T>);
        T value;
        std::memcpy(static_cast<void*>(&value), take(sizeof(T)), sizeof(T));
        return value;
    }
    // `count` values of which T is the packed type; the count is checked before anything is allocated.
    template <class T>
    std::vector<T> get_array(std::uint64_t count) {
        if (count > remaining() / sizeof(T)) overrun();
        std::vector<T> values(static_cast<std::size_t>(count));
        const char* source = take(values.size() * sizeof(T));
        if (!values.empty())
            std::memcpy(static_cast<void*>(values.data()), source, values.size() * sizeof(T));
        return values;
    }
    std::string get_text() {
        const auto size = get<std::uint64_t>();
        if (size > remaining()) overrun();
        return std::string(take(static_cast<std::size_t>(size)), static_cast<std::size_t>(size));
    }
    std::size_t remaining() const { return bytes_.size() - at_; }

private:
    const char* take(std::size_t size) {
        if (size > remaining()) overrun();
        const char* here = bytes_.data() + at_;
        at_ += size;
        return here;
    }
    [[noreturn]] void overrun() const {
        throw InputError(where_, "ends before its contents do: the file is damaged", "",
                         "run the scene that wrote it again");
    }
    std::string_view bytes_;
    std::size_t at_ = 0;
    ErrorPlace where_;
};

}  // namespace taut::io
