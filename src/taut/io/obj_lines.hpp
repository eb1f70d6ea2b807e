// Lines and words of an OBJ text: comments dropped, continued lines joined, any line ending, and
// numbers read strictly, with errors that name the line and show its text. Private to obj.cpp.
#pragma once

#include <string>
#include <string_view>

#include "taut/base/vec.hpp"

namespace taut::io {

class ObjLines {
public:
    ObjLines(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

    // Steps to the next line that holds a word, and takes its first word as keyword.
    bool next();
    std::string_view keyword() const { return keyword_; }
    bool word(std::string_view& word);       // takes the next word; false at the end of the line
    long number() const { return number_; }  // of the line, from 1

    // Strict reading of one word; they throw InputError. A real number is finite.
    double real(std::string_view word) const;
    int index(std::string_view word) const;  // non-zero, fits an int

    [[noreturn]] void fail(const std::string& problem, const std::string& remedy) const;
    [[noreturn]] void fail_at(long line, const std::string& problem, const std::string& value,
                              const std::string& remedy) const;

private:
    std::string_view take_physical_line();

    std::string_view text_;  // what is still to be read
    std::string file_;
    std::string_view line_, rest_, keyword_;
    std::string joined_;  // holds a line that was continued by a backslash
    long number_ = 0;     // of the line being read
    long next_number_ = 1;
};

// At most 60 characters of a text, in quotes, with everything unprintable shown as '?'.
std::string excerpt(std::string_view text);

}  // namespace taut::io
