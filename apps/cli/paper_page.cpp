#include "paper_page.hpp"

#include <fmt/format.h>

#include "build_info.hpp"
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

void write_paper_page(const std::filesystem::path& file, const PaperHead& head, const PaperStudy& study,
                      const std::vector<PaperSection>& sections) {
    const std::string commit = commit_text();
    std::string text = fmt::format("# {}, published and measured\n\n{} ", head.title, head.work);
    text += fmt::format(
        "This page and its figures are written by\n\n    taut bench {}{}{} -o docs/papers\n\nwith taut "
        "{}{}, {} threads, steps, tolerances and sizes as stated. {}\n\n",
        head.command, study.figures.empty() ? "" : " --figures " + study.figures,
        study.quick ? " --quick" : "", library_version(), commit.empty() ? "" : " at commit " + commit,
        thread_count(), head.note);
    if (study.quick) {
        text += "These are the numbers of `--quick`: smaller cloths, shorter runs, one repeat.\n\n";
    }
    for (const PaperSection& section : sections) {
        text += section_text(section, study.folder.filename().string());
    }
    io::write_file(file, text);
}

}  // namespace taut::cli
