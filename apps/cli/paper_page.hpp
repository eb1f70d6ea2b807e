// A paper as a study: its parts are run in turn, and a page puts the published statements beside what was
// measured.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace taut::cli {

struct PaperStudy {
    std::filesystem::path folder;  // where figures and tables go
    std::string figures;           // only these, apart by commas; empty: all
    bool quick = false;            // small cloths and short runs: minutes instead of an hour
    int repeats = 3;               // of what is compared in a table, medians are told
};

// What the paper says, what came out here, and whether that is the same.
struct Claim {
    std::string published, measured;
    std::string verdict;  // "same", "partly", "not the same", or why there is none
    std::string why;      // where it is not
};

struct PaperSection {
    std::string title, text;
    std::vector<std::string> pictures;                          // file names in the folder, PNG
    std::vector<std::vector<std::vector<std::string>>> tables;  // each with its header first
    std::vector<Claim> claims;
    std::vector<std::string> files;  // CSV
};

// What stands above the sections.
struct PaperHead {
    std::string title;    // "Goldenthal et al. 2007"
    std::string work;     // authors and name of the paper, ends with a full stop
    std::string command;  // "goldenthal2007"
    std::string note;     // how to read the numbers
};

// A figure or another part that can be measured on its own.
struct PaperPart {
    std::string name;
    PaperSection (*make)(const PaperStudy& study);
};

struct Paper {
    PaperHead head;
    std::vector<PaperPart> parts;  // in the order of the page
};

// Runs the parts with these names, apart by commas, or all; writes folder/COMMAND.md, after every part anew,
// and folder/COMMAND/.
int run_paper(const Paper& paper, const std::filesystem::path& folder, const std::string& names, bool quick,
              int threads);

}  // namespace taut::cli
