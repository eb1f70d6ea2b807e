#include "taut/scene/selectors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_set>

#include "taut/base/error.hpp"
#include "taut/scene/json_reader.hpp"

namespace taut::scene {
namespace {

class Selection {
public:
    Selection(const Scene& scene, const Assembly& assembly) : scene_(scene), assembly_(assembly) {}

    std::vector<int> take() { return std::move(vertices_); }

    void add(const GroupSpec& group) {
        if (!group.indices.empty() || !group.corners.empty() || !group.edges.empty() || !group.rows.empty() ||
            !group.columns.empty() || !group.parts.empty()) {
            add_by_index(group);
        }
        for (std::size_t c = 0; c < scene_.cloths.size(); ++c) {
            if (group.cloth.empty() || group.cloth == scene_.cloths[c].params.name) add_by_place(group, c);
        }
        add_nearest(group);
        for (const std::string& name : group.groups) {
            for (const GroupSpec& other : scene_.groups) {
                if (other.name == name) add(other);
            }
        }
    }

private:
    [[noreturn]] void fail(const GroupSpec& group, const char* key, const std::string& problem,
                           const std::string& value, const std::string& remedy) const {
        throw InputError({scene_.file, child_pointer(group.pointer, key)}, problem, value, remedy);
    }

    void put(int vertex) {
        if (seen_.insert(vertex).second) vertices_.push_back(vertex);
    }

    // The one cloth of an index selector.
    std::size_t only_cloth(const GroupSpec& group) const {
        std::vector<std::string> names;
        for (std::size_t c = 0; c < scene_.cloths.size(); ++c) {
            if (group.cloth == scene_.cloths[c].params.name) return c;
            names.push_back(scene_.cloths[c].params.name);
        }
        if (names.size() == 1) return 0;
        throw InputError({scene_.file, group.pointer}, "the group does not say which cloth it counts on", "",
                         fmt::format("add \"cloth\": one of {}", fmt::join(names, ", ")));
    }

    // A number from 0, or from the end where negative: -1 is the last.
    int counted(const GroupSpec& group, const char* key, int value, int count) const {
        const int index = value < 0 ? value + count : value;
        if (index < 0 || index >= count) {
            fail(group, key, "the cloth has no such number", std::to_string(value),
                 fmt::format("allowed: 0 to {}, or -1 to {} from the end", count - 1, -count));
        }
        return index;
    }

    const Lattice& lattice(const GroupSpec& group, const char* key, std::size_t c) const {
        const Lattice& lattice = assembly_.lattices[c];
        if (!lattice.exists()) {
            fail(group, key,
                 fmt::format("the cloth '{}' has no rows and columns", scene_.cloths[c].params.name), "",
                 "use box, sphere, nearest or indices");
        }
        return lattice;
    }

    void add_by_index(const GroupSpec& group) {
        const std::size_t c = only_cloth(group);
        const Cloth& cloth = assembly_.model.cloths[c];
        for (const int index : group.indices) {
            put(cloth.first_vertex + counted(group, "indices", index, cloth.vertex_count));
        }
        for (const std::string& corner : group.corners) {
            const Lattice& l = lattice(group, "corner", c);
            if (l.closed) fail(group, "corner", "a closed net has no corners", "", "use edge, row or column");
            put(cloth.first_vertex +
                l.vertex(corner[1] == '0' ? 0 : l.nu - 1, corner[3] == '0' ? 0 : l.nv - 1));
        }
        for (const std::string& edge : group.edges) {
            const Lattice& l = lattice(group, "edge", c);
            if (edge[0] == 'v') {
                add_row(cloth, l, edge[1] == '0' ? 0 : l.nv - 1);
            } else if (l.closed) {
                fail(group, "edge", "a closed net has no edges along v", edge, "use v0, v1 or column");
            } else {
                add_column(cloth, l, edge[1] == '0' ? 0 : l.nu - 1);
            }
        }
        for (const int row : group.rows) {
            const Lattice& l = lattice(group, "row", c);
            add_row(cloth, l, counted(group, "row", row, l.nv));
        }
        for (const int column : group.columns) {
            const Lattice& l = lattice(group, "column", c);
            add_column(cloth, l, counted(group, "column", column, l.nu));
        }
        for (const std::string& part : group.parts) add_part(group, c, part);
    }

    void add_part(const GroupSpec& group, std::size_t c, const std::string& name) {
        std::vector<std::string> names;
        for (const NamedPart& part : assembly_.parts[c]) {
            names.push_back(part.name);
            if (part.name != name) continue;
            for (const int v : part.vertices) put(assembly_.model.cloths[c].first_vertex + v);
            return;
        }
        fail(group, "part", fmt::format("the cloth '{}' has no such part", scene_.cloths[c].params.name),
             name,
             names.empty() ? "use it with garments" : fmt::format("allowed: {}", fmt::join(names, ", ")));
    }

    void add_row(const Cloth& cloth, const Lattice& lattice, int j) {
        for (int i = 0; i < lattice.nu; ++i) put(cloth.first_vertex + lattice.vertex(i, j));
    }

    void add_column(const Cloth& cloth, const Lattice& lattice, int i) {
        for (int j = 0; j < lattice.nv; ++j) put(cloth.first_vertex + lattice.vertex(i, j));
    }

    void add_by_place(const GroupSpec& group, std::size_t c) {
        if (!group.all && group.boxes.empty() && group.spheres.empty()) return;
        const Cloth& cloth = assembly_.model.cloths[c];
        const auto inside = [&](const Vec3& p) {
            for (const BoxSelector& box : group.boxes) {
                if ((p.array() >= box.min.array()).all() && (p.array() <= box.max.array()).all()) return true;
            }
            for (const SphereSelector& sphere : group.spheres) {
                if ((p - sphere.center).norm() <= sphere.radius) return true;
            }
            return group.all;
        };
        for (int v = cloth.first_vertex; v < cloth.first_vertex + cloth.vertex_count; ++v) {
            if (inside(assembly_.start.x[static_cast<std::size_t>(v)])) put(v);
        }
    }

    // The vertex nearest to each point, the lowest of equals.
    void add_nearest(const GroupSpec& group) {
        for (const Vec3& point : group.nearest) {
            int best = -1;
            double best_distance = std::numeric_limits<double>::infinity();
            for (std::size_t c = 0; c < scene_.cloths.size(); ++c) {
                if (!group.cloth.empty() && group.cloth != scene_.cloths[c].params.name) continue;
                const Cloth& cloth = assembly_.model.cloths[c];
                for (int v = cloth.first_vertex; v < cloth.first_vertex + cloth.vertex_count; ++v) {
                    const double distance =
                        (assembly_.start.x[static_cast<std::size_t>(v)] - point).squaredNorm();
                    if (distance < best_distance) {
                        best_distance = distance;
                        best = v;
                    }
                }
            }
            put(best);
        }
    }

    const Scene& scene_;
    const Assembly& assembly_;
    std::vector<int> vertices_;
    std::unordered_set<int> seen_;
};

}  // namespace

std::vector<int> select_vertices(const Scene& scene, const Assembly& assembly, const GroupSpec& group) {
    Selection selection(scene, assembly);
    selection.add(group);
    std::vector<int> vertices = selection.take();
    if (vertices.empty()) {
        throw InputError({scene.file, group.pointer}, "the group holds no vertex", "",
                         "check its selectors against the initial positions");
    }
    return vertices;
}

}  // namespace taut::scene
