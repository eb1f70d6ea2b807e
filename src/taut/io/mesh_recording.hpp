// Recordings of meshes as animation programs write them: one OBJ file per frame, or a PC2 point cache
// beside the OBJ file that gives the faces. Every frame must fit the mesh it moves, vertex by vertex and
// face by face; what does not is an InputError that names the file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "taut/io/obj.hpp"
#include "taut/io/pc2.hpp"
#include "taut/model/recorded_frames.hpp"

namespace taut::io {

// Files numbered in their names: "body_%04d.obj" has body_0000.obj, body_0001.obj and so on.
class FrameNames {
public:
    // The file name, not the folders above it, holds one %d, or %04d for four digits at least. Throws.
    explicit FrameNames(const std::filesystem::path& pattern);

    std::filesystem::path file(int number) const;
    std::vector<int> existing() const;  // numbers of the files in the folder, ascending; throws without one

private:
    int number_of(const std::string& name) const;  // -1: the pattern does not give that name

    std::filesystem::path folder_;
    std::string before_, after_;
    std::size_t digits_ = 1;
};

struct FrameRange {
    int first = 0, count = 0;
};

// The frames from number `first` on that there are: `count` of them, or all (0), starting at the lowest.
// Throws InputError where one is missing between others, or fewer than two are left.
FrameRange find_frames(const FrameNames& names, int first, int count);

// Frames of a mesh that was read from the file `mesh_file` with the same options.
struct Recording {
    std::vector<RecordedFrames::Frame> frames;  // [m], z up
    double stride = 1;                          // of the frame rate: frames that pass from one to the next
};
Recording read_obj_frames(const FrameNames& names, const FrameRange& range, const ObjMesh& mesh,
                          const std::string& mesh_file, const ObjOptions& options = {});
Recording read_pc2_frames(Pc2Reader reader, const ObjMesh& mesh, const std::string& mesh_file,
                          const ObjOptions& options = {});

}  // namespace taut::io
