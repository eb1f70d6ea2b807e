#include "paper_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "build_info.hpp"
#include "command.hpp"
#include "taut/base/error.hpp"
#include "taut/base/parallel.hpp"
#include "taut/io/atomic_file.hpp"
#include "text.hpp"

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

// Writes the page; links lead to `study.folder`, which lies beside it.
void write_page(const std::filesystem::path& file, const PaperHead& head, const PaperStudy& study,
                const std::vector<PaperSection>& sections) {
    const std::string commit = commit_text();
    std::string text = fmt::format("# {}, published and measured\n\n{} ", head.title, head.work);
    text += fmt::format(
        "This page and its figures are written by\n\n    taut bench {}{}{} -o docs/papers\n\nwith taut "
        "{}{}, {}, steps, tolerances and sizes as stated. {}\n\n",
        head.command, study.figures.empty() ? "" : " --figures " + study.figures,
        study.quick ? " --quick" : "", library_version(), commit.empty() ? "" : " at commit " + commit,
        counted(thread_count(), "thread"), head.note);
    if (study.quick) {
        text += "These are the numbers of `--quick`: smaller cloths, shorter runs, one repeat.\n\n";
    }
    for (const PaperSection& section : sections) {
        text += section_text(section, study.folder.filename().string());
    }
    io::write_file(file, text);
}

// Those asked for, in the order of the page; all for an empty text.
std::vector<PaperPart> parts_named(const Paper& paper, const std::string& names) {
    if (names.empty()) return paper.parts;
    const std::vector<std::string> asked = split(names, ',');
    std::vector<std::string> known;
    std::vector<PaperPart> chosen;
    for (const PaperPart& part : paper.parts) {
        known.push_back(part.name);
        if (std::find(asked.begin(), asked.end(), part.name) != asked.end()) chosen.push_back(part);
    }
    for (const std::string& name : asked) {
        if (std::find(known.begin(), known.end(), name) == known.end())
            throw InputError({"", "--figures"}, "no such figure or part", name,
                             fmt::format("allowed: {}, apart by commas", fmt::join(known, ", ")));
    }
    return chosen;
}

}  // namespace

int run_paper(const Paper& paper, const std::filesystem::path& folder, const std::string& names, bool quick,
              int threads) {
    const std::vector<PaperPart> chosen = parts_named(paper, names);
    const ThreadLimit limit(threads);
    const auto start = std::chrono::steady_clock::now();
    const std::filesystem::path page = folder / (paper.head.command + ".md");
    PaperStudy study;
    study.folder = folder / paper.head.command;
    study.figures = names;
    study.quick = quick;
    study.repeats = quick ? 1 : 3;
    io::make_folder(study.folder);
    std::vector<PaperSection> sections;
    for (const PaperPart& part : chosen) {
        sections.push_back(part.make(study));
        fmt::print(stderr, "{} is done\n", sections.back().title);
        // Write after every part: what there is stays if the next one is interrupted.
        write_page(page, paper.head, study, sections);
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    fmt::print("page     {}\nfigures  {} (PNG, SVG, CSV)\ntook     {}\n", page.string(),
               study.folder.string(), seconds_text(seconds));
    return exit_good;
}

}  // namespace taut::cli
