#include "taut/scene/params.hpp"

#include "taut/collision/polygon_sphere.hpp"

namespace taut::scene {
namespace {

// Counts of one cloth: a hundred thousand along one side is far beyond any cloth that fits memory
// as a sheet, yet allows very long chains.
Range count(double least) { return between(least, 100'000); }

// Lengths of shapes. Beyond a kilometre or below a tenth of a millimetre it is a slip of units.
Range length() { return between(1e-4, 1000); }

// Edges of a box; that they are positive is looked at for all three at once.
Range sizes() {
    Range range;
    range.max = largest_coordinate;
    return range;
}

}  // namespace

void describe(ParamList& list, GridParams& params) {
    list.integer("nu", params.nu, "1", count(2), "Vertices along u, the x axis at rest.");
    list.integer("nv", params.nv, "1", count(2), "Vertices along v, the y axis at rest.");
    list.number("width", params.width, "m", length(), "Length along u.");
    list.number("height", params.height, "m", length(), "Length along v.");
    list.choice("cells", params.cells, {"quads", "triangles"},
                "Faces between the yarns: quads, or each split along a diagonal.");
}

void describe(ParamList& list, WovenDiscParams& params) {
    list.number("radius", params.radius, "m", length(), "Radius.");
    list.integer("across", params.across, "1", between(4, 20'000), "Cells along a diameter, an even number.");
    list.number("clamp", params.clamp, "m", between(0, 1000),
                "Radius of a round clamp about the center: what is under it is the part 'clamp'; 0: none.");
}

void describe(ParamList& list, PolylineParams& params) {
    list.integer("vertices", params.vertices, "1", between(2, 10'000'000), "Vertices, one more than links.");
    list.number("length", params.length, "m", length(), "Length from the first vertex to the last.");
}

void describe(ParamList& list, ConeParams& params) {
    list.integer("around", params.around, "1", count(3), "Vertices of each closed ring.");
    list.integer("along", params.along, "1", count(2), "Rings from top to bottom.");
    list.number("radius_top", params.radius_top, "m", length(), "Radius of the top ring, at z = height.");
    list.number("radius_bottom", params.radius_bottom, "m", length(), "Radius of the bottom ring, at z = 0.");
    list.number("height", params.height, "m", length(), "Height from the bottom ring to the top ring.");
}

void describe(ParamList& list, ObjParams& params) {
    list.text("file", params.file, "OBJ file, relative to the folder of the scene.");
    list.choice("up", params.up, {"z", "y"}, "Axis of the file that points up.");
    list.number("scale", params.scale, "m", between(1e-9, 1e9), "Metres per unit of the file.");
}

void describe(ParamList&, RestParams&) {}

void describe(ParamList& list, SagParams& params) {
    list.number("chord", params.chord, "m", length(), "Distance between the two ends of every row.");
    list.choice("axis", params.axis, {"u", "v"}, "Direction of the rows that sag.");
}

void describe(ParamList& list, LineParams& params) {
    list.vector("direction", params.direction, "1",
                "Direction from the first vertex to the last; any length.");
    list.number("angle", params.angle, "deg", between(-360, 360), "Turn of that direction about the y axis.");
}

void describe(ParamList& list, ModeParams& params) {
    list.integer("number", params.number, "1", between(1, 20),
                 "Mode of the hanging chain, 1 is the slowest.");
    list.number("amplitude", params.amplitude, "m", any_number(), "Displacement of the free end along x.");
}

void describe(ParamList& list, ClothParams& params) {
    list.text("name", params.name, "Name used by groups, reports and --set; must be unique.");
    list.vector("velocity", params.velocity, "m/s", "Velocity at the start.");
    list.vector("spin", params.spin, "deg/s", "Angular velocity at the start, about the centre of mass.");
    list.number(
        "thickness", params.thickness, "m", between(0, 1),
        "Thickness for the filter `collision`, which keeps half of it on each side; 0: that of the filter.");
    list.number("friction", params.friction, "1", between(0, 10),
                "Coulomb coefficient of cloth on cloth; the geometric mean counts where two differ.");
    list.choice(
        "pattern", params.pattern, {"auto", "rest", "uv"},
        "What the cloth measures unstretched: the flat pattern given by its texture coordinates, or its "
        "rest shape; auto: the pattern where the type says that its coordinates are lengths.");
    list.number("uv_scale", params.uv_scale, "m", between(1e-6, 1e6),
                "Length of one unit of texture coordinates in the pattern.");
    list.number("grain", params.grain, "deg", between(-360, 360),
                "Turn of the threads in the pattern, from weft to warp; 0: weft runs along u.");
}

void describe(ParamList& list, PlaceParams& params) {
    list.vector("translate", params.translate, "m", coordinates(), "Shift, after the rotation.");
    list.vector("rotate", params.rotate, "deg", turns(), "Rotation about the origin: axis times angle.");
}

void describe(ParamList& list, MaterialParams& params) {
    list.number("density", params.density, "kg/m^2", positive(),
                "Mass per area of sheets; that of the fabric, if there is one.");
    list.number("linear_density", params.linear_density, "kg/m", positive(), "Mass per length of chains.");
    list.text(
        "fabric", params.fabric,
        "What the cloth is woven of, for forces that resist bending and shear: a name that `taut fabric "
        "--list` shows, or a file, relative to the folder of the scene.");
}

void describe(ParamList& list, PlaneParams& params) {
    list.vector("point", params.point, "m", coordinates(), "A point of the plane.");
    list.vector("normal", params.normal, "1", "Normal that points to the free side; any length.");
}

void describe(ParamList& list, SphereParams& params) {
    list.vector("center", params.center, "m", coordinates(), "Centre.");
    list.number("radius", params.radius, "m", length(), "Radius.");
}

void describe(ParamList& list, CapsuleParams& params) {
    list.vector("start", params.start, "m", coordinates(), "One end of the axis.");
    list.vector("end", params.end, "m", coordinates(), "Other end of the axis.");
    list.number("radius", params.radius, "m", length(), "Radius.");
}

void describe(ParamList& list, BoxParams& params) {
    list.vector("center", params.center, "m", coordinates(), "Centre.");
    list.vector("size", params.size, "m", sizes(),
                "Full edge lengths along x, y and z; turn the box by its motion.");
}

void describe(ParamList& list, PolygonSphereParams& params) {
    list.vector("center", params.center, "m", coordinates(), "Centre.");
    list.number("radius", params.radius, "m", length(), "Distance of all corners from the centre.");
    list.integer("frequency", params.frequency, "1", between(1, collision::PolygonSphere::max_frequency),
                 "Parts of each edge of the icosahedron; it has 20 times the square of this many faces.");
}

void describe(ParamList& list, MeshObstacleParams& params) {
    list.text("file", params.file,
              "OBJ file, relative to the folder of the scene; without it the first of the sequence.");
    list.choice("up", params.up, {"z", "y"}, "Axis of the files that points up.");
    list.number("scale", params.scale, "m", between(1e-9, 1e9), "Metres per unit of the files.");
    list.text("sequence", params.sequence,
              "Recorded frames, one OBJ file each with the same faces: `frames/body_%04d.obj`.");
    list.integer("first", params.first, "1", between(0, 999'999'999),
                 "Files with lower numbers are left out; the lowest of the others is the first frame.");
    list.integer("count", params.count, "1", between(0, 1'000'000), "Frames of the sequence; 0: all.");
    list.text("pc2", params.pc2, "Recorded frames as a PC2 point cache with the vertices of `file`.");
    list.number("fps", params.fps, "1/s", between(1e-3, 1e5), "Recorded frames per second.");
    list.number("start", params.start, "s", any_number(),
                "Time of the first recorded frame; the mesh rests before it and after the last.");
    list.choice("interpolation", params.interpolation, {"smooth", "linear"},
                "Cubic through the recorded frames, at rest at both ends, or straight between them.");
}

void describe(ParamList& list, ObstacleParams& params) {
    list.text("name", params.name, "Name used by reports and --set; must be unique.");
    list.number("friction", params.friction, "1", between(0, 10), "Coulomb coefficient of cloth on it.");
}

void describe(ParamList& list, FrictionParams& params) {
    list.number("coefficient", params.coefficient, "1", between(0, 10),
                "Coulomb coefficient of the two, in place of their own.");
}

}  // namespace taut::scene
