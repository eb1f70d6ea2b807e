// OBJ reading in one pass over the text; indices that look ahead are checked when the end is known.
#include "taut/io/obj.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "taut/base/error.hpp"
#include "taut/io/atomic_file.hpp"
#include "taut/io/obj_lines.hpp"

namespace taut::io {
namespace {

constexpr std::uintmax_t largest_obj = std::uintmax_t{4} << 30;  // keeps every count within an int

const std::vector<std::string> read_past{"vn",        "vp",     "p",      "o",        "g",       "s",
                                         "mg",        "mtllib", "usemtl", "maplib",   "usemap",  "shadow_obj",
                                         "trace_obj", "lod",    "bevel",  "c_interp", "d_interp"};
const std::vector<std::string> free_form{"cstype", "deg",  "bmat", "step", "curv", "curv2", "surf",  "parm",
                                         "trim",   "hole", "scrv", "sp",   "end",  "con",   "ctech", "stech"};

bool holds(const std::vector<std::string>& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

// A corner as written: position, and texture coordinate where there is one (-1: none), from 0.
struct Corner {
    int vertex = -1, uv = -1;
    int form = 0;  // number of the way it was written: v, v/vt, v//vn, v/vt/vn
};

class ObjParser {
public:
    ObjParser(std::string_view text, const std::string& file, const ObjOptions& options)
        : lines_(text, file), file_(file), options_(options) {}

    ObjMesh parse() {
        while (lines_.next()) read_line();
        check_forward_references();
        if (out_.mesh.faces.empty() && out_.mesh.lines.empty()) {
            throw InputError({file_, ""}, "holds no faces and no lines", "",
                             "export the mesh with its polygons");
        }
        attach_uv();
        out_.file_vertices = static_cast<int>(out_.points.size());
        drop_unused();
        out_.mesh.vertices = static_cast<int>(out_.points.size());
        return std::move(out_);
    }

private:
    // An index beyond what had been read so far.
    struct Forward {
        long line;
        int index;
        bool uv;
    };

    void read_line();
    void read_vertex();
    void read_uv();
    void read_face();
    void read_polyline();
    Corner corner(std::string_view word);
    int resolve(std::string_view word, std::size_t count, bool uv);
    double length(std::string_view word) const;
    void check_forward_references() const;
    void attach_uv();
    void drop_unused();

    ObjLines lines_;
    std::string file_;
    ObjOptions options_;
    ObjMesh out_;
    std::vector<Vec2> uv_;
    std::vector<std::array<int, 4>> face_uv_;  // per face, -1 where there is none
    std::vector<Forward> forward_;
};

void ObjParser::read_line() {
    const std::string_view keyword = lines_.keyword();
    if (keyword == "v") return read_vertex();
    if (keyword == "f" || keyword == "fo") return read_face();
    if (keyword == "vt") return read_uv();
    if (keyword == "l") return read_polyline();
    if (holds(read_past, keyword)) return;
    if (holds(free_form, keyword)) {
        lines_.fail("free-form curves and surfaces are not read", "export the surface as polygons");
    }
    lines_.fail(fmt::format("{} is not an OBJ statement", excerpt(keyword)),
                "give a text file in OBJ format");
}

// A coordinate in metres.
double ObjParser::length(std::string_view word) const {
    const double value = lines_.real(word) * options_.scale;
    if (!(std::abs(value) <= largest_coordinate)) {
        lines_.fail(fmt::format("coordinate {} is beyond {} m", excerpt(word), largest_coordinate),
                    "check the file and its scale");
    }
    return value;
}

void ObjParser::read_vertex() {
    // Three coordinates; a weight or a colour may follow and is read past.
    Vec3 p = Vec3::Zero();
    int count = 0;
    for (std::string_view word; count < 8 && lines_.word(word); ++count) {
        if (count < 3) {
            p[count] = length(word);
        } else {
            lines_.real(word);
        }
    }
    if (count < 3) lines_.fail("a vertex needs three coordinates", "the line may have been cut off");
    if (count == 5 || count > 7) {
        lines_.fail("a vertex has three coordinates, and at most a weight and a colour", "repair this line");
    }
    if (options_.up == "y") p = Vec3(p.x(), -p.z(), p.y());
    out_.points.push_back(p);
}

void ObjParser::read_uv() {
    Vec2 p = Vec2::Zero();
    int count = 0;
    for (std::string_view word; count < 4 && lines_.word(word); ++count) {
        const double value = lines_.real(word);
        if (std::abs(value) > largest_coordinate) {
            lines_.fail("a texture coordinate is beyond all reason", "repair this line");
        }
        if (count < 2) p[count] = value;
    }
    if (count < 1 || count > 3)
        lines_.fail("a texture coordinate has one to three numbers", "repair this line");
    uv_.push_back(p);
}

// Index from 0 of a word that counts from 1 forwards or from -1 backwards.
int ObjParser::resolve(std::string_view word, std::size_t count, bool uv) {
    const int index = lines_.index(word);
    if (index > 0) {
        if (static_cast<std::size_t>(index) > count) forward_.push_back({lines_.number(), index, uv});
        return index - 1;
    }
    const long from_end = static_cast<long>(count) + index;
    if (from_end < 0) {
        lines_.fail(fmt::format("index {} is out of range: only {} {} were read so far", index, count,
                                uv ? "texture coordinates" : "vertices"),
                    "negative indices count backwards from the last one");
    }
    return static_cast<int>(from_end);
}

Corner ObjParser::corner(std::string_view word) {
    Corner c;
    const std::size_t slash = word.find('/');
    c.vertex = resolve(word.substr(0, slash), out_.points.size(), false);
    if (slash == std::string_view::npos) return c;

    // Read texture coordinate and normal; of the latter only the form matters.
    word.remove_prefix(slash + 1);
    const std::size_t second = word.find('/');
    const std::string_view uv = word.substr(0, second);
    if (!uv.empty() || second == std::string_view::npos) {
        c.uv = resolve(uv, uv_.size(), true);
        c.form |= 1;
    }
    if (second != std::string_view::npos) {
        lines_.index(word.substr(second + 1));
        c.form |= 2;
    }
    return c;
}

void ObjParser::read_face() {
    mesh::Face face;
    std::array<int, 4> uv{-1, -1, -1, -1};
    std::size_t count = 0;
    int form = 0;
    for (std::string_view word; lines_.word(word); ++count) {
        if (count == 4) {
            lines_.fail("a face has more than four corners",
                        "cut it into quads and triangles and export again");
        }
        const Corner c = corner(word);
        if (count > 0 && c.form != form) {
            lines_.fail("the corners of a face are written in different ways",
                        "write all as v, all as v/vt, all as v//vn or all as v/vt/vn");
        }
        form = c.form;
        for (std::size_t k = 0; k < count; ++k) {
            if (face.corner[k] == c.vertex) {
                lines_.fail("a face names the same vertex twice", "remove degenerate faces and export again");
            }
        }
        face.corner[count] = c.vertex;
        uv[count] = c.uv;
    }
    if (count < 3) lines_.fail("a face needs at least three corners", "the line may have been cut off");
    out_.mesh.faces.push_back(face);
    face_uv_.push_back(uv);
}

void ObjParser::read_polyline() {
    int last = -1;
    std::size_t count = 0;
    for (std::string_view word; lines_.word(word); ++count) {
        const int vertex = corner(word).vertex;
        if (count > 0) {
            if (vertex == last) lines_.fail("a line joins a vertex to itself", "remove the repeated index");
            out_.mesh.lines.push_back({last, vertex});
        }
        last = vertex;
    }
    if (count < 2) lines_.fail("a line needs at least two vertices", "the line may have been cut off");
}

void ObjParser::check_forward_references() const {
    for (const Forward& f : forward_) {
        const std::size_t count = f.uv ? uv_.size() : out_.points.size();
        if (static_cast<std::size_t>(f.index) > count) {
            lines_.fail_at(
                f.line, fmt::format("index {} is out of range", f.index), "",
                fmt::format("the file has {} {}", count, f.uv ? "texture coordinates" : "vertices"));
        }
    }
}

void ObjParser::attach_uv() {
    const auto has_uv = [](const std::array<int, 4>& uv) { return uv[0] >= 0; };
    const auto with = static_cast<std::size_t>(std::count_if(face_uv_.begin(), face_uv_.end(), has_uv));
    if (with == 0) return;
    if (with < face_uv_.size()) {
        out_.notes.push_back(fmt::format("texture coordinates are not used: {} of {} faces have none",
                                         face_uv_.size() - with, face_uv_.size()));
        return;
    }
    out_.mesh.corner_uv.resize(face_uv_.size());
    for (std::size_t k = 0; k < face_uv_.size(); ++k) {
        for (std::size_t c = 0; c < 4; ++c) {
            const int index = face_uv_[k][c];
            out_.mesh.corner_uv[k][c] = index < 0 ? Vec2(0, 0) : uv_[static_cast<std::size_t>(index)];
        }
    }
}

void ObjParser::drop_unused() {
    // Mark what faces and lines use.
    std::vector<int> place(out_.points.size(), -1);
    const auto mark = [&](int vertex) { place[static_cast<std::size_t>(vertex)] = 0; };
    for (const mesh::Face& face : out_.mesh.faces) {
        std::for_each_n(face.corner.begin(), face.size(), mark);
    }
    for (const auto& line : out_.mesh.lines) std::for_each(line.begin(), line.end(), mark);
    const auto unused = std::count(place.begin(), place.end(), -1);
    if (unused == 0) return;

    // Move the used ones together, in their order, and renumber.
    for (std::size_t k = 0; k < place.size(); ++k) {
        if (place[k] < 0) continue;
        place[k] = static_cast<int>(out_.file_index.size());
        out_.points[out_.file_index.size()] = out_.points[k];
        out_.file_index.push_back(static_cast<int>(k));
    }
    out_.points.resize(out_.file_index.size());
    const auto renumber = [&](int& vertex) { vertex = place[static_cast<std::size_t>(vertex)]; };
    for (mesh::Face& face : out_.mesh.faces) std::for_each_n(face.corner.begin(), face.size(), renumber);
    for (auto& line : out_.mesh.lines) std::for_each(line.begin(), line.end(), renumber);
    out_.notes.push_back(fmt::format("{} vertices belong to no face and no line and were left out", unused));
}

void check_options(const std::string& file, const ObjOptions& options) {
    if (options.up != "z" && options.up != "y") {
        throw InputError({file, ""}, "'up' names no axis taut can turn to z", excerpt(options.up),
                         "allowed are \"z\" and \"y\"");
    }
    if (!std::isfinite(options.scale) || options.scale <= 0) {
        throw InputError({file, ""}, "'scale' must be a positive number", fmt::format("{}", options.scale),
                         "give metres per unit of the file");
    }
}

}  // namespace

ObjMesh parse_obj(std::string_view text, const std::string& name, const ObjOptions& options) {
    check_options(name, options);
    if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
    if (text.empty()) throw InputError({name, ""}, "is empty", "", "export the mesh again");
    if (text.find('\0') != std::string_view::npos) {
        throw InputError({name, ""}, "is not a text file", "", "give a mesh in the OBJ text format");
    }
    return ObjParser(text, name, options).parse();
}

ObjMesh read_obj(const std::filesystem::path& file, const ObjOptions& options) {
    check_options(file.string(), options);
    return parse_obj(read_file(file, largest_obj), file.string(), options);
}

void write_obj(const std::filesystem::path& file, const ObjContent& content) {
    if (!content.corner_uv.empty() && content.corner_uv.size() != content.faces.size()) {
        throw std::logic_error("write_obj needs texture coordinates for every face or none");
    }
    fmt::memory_buffer out;
    const auto end = std::back_inserter(out);
    for (const Vec3& p : content.points) {
        fmt::format_to(end, FMT_COMPILE("v {} {} {}\n"), p.x(), p.y(), p.z());
    }
    for (std::size_t k = 0; k < content.corner_uv.size(); ++k) {
        for (int c = 0; c < content.faces[k].size(); ++c) {
            const Vec2& p = content.corner_uv[k][static_cast<std::size_t>(c)];
            fmt::format_to(end, FMT_COMPILE("vt {} {}\n"), p.x(), p.y());
        }
    }

    // Number corners from 1; every corner has its own texture coordinate.
    std::size_t uv = 0;
    for (const mesh::Face& face : content.faces) {
        out.push_back('f');
        for (int c = 0; c < face.size(); ++c) {
            fmt::format_to(end, FMT_COMPILE(" {}"), face.corner[static_cast<std::size_t>(c)] + 1);
            if (!content.corner_uv.empty()) fmt::format_to(end, FMT_COMPILE("/{}"), ++uv);
        }
        out.push_back('\n');
    }
    for (const auto& line : content.lines)
        fmt::format_to(end, FMT_COMPILE("l {} {}\n"), line[0] + 1, line[1] + 1);
    write_file(file, {out.data(), out.size()});
}

}  // namespace taut::io
