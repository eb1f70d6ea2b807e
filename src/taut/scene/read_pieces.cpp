// Reads the pieces of the step: forces, integrator, filters, and the preset they start from.
// An array is the whole list; an object keyed by type changes the preset's list piece by piece,
// null takes a piece away. Of filters that see obstacles there is one at most; where the preset has
// `contact`, meshes and a second cloth make it `collision`.

#include <fmt/format.h>

#include <algorithm>

#include "taut/scene/reading.hpp"

namespace taut::scene {
namespace {

const char* article(Kind kind) {
    const char first = kind_name(kind)[0];
    return first == 'i' || first == 'o' ? "an" : "a";
}

std::size_t rank(const Piece& piece) { return static_cast<std::size_t>(piece.entry - registry().data()); }

// Puts a piece the preset lacks where the registry's order has it: projections before contact.
void insert_in_order(std::vector<Piece>& list, Piece piece) {
    auto place =
        std::find_if(list.begin(), list.end(), [&](const Piece& p) { return rank(p) > rank(piece); });
    list.insert(place, std::move(piece));
}

bool sees_obstacles(const Piece& piece) { return piece.entry->sees_obstacles; }

// The two would undo each other.
[[noreturn]] void fail_two_contacts(const JsonReader& reader, const Piece& one, const Piece& other) {
    throw InputError(
        reader.place(),
        fmt::format("'{}' and '{}' both keep cloth out of obstacles", one.entry->name, other.entry->name), "",
        "keep one of them: `collision` sees meshes and cloths besides");
}

std::vector<Piece> read_list(const JsonReader& reader, Kind kind, const std::string& what) {
    std::vector<Piece> list;
    for (const JsonReader& element : reader.elements(what)) {
        Piece piece = read_piece(element, kind);
        for (const Piece& other : list) {
            if (other.entry == piece.entry) {
                throw InputError(element.place(),
                                 fmt::format("the {} '{}' appears twice", kind_name(kind), piece.entry->name),
                                 "", "keep one of them");
            }
            if (sees_obstacles(other) && sees_obstacles(piece)) fail_two_contacts(element, other, piece);
        }
        list.push_back(std::move(piece));
    }
    return list;
}

void change_list(const JsonReader& reader, Kind kind, std::vector<Piece>& list) {
    for (const std::string& type : reader.keys()) {
        const JsonReader change = *reader.find(type);
        if (!find_entry(kind, type)) change.fail_unknown(kind_name(kind), type, names_of(kind));
        const auto found = std::find_if(list.begin(), list.end(),
                                        [&](const Piece& piece) { return piece.entry->name == type; });

        // Take away, change, or add.
        if (change.json().is_null()) {
            if (found != list.end()) list.erase(found);
            continue;
        }
        change.require_object(fmt::format("the change of {} '{}'", kind_name(kind), type));
        if (const auto inner = change.find("type"); inner && inner->text() != type) {
            inner->fail("the type contradicts the key",
                        fmt::format("leave \"type\" out or write \"{}\"", type));
        }
        Piece base;
        base.entry = find_entry(kind, type);
        base.settings = base.entry->settings();
        Piece piece = read_piece(change, kind, found != list.end() ? &*found : &base);
        if (found != list.end()) {
            *found = std::move(piece);
            continue;
        }

        // Let it take the place of the preset's own, where only one may be.
        if (sees_obstacles(piece)) {
            for (const Piece& other : list) {
                const auto given = reader.find(other.entry->name);
                if (sees_obstacles(other) && given && !given->json().is_null())
                    fail_two_contacts(change, other, piece);
            }
            std::erase_if(list, sees_obstacles);
        }
        insert_in_order(list, std::move(piece));
    }
}

// The list under `key`: the preset's, changed by an object or replaced by an array.
std::vector<Piece> settle_list(const JsonReader& top, const char* key, Kind kind, std::vector<Piece> list) {
    const auto given = top.find(key);
    if (!given) return list;
    const std::string what = fmt::format("'{}'", key);
    if (given->is_array()) return read_list(*given, kind, what);
    if (!given->is_object()) {
        given->fail(
            what + " must be an array or an object",
            "write [ {\"type\": ...}, ... ] for the whole list or { type: {...} } to change the preset's");
    }
    change_list(*given, kind, list);
    return list;
}

bool is_contact(const Piece& piece) { return piece.entry->name == "contact"; }

bool has_meshes(const Scene& scene) {
    return std::any_of(scene.obstacles.begin(), scene.obstacles.end(),
                       [](const ObstacleSpec& o) { return o.shape.entry->takes_place; });
}

// Puts `collision` in place of the preset's `contact`, which knows neither meshes nor other cloths, unless
// the scene has its say about either. A scene that wants no `collision` keeps `contact` where that is of use.
void suit_meshes_and_cloths(const JsonReader& top, const Scene& scene, std::vector<Piece>& filters) {
    const auto given = top.find("filters");
    const auto named = [&](const char* type) { return given && given->find(type); };
    if ((given && given->is_array()) || named("contact")) return;
    const bool of_use = !scene.obstacles.empty() && !has_meshes(scene);
    if (named("collision") && of_use) return;
    if (std::erase_if(filters, is_contact) == 0 || named("collision")) return;
    Piece collision;
    collision.entry = find_entry(Kind::filter, "collision");
    collision.settings = collision.entry->settings();
    collision.pointer = child_pointer(top.pointer(), "filters");
    insert_in_order(filters, std::move(collision));
}

// The solver of a filter: what is given, laid over that of `base` or the default.
std::shared_ptr<const Piece> read_solver(const JsonReader& filter, const Entry& entry, const Piece* base) {
    const Piece* old = base ? base->solver.get() : nullptr;
    Piece fallback;
    if (!old) {
        fallback.entry = find_entry(Kind::solver, entry.default_solver);
        fallback.settings = fallback.entry->settings();
        old = &fallback;
    }
    const auto given = filter.is_object() ? filter.find("solver") : std::nullopt;
    return std::make_shared<const Piece>(given ? read_piece(*given, Kind::solver, old) : *old);
}

}  // namespace

Piece read_piece(const JsonReader& reader, Kind kind, const Piece* base,
                 const std::vector<std::string>& others) {
    // Find the type.
    std::string type;
    if (reader.is_text()) {
        type = reader.text();
        if (!find_entry(kind, type)) reader.fail_unknown(kind_name(kind), type, names_of(kind));
    } else {
        if (!reader.is_object()) {
            reader.fail(fmt::format("{} {} must be an object", article(kind), kind_name(kind)),
                        "write {\"type\": ..., ...} or just the name");
        }
        const auto given = reader.find("type");
        if (given) {
            type = given->text();
            if (!find_entry(kind, type)) given->fail_unknown(kind_name(kind), type, names_of(kind));
        } else if (base) {
            type = base->entry->name;
        } else {
            reader.at("type",
                      fmt::format("say which {}: {}", kind_name(kind), fmt::join(names_of(kind), ", ")));
        }
    }

    // Start from defaults, or from the base where it is of the same type.
    Piece piece;
    piece.entry = find_entry(kind, type);
    piece.settings = piece.entry->settings();
    piece.pointer = reader.pointer();
    const bool same = base && base->entry == piece.entry;
    if (same) {
        Json kept = Json::object();
        write(kept, base->settings.list());
        JsonReader(kept, reader.file(), reader.pointer()).read(piece.settings.list());
    }

    // Read what is given.
    std::vector<std::string> keys = others;
    if (std::find(keys.begin(), keys.end(), "type") == keys.end()) keys.push_back("type");
    if (!piece.entry->default_solver.empty()) {
        keys.push_back("solver");
        piece.solver = read_solver(reader, *piece.entry, same ? base : nullptr);
    }
    if (kind == Kind::force) {
        keys.push_back("group");
        if (same) piece.group = base->group;
        const auto group = reader.is_object() ? reader.find("group") : std::nullopt;
        if (group) piece.group = group->choice(force_groups(), "group");
    }
    if (reader.is_object()) reader.read(piece.settings.list(), keys, piece.entry->required);
    if (reader.is_text() && !piece.entry->required.empty()) {
        reader.fail(
            fmt::format("{} '{}' needs parameters", kind_name(kind), type),
            fmt::format("write {{\"type\": \"{}\", \"{}\": ...}}", type, piece.entry->required.front()));
    }
    return piece;
}

void read_pieces(const JsonReader& top, Scene& scene) {
    // Read the preset; contact is of use only with something to touch.
    scene.preset = default_preset;
    if (const auto preset = top.find("preset"))
        scene.preset = preset->choice(names_of(Kind::preset), "preset");
    const Json base_json =
        parse_json(find_entry(Kind::preset, scene.preset)->pieces, "preset " + scene.preset);
    const JsonReader base(base_json, "preset " + scene.preset);
    std::vector<Piece> forces = read_list(base.at("forces", ""), Kind::force, "forces");
    std::vector<Piece> filters = read_list(base.at("filters", ""), Kind::filter, "filters");
    const Piece integrator = read_piece(base.at("integrator", ""), Kind::integrator);
    const bool several = scene.cloths.size() > 1;
    if (scene.obstacles.empty() && !several) std::erase_if(filters, is_contact);

    // Let the scene change or replace it.
    scene.forces = settle_list(top, "forces", Kind::force, std::move(forces));
    scene.filters = settle_list(top, "filters", Kind::filter, std::move(filters));
    if (has_meshes(scene) || several) suit_meshes_and_cloths(top, scene, scene.filters);
    const auto given = top.find("integrator");
    scene.integrator = given ? read_piece(*given, Kind::integrator, &integrator) : integrator;
}

}  // namespace taut::scene
