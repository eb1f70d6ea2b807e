// The page of the study: published statements beside what was measured.
#include <fmt/format.h>

#include "build_info.hpp"
#include "goldenthal2007.hpp"
#include "taut/base/parallel.hpp"
#include "taut/io/atomic_file.hpp"

namespace taut::cli {

namespace {

std::string markdown_row(const std::vector<std::string>& cells) {
    std::string row = "|";
    for (const std::string& cell : cells) row += " " + cell + " |";
    return row + "\n";
}

std::string markdown_table(const std::vector<std::vector<std::string>>& table) {
    if (table.empty()) return {};
    std::string text = markdown_row(table.front());
    text += markdown_row(std::vector<std::string>(table.front().size(), "---"));
    for (std::size_t k = 1; k < table.size(); ++k) text += markdown_row(table[k]);
    return text + "\n";
}

std::string section_text(const PaperSection& section, const std::string& link) {
    std::string text = "## " + section.title + "\n\n" + section.text + "\n\n";
    for (const std::string& picture : section.pictures) {
        text += fmt::format("![{}]({}/{})\n\n", section.title, link, picture);
    }
    for (const auto& table : section.tables) text += markdown_table(table);
    std::vector<std::vector<std::string>> claims{{"published", "measured here", "", "why"}};
    for (const Claim& claim : section.claims) {
        claims.push_back({claim.published, claim.measured, "**" + claim.verdict + "**", claim.why});
    }
    if (claims.size() > 1) text += markdown_table(claims);
    if (!section.files.empty()) {
        text += "Numbers:";
        for (const std::string& file : section.files) text += fmt::format(" [{}]({}/{})", file, link, file);
        text += "\n\n";
    }
    return text;
}

}  // namespace

void write_paper_page(const std::filesystem::path& file, const PaperStudy& study,
                      const std::vector<PaperSection>& sections) {
    const std::string commit = commit_text();
    std::string text = "# Goldenthal et al. 2007, published and measured\n\n";
    text += fmt::format(
        "R. Goldenthal, D. Harmon, R. Fattal, M. Bercovier, E. Grinspun, *Efficient Simulation of "
        "Inextensible "
        "Cloth*, figure by figure. This page and its figures are written by\n\n    taut bench "
        "goldenthal2007{}{} -o "
        "docs/papers\n\nwith taut {}{}, {} threads, steps, tolerances and sizes as stated. Times are of one "
        "machine "
        "and mean something only beside each other; every method runs at the step at which it is fastest, "
        "found by "
        "a search, and holds the strain after the whole step, collisions included, unless it says "
        "otherwise.\n\n",
        study.figures.empty() ? "" : " --figures " + study.figures, study.quick ? " --quick" : "",
        library_version(), commit.empty() ? "" : " at commit " + commit, thread_count());
    if (study.quick) {
        text += "These are the numbers of `--quick`: smaller cloths, shorter runs, one repeat.\n\n";
    }
    for (const PaperSection& section : sections) {
        text += section_text(section, study.folder.filename().string());
    }
    io::write_file(file, text);
}

}  // namespace taut::cli
