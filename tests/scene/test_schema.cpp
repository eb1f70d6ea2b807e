// The JSON Schema: current in docs, accepts every scene of the library and their effective forms, and
// refuses what the reader refuses for reasons a schema can know. Validated by a small validator of the
// words the schema uses.
#include "taut/scene/schema.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "scene/scene_text.hpp"
#include "taut/scene/library.hpp"

namespace taut::scene {
namespace {

bool is_type(const Json& value, const std::string& type) {
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_boolean();
    if (type == "null") return value.is_null();
    if (type == "number") return value.is_number();
    return type == "integer" && value.is_number() && value.get<double>() == std::floor(value.get<double>());
}

class Validator {
public:
    explicit Validator(const Json& root) : root_(root) {}

    // The first thing that does not fit, as a pointer and a word; empty where all fits.
    std::string fault(const Json& value, const Json& schema, const std::string& pointer = "") const {
        if (schema.contains("$ref")) {
            const std::string name = schema["$ref"].get<std::string>().substr(std::string("#/$defs/").size());
            return fault(value, root_["$defs"].at(name), pointer);
        }
        if (schema.contains("anyOf")) {
            std::string first;
            for (const Json& option : schema["anyOf"]) {
                const std::string inner = fault(value, option, pointer);
                if (inner.empty()) return {};
                if (first.empty() || inner.size() > first.size()) first = inner;
            }
            return first;
        }
        std::string found = plain_fault(value, schema, pointer);
        if (found.empty() && value.is_object()) found = object_fault(value, schema, pointer);
        if (found.empty() && value.is_array()) found = array_fault(value, schema, pointer);
        return found;
    }

private:
    std::string plain_fault(const Json& value, const Json& schema, const std::string& pointer) const {
        if (schema.contains("const") && value != schema["const"]) return pointer + " const";
        if (schema.contains("enum")) {
            bool known = false;
            for (const Json& option : schema["enum"]) known = known || option == value;
            if (!known) return pointer + " enum";
        }
        if (schema.contains("type")) {
            const Json types = schema["type"].is_array() ? schema["type"] : Json::array({schema["type"]});
            bool fits = false;
            for (const Json& type : types) fits = fits || is_type(value, type.get<std::string>());
            if (!fits) return pointer + " type";
        }
        if (!value.is_number()) return {};
        const double x = value.get<double>();
        if (schema.contains("minimum") && x < schema["minimum"].get<double>()) return pointer + " minimum";
        if (schema.contains("maximum") && x > schema["maximum"].get<double>()) return pointer + " maximum";
        if (schema.contains("exclusiveMinimum") && x <= schema["exclusiveMinimum"].get<double>()) {
            return pointer + " exclusiveMinimum";
        }
        return {};
    }

    std::string object_fault(const Json& value, const Json& schema, const std::string& pointer) const {
        for (const Json& key : schema.value("required", Json::array())) {
            if (!value.contains(key.get<std::string>()))
                return pointer + " required " + key.get<std::string>();
        }
        if (value.size() < schema.value("minProperties", 0u)) return pointer + " minProperties";
        const Json properties = schema.value("properties", Json::object());
        for (const auto& [key, inner] : value.items()) {
            const std::string inside = child_pointer(pointer, key);
            if (properties.contains(key)) {
                if (const std::string found = fault(inner, properties[key], inside); !found.empty())
                    return found;
            } else if (schema.contains("additionalProperties")) {
                const Json& others = schema["additionalProperties"];
                if (others.is_boolean()) return inside + " unknown";
                if (const std::string found = fault(inner, others, inside); !found.empty()) return found;
            }
        }
        return {};
    }

    std::string array_fault(const Json& value, const Json& schema, const std::string& pointer) const {
        if (value.size() < schema.value("minItems", 0u)) return pointer + " minItems";
        if (schema.contains("maxItems") && value.size() > schema["maxItems"].get<std::size_t>())
            return pointer + " maxItems";
        if (!schema.contains("items")) return {};
        for (std::size_t i = 0; i < value.size(); ++i) {
            const std::string found =
                fault(value[i], schema["items"], child_pointer(pointer, std::to_string(i)));
            if (!found.empty()) return found;
        }
        return {};
    }

    const Json& root_;
};

std::string fault_of(const std::string& text) {
    const Json schema = scene_schema();
    return Validator(schema).fault(parse_json(text, "f"), schema);
}

TEST(Schema, TheFileInDocsIsCurrent) {
    const std::string file = std::string(TAUT_SOURCE_DIR) + "/docs/scene.schema.json";
    EXPECT_EQ(read_text_file(file, file), scene_schema().dump(2) + "\n")
        << "write it again: taut info --schema > docs/scene.schema.json";
}

TEST(Schema, AcceptsEverySceneAndItsEffectiveForm) {
    for (const auto& list : {built_in_scenes(), templates()}) {
        for (const NamedScene& named : list) {
            EXPECT_EQ(fault_of(std::string(named.text)), "") << named.name;
            if (!named.files.empty() && named.files[0].path.find('/') == std::string::npos) continue;
            const Json effective = effective_json(parse_scene(named.text, named.name, "/"));
            EXPECT_EQ(fault_of(effective.dump()), "") << named.name << " effective";
        }
    }
}

TEST(Schema, RefusesWhatTheReaderRefuses) {
    EXPECT_EQ(fault_of(small_scene()), "");
    for (const std::string& text : {
             std::string(R"({"taut": 2, "cloths": [{"type": "grid"}]})"),
             std::string(R"({"taut": 1})"),
             one_cloth(R"("type": "grid", "nuu": 3)"),
             one_cloth(R"("type": "grid", "nu": 1)"),
             one_cloth(R"("type": "grid", "width": "1")"),
             one_cloth(R"("type": "obj")"),
             one_cloth(R"("type": "sphere")"),
             one_cloth(R"("type": "grid", "initial": {"type": "sag", "axis": "w"})"),
             one_cloth(R"("type": "grid", "place": {"translate": [1, 2]})"),
             one_cloth(R"("type": "grid", "place": {"translate": [1, 2, 1e9]})"),
             small_scene(R"("forces": [{"type": "gravty"}])"),
             small_scene(R"("forces": {"gravity": {"acceleration": 3}})"),
             small_scene(R"("filters": [{"type": "stable_projection", "solver": {"type": "none"}}])"),
             small_scene(R"("filters": [{"type": "stable_projection", "tolerance": -1}])"),
             small_scene(R"("groups": {"g": {}})"),
             small_scene(R"("groups": {"g": {"corner": "x"}})"),
             small_scene(R"("obstacles": [{"type": "sphere"}])"),
             small_scene(R"("run": {"dt": 0})"),
             small_scene(R"("preset": "none")"),
             small_scene(R"("output": {"preview": {"colour": 1}})"),
         }) {
        EXPECT_NE(fault_of(text), "") << text;
        EXPECT_THROW(parse(text), InputError) << text;
    }
}

}  // namespace
}  // namespace taut::scene
