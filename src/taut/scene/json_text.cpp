#include "taut/scene/json_text.hpp"

#include <fmt/format.h>

#include <fstream>
#include <unordered_set>

#include "taut/base/error.hpp"

namespace taut::scene {
namespace {

// "line 3, column 14" of the byte at `offset` (counted from 0).
std::string line_and_column(std::string_view text, std::size_t offset) {
    const std::string_view before = text.substr(0, std::min(offset, text.size()));
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0: the first line
    return fmt::format("line {}, column {}", line, before.size() - line_start + 1);
}

// The part of a parser message that tells what was expected, without its own prefix and position.
std::string plain_reason(const std::string& message) {
    const std::size_t syntax = message.find("syntax error");
    std::string reason = syntax == std::string::npos ? message : message.substr(syntax);
    const std::size_t dash = reason.find(" - ");
    if (dash != std::string::npos) reason = reason.substr(dash + 3);
    return reason;
}

// Builds the document from parser events, one open container per level.
class Builder {
public:
    Builder(std::string_view text, const std::string& file) : text_(text), file_(file) {}

    Json take() { return std::move(root_); }

    bool null() { return put(Json(nullptr)); }
    bool boolean(bool value) { return put(Json(value)); }
    bool number_integer(Json::number_integer_t value) { return put(Json(value)); }
    bool number_unsigned(Json::number_unsigned_t value) { return put(Json(value)); }
    bool number_float(Json::number_float_t value, const std::string&) { return put(Json(value)); }
    bool string(std::string& value) { return put(Json(std::move(value))); }
    bool binary(Json::binary_t&) { return false; }

    bool start_object(std::size_t) { return open(Json::object()); }
    bool end_object() { return close(); }
    bool start_array(std::size_t) { return open(Json::array()); }
    bool end_array() { return close(); }

    bool key(std::string& name) {
        Level& level = levels_.back();
        if (level.keys.size() >= max_keys) {
            fail("the object has too many keys", "", fmt::format("allowed: at most {}", max_keys));
        }
        if (!level.keys.insert(name).second) {
            throw InputError({file_, child_pointer(level.pointer, name)}, "the key appears twice",
                             Json(name).dump(), "keep one of them");
        }
        level.next_key = std::move(name);
        return true;
    }

    bool parse_error(std::size_t position, const std::string& token,
                     const nlohmann::detail::exception& error) {
        // Positions count the bytes read so far: the offending byte is the one before.
        const std::string where = line_and_column(text_, position == 0 ? 0 : position - 1);
        constexpr int number_overflow = 406;
        if (error.id == number_overflow) {
            throw InputError({file_, where}, "the number does not fit a double", token,
                             "allowed: magnitudes up to 1.797e308");
        }
        throw InputError({file_, where}, "not valid JSON: " + plain_reason(error.what()), "",
                         "check commas, quotes and brackets just before this place");
    }

private:
    struct Level {
        Json* value;
        std::string pointer;
        std::string next_key;
        std::unordered_set<std::string> keys;
    };

    [[noreturn]] void fail(const std::string& problem, const std::string& value,
                           const std::string& remedy) const {
        throw InputError({file_, levels_.empty() ? "" : levels_.back().pointer}, problem, value, remedy);
    }

    Json* attach(Json value) {
        if (levels_.empty()) {
            root_ = std::move(value);
            return &root_;
        }
        Level& level = levels_.back();
        if (level.value->is_array()) {
            level.value->push_back(std::move(value));
            return &level.value->back();
        }
        // Append without the map's linear search: the key is known to be new.
        auto& members = static_cast<Json::object_t::Container&>(level.value->get_ref<Json::object_t&>());
        members.emplace_back(level.next_key, std::move(value));
        return &members.back().second;
    }

    bool put(Json value) {
        attach(std::move(value));
        return true;
    }

    bool open(Json container) {
        if (levels_.size() >= max_depth) {
            fail("the JSON is nested too deeply", "", fmt::format("allowed: at most {} levels", max_depth));
        }
        std::string pointer;
        if (!levels_.empty()) {
            const Level& level = levels_.back();
            pointer =
                child_pointer(level.pointer,
                              level.value->is_array() ? std::to_string(level.value->size()) : level.next_key);
        }
        Json* value = attach(std::move(container));
        levels_.push_back({value, std::move(pointer), {}, {}});
        return true;
    }

    bool close() {
        levels_.pop_back();
        return true;
    }

    std::string_view text_;
    const std::string& file_;
    Json root_;
    std::vector<Level> levels_;
};

}  // namespace

Json parse_json(std::string_view text, const std::string& file) {
    if (text.size() > max_text_bytes) {
        throw InputError(
            {file, ""}, "the file is too large", fmt::format("{} bytes", text.size()),
            fmt::format("allowed: at most {} bytes; keep long arrays in files of their own", max_text_bytes));
    }
    Builder builder(text, file);
    Json::sax_parse(text.begin(), text.end(), &builder, Json::input_format_t::json, true, true);
    return builder.take();
}

std::string read_text_file(const std::filesystem::path& file, const std::string& shown_as) {
    std::error_code failure;
    const auto status = std::filesystem::status(file, failure);
    if (failure || !std::filesystem::exists(status)) {
        throw InputError({shown_as, ""}, "the file does not exist", "",
                         "check the path and the working folder");
    }
    if (std::filesystem::is_directory(status)) {
        throw InputError({shown_as, ""}, "this is a folder", "", "give a file");
    }
    std::ifstream stream(file, std::ios::binary);
    if (!stream) throw InputError({shown_as, ""}, "the file cannot be read", "", "check its permissions");

    // Read in pieces so that a file that grows or never ends still meets the limit.
    std::string text;
    std::vector<char> piece(std::size_t{1} << 16);
    while (stream) {
        stream.read(piece.data(), static_cast<std::streamsize>(piece.size()));
        text.append(piece.data(), static_cast<std::size_t>(stream.gcount()));
        if (text.size() > max_text_bytes) {
            throw InputError({shown_as, ""}, "the file is too large", "",
                             fmt::format("allowed: at most {} bytes", max_text_bytes));
        }
    }
    return text;
}

std::string child_pointer(const std::string& pointer, std::string_view key) {
    std::string result = pointer + "/";
    for (const char c : key) {
        if (c == '~') {
            result += "~0";
        } else if (c == '/') {
            result += "~1";
        } else {
            result += c;
        }
    }
    return result;
}

std::string short_text(const Json& value) {
    constexpr std::size_t longest = 60;
    // Dump only the outside of large containers: their text would be cut anyway.
    if (value.is_array() && value.size() > longest) return fmt::format("an array of {} values", value.size());
    if (value.is_object() && value.size() > longest) return fmt::format("an object of {} keys", value.size());
    std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (text.size() > longest) {
        std::size_t cut = longest;
        while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0u) == 0x80u) --cut;
        text = text.substr(0, cut) + "...";
    }
    return text;
}

}  // namespace taut::scene
