#include "taut/scene/format.hpp"

namespace taut::scene {

const std::vector<FormatKey>& top_keys() {
    static const std::vector<FormatKey> keys{
        {"taut", "integer", "Version of the scene format: 1.", true},
        {"name", "text", "Name of the scene; the file's name by default."},
        {"description", "text", "What the scene shows."},
        {"preset", "text",
         "Named set of forces, integrator and filters to start from; `inextensible` by default."},
        {"materials", "object", "Materials by name, for `material` of cloths."},
        {"cloths", "array of cloths", "The cloths; at least one.", true},
        {"groups", "object", "Vertex groups by name, for pins and seams."},
        {"pins", "array of pins", "Vertices held in place or moved."},
        {"seams", "array of seams", "Vertices sewn together, from the start or closing over time."},
        {"obstacles", "array of obstacles", "Solids the cloths collide with."},
        {"friction", "array of pairs", "Friction between two things by name, in place of their own."},
        {"correction_maps", "array of maps",
         "Vertices that `directional` treats as fixed besides pins, and the events that call for them."},
        {"forces", "array or object",
         "An array is the whole list of forces; an object keyed by type changes the preset's list, null "
         "removes."},
        {"integrator", "object or text", "How forces make a velocity; the preset's by default."},
        {"filters", "array or object",
         "The chain of velocity filters, first to last; array or object as for `forces`."},
        {"run", "object", "Duration and steps."},
        {"output", "object", "What the run folder holds besides the cache."},
        {"$schema", "text", "Address of the JSON Schema, for editors; not used by taut."},
    };
    return keys;
}

const std::vector<FormatKey>& cloth_keys() {
    static const std::vector<FormatKey> keys{
        {"type", "text", "Which maker gives the rest shape.", true},
        {"material", "text or object",
         "Name of a material, or a material itself; its defaults where absent."},
        {"density_per_vertex", "array or text",
         "Density of every vertex instead of the material's, or a text file with one number per vertex."},
        {"initial", "object or text",
         "Shape at the start; `rest` by default. Rest lengths never depend on it."},
        {"place", "object", "Rotation and shift of the initial shape."},
    };
    return keys;
}

const std::vector<FormatKey>& group_keys() {
    static const std::vector<FormatKey> keys{
        {"cloth", "text", "Cloth the selectors look at; all cloths where absent, if there are several."},
        {"indices", "integer or array",
         "Vertices by number within the cloth; negative numbers count from the end."},
        {"corner", "text or array", "Corners of a grid: u0v0, u1v0, u0v1, u1v1."},
        {"edge", "text or array",
         "Whole edges of a grid: u0, u1, v0, v1; v0 and v1 are the top and bottom of a cone."},
        {"row", "integer or array", "Rows of constant v of a grid; -1 is the last."},
        {"column", "integer or array", "Columns of constant u of a grid; -1 is the last."},
        {"part", "text or array",
         "Parts that a cloth names, such as top, hem or left_side of garments, u0 of an irregular sheet."},
        {"box", "object or array", "Vertices whose initial positions lie in a box."},
        {"sphere", "object or array", "Vertices whose initial positions lie in a sphere."},
        {"nearest", "point or array of points", "The vertex that starts nearest to each point."},
        {"all", "flag", "Every vertex."},
        {"groups", "text or array", "The vertices of groups written before this one."},
    };
    return keys;
}

const std::vector<FormatKey>& pin_keys() {
    static const std::vector<FormatKey> keys{
        {"group", "text or object", "Name of a group, or the selectors themselves.", true},
        {"at", "text, point or array of points",
         "`initial` holds vertices where they start; a point, for a group of one vertex, or an array with "
         "one "
         "per vertex moves them there before the start."},
        {"on", "object",
         "Curve or surface that the vertices stay on, free to move along it; they start at its nearest "
         "points. Not with `at`, `offset` and `rigid`."},
        {"motion", "object",
         "Path of the anchors, or of what the vertices stay on, over time; at rest where absent. Not with "
         "`attach`."},
    };
    return keys;
}

const std::vector<FormatKey>& guide_keys() {
    static const std::vector<FormatKey> keys{
        {"points", "array of points", "Corners of a polyline, two at least."},
    };
    return keys;
}

const std::vector<FormatKey>& seam_keys() {
    static const std::vector<FormatKey> keys{
        {"from", "text or object", "One side: name of a group, or the selectors themselves.", true},
        {"to", "text or object", "The other side, with as many vertices.", true},
        {"close", "array of two numbers",
         "Times in seconds between which the seam closes, smoothly; [0, 0], the default: closed from the "
         "start. Until it closes, pairs keep their distance."},
    };
    return keys;
}

const std::vector<FormatKey>& obstacle_keys() {
    static const std::vector<FormatKey> keys{
        {"type", "text", "Shape of the obstacle.", true},
        {"place", "object", "Rotation and shift of a mesh before any motion, as for cloths; meshes only."},
        {"motion", "object", "Path of the obstacle over time; at rest where absent."},
    };
    return keys;
}

const std::vector<FormatKey>& friction_keys() {
    static const std::vector<FormatKey> keys{
        {"between", "array of two names",
         "A cloth and another cloth or an obstacle; twice the same: a cloth on itself.", true},
    };
    return keys;
}

const std::vector<FormatKey>& map_keys() {
    static const std::vector<FormatKey> keys{
        {"fixed", "text or object",
         "Vertices fixed besides pins: name of a group, or the selectors themselves.", true},
        {"touch", "text",
         "Obstacle that must touch one of the vertices, or `any`; the map asks for no contact where absent."},
        {"watch", "text or object", "Vertices of which one must touch; those of `fixed` where absent."},
    };
    return keys;
}

const std::vector<FormatKey>& motion_keys() {
    static const std::vector<FormatKey> keys{
        {"keyframes", "array of keyframes",
         "Where the motion stands at given times; at rest before and after.", true},
    };
    return keys;
}

const std::vector<FormatKey>& output_keys() {
    static const std::vector<FormatKey> keys{
        {"preview", "object", "How preview.png is drawn."},
    };
    return keys;
}

const std::vector<std::string>& force_groups() {
    static const std::vector<std::string> names{"step", "relax", "both"};
    return names;
}

const std::vector<std::string>& corner_names() {
    static const std::vector<std::string> names{"u0v0", "u1v0", "u0v1", "u1v1"};
    return names;
}

const std::vector<std::string>& edge_names() {
    static const std::vector<std::string> names{"u0", "u1", "v0", "v1"};
    return names;
}

std::vector<std::string> names_in(const std::vector<FormatKey>& keys) {
    std::vector<std::string> names;
    names.reserve(keys.size());
    for (const FormatKey& key : keys) names.push_back(key.name);
    return names;
}

}  // namespace taut::scene
