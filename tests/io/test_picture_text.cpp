// Text in pictures: its width, its border, and a glyph for every character.
#include <gtest/gtest.h>

#include <set>

#include "taut/io/picture.hpp"

namespace taut::io {
namespace {

TEST(PictureText, IsAsWideAsItSaysAndClipsAtTheBorder) {
    Image image(200, 40, {255, 255, 255});
    const double width = text_width("0.125 %", 14);
    draw_text(image, 10, 30, "0.125 %", 14, {0, 0, 0});
    int left = 200, right = 0;
    for (int x = 0; x < 200; ++x) {
        for (int y = 0; y < 40; ++y) {
            if (image.pixel(x, y)[0] > 128) continue;
            left = std::min(left, x);
            right = std::max(right, x);
        }
    }
    EXPECT_NEAR(left, 10, 2);
    EXPECT_NEAR(right, 10 + width, 2);
    draw_text(image, -50, 5, "outside all around the picture \x01\xff", 60, {0, 0, 0});
}

TEST(PictureText, EveryPrintableCharacterHasAGlyphOfItsOwn) {
    const auto drawn = [](const std::string& text) {
        Image image(60, 60, {255, 255, 255});
        draw_text(image, 10, 40, text, 25, {0, 0, 0});
        return std::string(image.rgb.begin(), image.rgb.end());
    };
    std::set<std::string> seen{drawn("\x01")};  // the box of what has no glyph
    for (char letter = ' '; letter <= '~'; ++letter) {
        EXPECT_TRUE(seen.insert(drawn(std::string(1, letter))).second) << letter;
    }
    for (const char* letter : {"\u2212", "\u00D7", "\u00B0", "\u00B2", "\u2082", "\u03BB", "\u2264"}) {
        EXPECT_TRUE(seen.insert(drawn(letter)).second) << letter;
    }
    EXPECT_EQ(drawn("\u00FC"), drawn("u"));                       // accents are left out
    EXPECT_EQ(drawn("\u4E2D"), drawn("\x01"));                    // one box for each character
    EXPECT_EQ(text_width("\u4E2D", 14), text_width("\xff", 14));  // be it one byte or three
    EXPECT_EQ(text_width("111", 14), text_width("000", 14));
}

}  // namespace
}  // namespace taut::io
