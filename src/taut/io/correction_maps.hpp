// correction_maps.json: the orders in which filters corrected edges during a run, each once, and when another
// one came into use. One JSON object: "taut_correction_maps" (version 1), "vertices" of the model, "whole",
// "active" with pairs [t, map] in order of time, and "maps" with name, fixed vertices, corrections as from,
// to, from, to, ... and one letter per correction for its kind: h, v, s. A map in "active" is its place in
// "maps", its name where the list was left out, or null where no filter had one.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "taut/sim/simulation.hpp"

namespace taut::io {

struct CorrectionMaps {
    static constexpr int left_out = -1, none = -2;

    // From time t on [s], the end of the first step with it, this map was in use.
    struct Change {
        double t = 0;
        int map = none;    // place in `maps`, left_out or none
        std::string name;  // where the list was left out
    };

    int vertices = 0;                 // of the model
    std::vector<CorrectionMap> maps;  // number: place in this list
    std::vector<Change> changes;      // ascending times
    bool whole = true;                // nothing was left out

    // The map in use at a time [s]; before the first, the first. Null where there is none or its list was
    // left out.
    const CorrectionMap* at(double t) const;
    // The map of that name last in use before or at t, else the first of that name; null where there is none.
    const CorrectionMap* named(const std::string& name, double t) const;
    std::vector<std::string> names() const;  // each once

    // Forgets what came into use after t [s].
    void cut(double t);
};

// The file's text and back. Throws InputError naming `file`, the place and the value where it is damaged or
// belongs to a model of another number of vertices.
std::string correction_maps_text(const CorrectionMaps& maps);
CorrectionMaps parse_correction_maps(const std::string& text, const std::string& file, int vertices);
CorrectionMaps read_correction_maps(const std::filesystem::path& file, int vertices);

// What a file may hold; beyond it names and times are noted, and beyond the changes nothing.
struct CorrectionMapLimits {
    std::size_t maps = 64;
    std::size_t corrections = 2'000'000;  // fixed vertices counted too; about 30 MB of text
    std::size_t changes = 100'000;
};

// Asks the filters after every step which corrections they made. Maps of several filters are joined in the
// order of the filters, which is that of the corrections.
class CorrectionMapRecorder final : public Observer {
public:
    // keep_until: goes on with an existing file, without what came into use after that time [s]; a file that
    // is gone is begun anew. every_frames: writes what is new every so many frames; 0: only at the end.
    CorrectionMapRecorder(std::filesystem::path file, int vertices, int every_frames,
                          std::optional<double> keep_until = {}, const CorrectionMapLimits& limits = {});

    void step(const Simulation& simulation, const StepReport& report) override;
    void frame(const Simulation& simulation, int frame) override;
    void end(const Simulation& simulation) override;

private:
    // Which map a filter has, by its place in the chain and the map's number.
    struct InUse {
        std::size_t filter = 0;
        long number = 0;
        bool operator==(const InUse&) const = default;
    };

    void note(const Simulation& simulation);
    void add_change(CorrectionMaps::Change change);
    CorrectionMaps::Change place_of(const CorrectionMap& map);
    void write();

    std::filesystem::path file_;
    int every_frames_;
    CorrectionMapLimits limits_;
    CorrectionMaps maps_;
    std::size_t corrections_ = 0;  // in all maps kept, fixed vertices too
    std::vector<InUse> in_use_, asked_;
    bool asked_before_ = false, written_ = true;
};

}  // namespace taut::io
