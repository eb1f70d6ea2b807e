// Words and tables as the command line shows and reads them: durations, percentages, fractions
// such as 1/120, lists, and tables with aligned columns.
#pragma once

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace taut::cli {

std::string percent_text(double fraction);  // "0.087 %"
std::string seconds_text(double seconds);   // "12.3 ms", "4.56 s", "2 min 05 s"
std::string clock_text(double seconds);     // "0:07", "1:02:33"
std::string bytes_text(double bytes);       // "14.2 MiB"
std::string count_text(long count);         // "10 201"

// "1 step", "2 steps"; plural: where it is not made by an s.
std::string counted(long count, const std::string& thing, const std::string& plural = {});

std::vector<std::string> split(const std::string& text, char separator);

// True if the text is a fraction of two numbers, "1/120"; then its value.
bool is_fraction(const std::string& text, double& value);

// Readers of option values; each throws InputError naming the option and what is allowed.
double read_number(const std::string& option, const std::string& text);             // "0.01", "1/120"
double read_fraction(const std::string& option, const std::string& text);           // "0.001" or "0.1%"
int read_count(const std::string& option, const std::string& text);                 // whole, >= 1
std::pair<int, int> read_size(const std::string& option, const std::string& text);  // "640x480" [pixel]

// Rows of cells; the first column is set left, all others right.
class Table {
public:
    void row(std::vector<std::string> cells);
    void rule();  // a line across
    std::string text() const;

private:
    std::vector<std::vector<std::string>> rows_;  // an empty row is a rule
};

bool is_terminal(std::FILE* stream);
int terminal_width(std::FILE* stream);  // columns; 80 where unknown

}  // namespace taut::cli
