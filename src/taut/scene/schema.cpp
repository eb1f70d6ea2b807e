// Every object of the schema is made from the parameter list its reader uses, joined with the keys
// of format.cpp; only the shapes of nested arrays and objects are written here.

#include "taut/scene/schema.hpp"

#include <cmath>

#include "taut/scene/format.hpp"
#include "taut/scene/json_reader.hpp"
#include "taut/scene/scene.hpp"

namespace taut::scene {
namespace {

Json reference(const std::string& name) {
    Json schema = Json::object();
    schema["$ref"] = "#/$defs/" + name;
    return schema;
}

Json typed(const char* type) {
    Json schema = Json::object();
    schema["type"] = type;
    return schema;
}

Json any_of(std::vector<Json> options) {
    Json schema = Json::object();
    schema["anyOf"] = std::move(options);
    return schema;
}

Json array_of(Json items, int least) {
    Json schema = typed("array");
    schema["items"] = std::move(items);
    if (least > 0) schema["minItems"] = least;
    return schema;
}

Json one_or_more(const Json& item) { return any_of({item, array_of(item, 1)}); }

Json name_of(const std::vector<std::string>& names) {
    Json schema = typed("string");
    schema["enum"] = names;
    return schema;
}

void put_range(Json& schema, const Range& range) {
    if (std::isfinite(range.min)) schema[range.min_open ? "exclusiveMinimum" : "minimum"] = range.min;
    if (std::isfinite(range.max)) schema[range.max_open ? "exclusiveMaximum" : "maximum"] = range.max;
}

Json vector_schema(const Range& range) {
    Json item = typed("number");
    put_range(item, range);
    Json schema = array_of(std::move(item), 3);
    schema["maxItems"] = 3;
    return schema;
}

Json parameter_schema(const Param& param, bool has_default) {
    Json schema = Json::object();
    const std::string type = param.type_name();
    if (type == "vector") {
        schema = param.range.text() == "any" ? reference("vector") : vector_schema(param.range);
    } else if (!param.choices.empty()) {
        schema = name_of(param.choices);
    } else {
        schema["type"] = type == "flag" ? "boolean" : type == "text" ? "string" : type;
        put_range(schema, param.range);
    }

    // An infinite default is written as null.
    if (const auto* number = std::get_if<double*>(&param.target); number && std::isinf(**number)) {
        schema["type"] = Json::array({"number", "null"});
    }
    if (has_default) schema["default"] = Json::parse(param.value_text(), nullptr, false);
    if (has_default && schema["default"].is_discarded()) schema["default"] = nullptr;
    const bool unit = !param.unit.empty() && param.unit != "1";
    schema["description"] = param.text + (unit ? " [" + param.unit + "]" : "");
    return schema;
}

// An object of parameters; `required` names those without a default.
Json object_schema(const ParamList& list, const std::vector<std::string>& required = {}) {
    Json schema = typed("object");
    schema["properties"] = Json::object();
    for (const Param& param : list.entries()) {
        const bool needed = std::find(required.begin(), required.end(), param.name) != required.end();
        schema["properties"][param.name] = parameter_schema(param, !needed);
    }
    if (!required.empty()) schema["required"] = required;
    schema["additionalProperties"] = false;
    return schema;
}

template <class Params>
Json params_schema(const std::vector<std::string>& required = {}) {
    Params params;
    ParamList list;
    describe(list, params);
    return object_schema(list, required);
}

void put(Json& object, const std::string& key, Json schema, const std::string& text = "",
         bool required = false) {
    if (!text.empty()) schema["description"] = text;
    object["properties"][key] = std::move(schema);
    if (required) object["required"].push_back(key);
}

// Adds nested keys with the texts of their table; `shapes` gives their schemas by name.
void put_keys(Json& object, const std::vector<FormatKey>& keys, const Json& shapes) {
    for (const FormatKey& key : keys) {
        if (shapes.contains(key.name)) put(object, key.name, shapes[key.name], key.text, key.required);
    }
}

Json type_constant(const Entry& entry) {
    Json schema = Json::object();
    schema["const"] = entry.name;
    schema["description"] = entry.text;
    return schema;
}

// One registered thing as an object. With `needs_type` false the type may be left out.
Json entry_schema(const Entry& entry, bool needs_type) {
    const Settings settings = entry.settings();
    Json object = object_schema(settings.list(), entry.required);
    put(object, "type", type_constant(entry), entry.text, needs_type);
    if (!entry.default_solver.empty())
        put(object, "solver", reference("solver"), "Solver of the linear systems.");
    if (entry.kind == Kind::force)
        put(object, "group", name_of(force_groups()),
            "Whether the integrator, filters that relax, or both take it.");
    return object;
}

// Any thing of a kind: its name alone where it needs nothing else, or an object.
Json kind_schema(Kind kind, bool needs_type) {
    std::vector<Json> options;
    std::vector<std::string> plain;
    for (const Entry& entry : registry()) {
        if (entry.kind != kind || entry.optional) continue;
        if (entry.required.empty()) plain.push_back(entry.name);
        options.push_back(entry_schema(entry, needs_type));
    }
    options.insert(options.begin(), name_of(plain));
    return any_of(std::move(options));
}

// A whole list, or changes of the preset's list by type.
Json list_schema(Kind kind, const std::string& name) {
    Json changes = typed("object");
    changes["properties"] = Json::object();
    for (const Entry& entry : registry()) {
        if (entry.kind == kind)
            changes["properties"][entry.name] = any_of({typed("null"), entry_schema(entry, false)});
    }
    changes["additionalProperties"] = false;
    return any_of({array_of(reference(name), 0), changes});
}

Json points_schema() { return any_of({reference("vector"), array_of(reference("vector"), 1)}); }

Json motion_schema() {
    Json schema = params_schema<MotionParams>();
    Json shapes = Json::object();
    shapes["keyframes"] = array_of(params_schema<KeyframeParams>({"time"}), 1);
    put_keys(schema, motion_keys(), shapes);
    return schema;
}

Json group_schema() {
    Json schema = typed("object");
    schema["properties"] = Json::object();
    Json shapes = Json::object();
    shapes["cloth"] = typed("string");
    shapes["indices"] = shapes["row"] = shapes["column"] = one_or_more(typed("integer"));
    shapes["corner"] = one_or_more(name_of(corner_names()));
    shapes["edge"] = one_or_more(name_of(edge_names()));
    shapes["part"] = one_or_more(typed("string"));
    shapes["box"] = one_or_more(params_schema<BoxSelector>({"min", "max"}));
    shapes["sphere"] = one_or_more(params_schema<SphereSelector>({"center", "radius"}));
    shapes["nearest"] = points_schema();
    shapes["all"] = typed("boolean");
    shapes["groups"] = one_or_more(typed("string"));
    put_keys(schema, group_keys(), shapes);
    schema["minProperties"] = 1;
    schema["additionalProperties"] = false;
    return schema;
}

Json pin_schema() {
    Json schema = params_schema<PinParams>();
    Json shapes = Json::object();
    shapes["group"] = any_of({typed("string"), reference("group")});
    shapes["at"] = any_of({name_of({"initial"}), points_schema()});
    shapes["motion"] = reference("motion");
    shapes["on"] = params_schema<GuideParams>({"type"});
    Json on_shapes = Json::object();
    on_shapes["points"] = array_of(reference("vector"), 2);
    put_keys(shapes["on"], guide_keys(), on_shapes);
    put_keys(schema, pin_keys(), shapes);
    return schema;
}

Json seam_schema() {
    Json schema = params_schema<SeamParams>();
    Json time = typed("number");
    put_range(time, non_negative());
    Json shapes = Json::object();
    shapes["from"] = shapes["to"] = any_of({typed("string"), reference("group")});
    shapes["close"] = array_of(time, 2);
    shapes["close"]["maxItems"] = 2;
    put_keys(schema, seam_keys(), shapes);
    return schema;
}

Json cloth_schema() {
    Json positive_number = typed("number");
    positive_number["exclusiveMinimum"] = 0;
    Json shapes = Json::object();
    shapes["material"] = any_of({typed("string"), reference("material")});
    shapes["density_per_vertex"] = any_of({typed("string"), array_of(positive_number, 1)});
    shapes["initial"] = reference("initial");
    shapes["place"] = params_schema<PlaceParams>();
    std::vector<Json> options;
    for (const Entry& entry : registry()) {
        if (entry.kind != Kind::cloth) continue;
        Json object = entry_schema(entry, true);
        object["properties"].update(params_schema<ClothParams>()["properties"]);
        put_keys(object, cloth_keys(), shapes);
        options.push_back(std::move(object));
    }
    return any_of(std::move(options));
}

Json obstacle_schema() {
    Json shapes = Json::object();
    shapes["motion"] = reference("motion");
    std::vector<Json> options;
    for (const Entry& entry : registry()) {
        if (entry.kind != Kind::obstacle) continue;
        shapes["place"] = params_schema<PlaceParams>();
        if (!entry.takes_place) shapes.erase("place");
        Json object = entry_schema(entry, true);
        object["properties"].update(params_schema<ObstacleParams>()["properties"]);
        put_keys(object, obstacle_keys(), shapes);
        options.push_back(std::move(object));
    }
    return any_of(std::move(options));
}

Json friction_schema() {
    Json schema = params_schema<FrictionParams>({"coefficient"});
    Json shapes = Json::object();
    shapes["between"] = array_of(typed("string"), 2);
    shapes["between"]["maxItems"] = 2;
    put_keys(schema, friction_keys(), shapes);
    return schema;
}

Json map_schema() {
    Json schema = params_schema<MapParams>();
    Json shapes = Json::object();
    shapes["fixed"] = shapes["watch"] = any_of({typed("string"), reference("group")});
    shapes["touch"] = typed("string");
    put_keys(schema, map_keys(), shapes);
    return schema;
}

Json output_schema() {
    Json schema = params_schema<OutputParams>();
    Json shapes = Json::object();
    shapes["preview"] = params_schema<PreviewParams>();
    put_keys(schema, output_keys(), shapes);
    return schema;
}

Json by_name(const Json& item) {
    Json schema = typed("object");
    schema["additionalProperties"] = item;
    return schema;
}

Json definitions() {
    Json defs = Json::object();
    defs["vector"] = vector_schema({});
    defs["motion"] = motion_schema();
    defs["material"] = params_schema<MaterialParams>();
    defs["initial"] = kind_schema(Kind::initial, true);
    defs["cloth"] = cloth_schema();
    defs["group"] = group_schema();
    defs["pin"] = pin_schema();
    defs["seam"] = seam_schema();
    defs["obstacle"] = obstacle_schema();
    defs["force"] = kind_schema(Kind::force, true);
    defs["integrator"] = kind_schema(Kind::integrator, false);
    defs["filter"] = kind_schema(Kind::filter, true);
    defs["solver"] = kind_schema(Kind::solver, false);
    return defs;
}

}  // namespace

Json scene_schema() {
    Json shapes = Json::object();
    shapes["taut"]["const"] = format_version;
    shapes["name"] = shapes["description"] = shapes["$schema"] = typed("string");
    shapes["preset"] = name_of(names_of(Kind::preset));
    shapes["materials"] = by_name(reference("material"));
    shapes["cloths"] = array_of(reference("cloth"), 1);
    shapes["groups"] = by_name(reference("group"));
    shapes["pins"] = array_of(reference("pin"), 0);
    shapes["seams"] = array_of(reference("seam"), 0);
    shapes["obstacles"] = array_of(reference("obstacle"), 0);
    shapes["friction"] = array_of(friction_schema(), 0);
    shapes["correction_maps"] = array_of(map_schema(), 0);
    shapes["forces"] = list_schema(Kind::force, "force");
    shapes["integrator"] = reference("integrator");
    shapes["filters"] = list_schema(Kind::filter, "filter");
    shapes["run"] = params_schema<RunParams>();
    shapes["output"] = output_schema();

    Json schema = Json::object();
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
    schema["title"] = "A scene of taut";
    schema["type"] = "object";
    schema["properties"] = Json::object();
    put_keys(schema, top_keys(), shapes);
    schema["additionalProperties"] = false;
    schema["$defs"] = definitions();
    return schema;
}

}  // namespace taut::scene
