// Errors a user can mend. Set-up code throws InputError; stepping code never throws,
// it reports. An InputError says where (file, place), what (value), what is allowed,
// and how to mend it, so that the command line can print it and exit with code 2.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace taut {

struct ErrorPlace {
    std::string file;   // file name as the user gave it, or empty
    std::string place;  // JSON pointer ("/cloths/0/nx"), "line 12", or empty
};

class InputError : public std::runtime_error {
public:
    // problem: one sentence. value: the offending value as text, may be empty.
    // remedy: what is allowed or what to do, one sentence, may be empty.
    InputError(ErrorPlace where, std::string problem, std::string value = {}, std::string remedy = {});

    const ErrorPlace& where() const { return where_; }
    const std::string& problem() const { return problem_; }
    const std::string& value() const { return value_; }
    const std::string& remedy() const { return remedy_; }

private:
    ErrorPlace where_;
    std::string problem_, value_, remedy_;
};

// The candidate closest to `word` by edit distance; empty if none is close enough to be a typing slip.
std::string nearest_name(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace taut
