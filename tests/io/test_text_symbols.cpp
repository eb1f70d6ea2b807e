// Characters of UTF-8 texts: decoded as RFC 3629 says, bad bytes one by one.
#include "taut/io/text_symbols.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace taut::io {
namespace {

using namespace std::string_view_literals;

std::u32string codes(std::string_view text) {
    std::u32string result;
    for (const TextSymbol& symbol : text_symbols(text)) result += symbol.code;
    return result;
}

TEST(TextSymbols, DecodesOneToFourBytes) {
    EXPECT_EQ(codes("aé€😀"), U"aé€😀");
    EXPECT_EQ(codes(""), U"");
    std::string back;
    for (const char32_t code : U"aé€😀"sv) append_utf8(back, code);
    EXPECT_EQ(back, "aé€😀");
}

TEST(TextSymbols, ReplacesWhatIsNotUtf8) {
    const char32_t bad = 0xFFFD;
    EXPECT_EQ(codes("a\xff"
                    "b"),
              (std::u32string{'a', bad, 'b'}));
    EXPECT_EQ(codes("\xe2\x82"), (std::u32string{bad, bad}));           // cut short
    EXPECT_EQ(codes("\xe2(x"), (std::u32string{bad, '(', 'x'}));        // the next byte is kept
    EXPECT_EQ(codes("\xc0\x80"), (std::u32string{bad, bad}));           // overlong
    EXPECT_EQ(codes("\xe0\x80\x80"), (std::u32string{bad, bad, bad}));  // overlong
    EXPECT_EQ(codes("\xed\xa0\x80"), (std::u32string{bad, bad, bad}));  // half of a surrogate pair
    EXPECT_EQ(codes("\xf4\x90\x80\x80"), (std::u32string{bad, bad, bad, bad}));
}

TEST(TextSymbols, KnowsRaisedAndLoweredOnes) {
    for (const int number : {0, 1, -23, 456789, -1000}) {
        std::u32string plain;
        for (const TextSymbol& symbol : text_symbols(raised(number))) {
            EXPECT_EQ(symbol.level, 1);
            EXPECT_NE(symbol.code, symbol.plain);
            plain += symbol.plain == U'\u2212' ? U'-' : symbol.plain;
        }
        const std::string expected = std::to_string(number);
        EXPECT_EQ(plain, std::u32string(expected.begin(), expected.end()));
    }
    EXPECT_EQ(raised(-3), "⁻³");
    const auto symbols = text_symbols("x₂");
    EXPECT_EQ(symbols[0].level, 0);
    EXPECT_EQ(symbols[1].level, -1);
    EXPECT_EQ(symbols[1].plain, U'2');
}

}  // namespace
}  // namespace taut::io
