#include "taut/base/error.hpp"

#include <algorithm>

namespace taut {
namespace {

std::string compose(const ErrorPlace& where, const std::string& problem, const std::string& value,
                    const std::string& remedy) {
    std::string text;
    if (!where.file.empty()) text += where.file + ": ";
    if (!where.place.empty()) text += where.place + ": ";
    text += problem;
    if (!value.empty()) text += " (got " + value + ")";
    if (!remedy.empty()) text += "; " + remedy;
    return text;
}

std::size_t edit_distance(const std::string& a, const std::string& b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t substitute = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitute});
        }
    }
    return row[b.size()];
}

}  // namespace

InputError::InputError(ErrorPlace where, std::string problem, std::string value, std::string remedy)
    : std::runtime_error(compose(where, problem, value, remedy)),
      where_(std::move(where)),
      problem_(std::move(problem)),
      value_(std::move(value)),
      remedy_(std::move(remedy)) {}

std::string nearest_name(const std::string& word, const std::vector<std::string>& candidates) {
    std::string best;
    std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
    for (const std::string& name : candidates) {
        const std::size_t distance = edit_distance(word, name);
        if (distance < best_distance) {
            best_distance = distance;
            best = name;
        }
    }
    return best;
}

}  // namespace taut
