// Decoding of UTF-8 after RFC 3629: overlong forms, surrogates and values beyond U+10FFFF are refused.
#include "taut/io/text_symbols.hpp"

#include <algorithm>
#include <array>

namespace taut::io {
namespace {

constexpr char32_t no_character = 0xFFFD;

// Decode the character at `at` and move past it; a bad byte is passed alone.
char32_t next_code(std::string_view text, std::size_t& at) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
    const unsigned char first = byte(at++);
    if (first < 0x80) return first;
    const int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
    if (first < 0xC2 || first > 0xF4) return no_character;
    char32_t code = static_cast<char32_t>(first & (0x3F >> more));
    for (int k = 0; k < more; ++k) {
        const std::size_t place = at + static_cast<std::size_t>(k);
        if (place >= text.size() || (byte(place) & 0xC0) != 0x80) return no_character;
        code = code << 6 | (byte(place) & 0x3F);
    }
    constexpr std::array<char32_t, 4> least{0, 0x80, 0x800, 0x10000};
    const bool surrogate = code >= 0xD800 && code < 0xE000;
    if (code < least[static_cast<std::size_t>(more)] || surrogate || code > 0x10FFFF) return no_character;
    at += static_cast<std::size_t>(more);
    return code;
}

struct Raised {
    char32_t code, plain;
};
// Those that Unicode keeps outside its block of raised characters, and the letter n.
constexpr std::array odd_ones{Raised{0xB2, '2'}, Raised{0xB3, '3'}, Raised{0xB9, '1'}, Raised{0x207F, 'n'}};

// Plain forms in the order of the blocks that start at U+2070 (raised) and U+2080 (lowered).
constexpr std::u32string_view plain_forms = U"0123456789+\u2212=()";

TextSymbol symbol_of(char32_t code) {
    for (const Raised& odd : odd_ones) {
        if (odd.code == code) return {code, odd.plain, 1};
    }
    for (const char32_t block : {0x2070U, 0x2080U}) {
        if (code >= block && code < block + plain_forms.size()) {
            return {code, plain_forms[code - block], block == 0x2070 ? 1 : -1};
        }
    }
    return {code, code, 0};
}

}  // namespace

std::vector<TextSymbol> text_symbols(std::string_view text) {
    std::vector<TextSymbol> symbols;
    for (std::size_t at = 0; at < text.size();) symbols.push_back(symbol_of(next_code(text, at)));
    return symbols;
}

void append_utf8(std::string& text, char32_t code) {
    const auto tail = [&](int shift) { text.push_back(static_cast<char>(0x80 | (code >> shift & 0x3F))); };
    if (code < 0x80) {
        text.push_back(static_cast<char>(code));
    } else if (code < 0x800) {
        text.push_back(static_cast<char>(0xC0 | code >> 6));
        tail(0);
    } else if (code < 0x10000) {
        text.push_back(static_cast<char>(0xE0 | code >> 12));
        tail(6);
        tail(0);
    } else {
        text.push_back(static_cast<char>(0xF0 | code >> 18));
        tail(12);
        tail(6);
        tail(0);
    }
}

std::string raised(int number) {
    std::string text;
    for (const char letter : std::to_string(number)) {
        if (letter == '-') {
            append_utf8(text, 0x207B);
            continue;
        }
        const auto odd = std::find_if(odd_ones.begin(), odd_ones.end(), [&](const Raised& one) {
            return one.plain == static_cast<char32_t>(letter);
        });
        append_utf8(text, odd != odd_ones.end() ? odd->code : 0x2070 + static_cast<char32_t>(letter - '0'));
    }
    return text;
}

}  // namespace taut::io
