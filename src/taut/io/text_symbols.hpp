// The characters of a UTF-8 text, for whoever draws or escapes it one by one. Raised and lowered
// digits and signs, as in m² or 10⁻³, come as the plain character with its level, so that a drawing
// needs no extra shapes for them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace taut::io {

struct TextSymbol {
    char32_t code = 0;   // Unicode, as written; U+FFFD for bytes that are not UTF-8
    char32_t plain = 0;  // the same on the line: 2 for ²
    int level = 0;       // 1: raised as an exponent, -1: lowered as an index, 0: on the line
};

std::vector<TextSymbol> text_symbols(std::string_view text);

// Appends one character as UTF-8.
void append_utf8(std::string& text, char32_t code);

// An integer as an exponent: -3 gives "⁻³".
std::string raised(int number);

// How symbols off the line are drawn: their size, and how far their baseline goes up or down, both
// as parts of a capital's height. Set as in printed books; smaller is not legible in a tick label.
inline constexpr double level_size = 0.72, raise_by = 0.52, lower_by = 0.24;

}  // namespace taut::io
