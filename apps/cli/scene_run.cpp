// One scene simulated into its folder: who writes, and what is left at the end.
#include "scene_run.hpp"

#include <chrono>
#include <cstdio>

#include "build_info.hpp"
#include "errors.hpp"
#include "progress.hpp"
#include "state_picture.hpp"
#include "taut/base/error.hpp"
#include "taut/base/hash.hpp"
#include "taut/base/parallel.hpp"
#include "taut/io/atomic_file.hpp"
#include "taut/io/cache_recorder.hpp"
#include "taut/io/checkpoint.hpp"
#include "taut/io/correction_maps.hpp"
#include "taut/io/obj.hpp"
#include "taut/io/pc2.hpp"
#include "taut/io/steps_csv.hpp"
#include "taut/scene/build.hpp"
#include "taut/sim/settle.hpp"

namespace taut::cli {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

std::string json_text(const scene::Json& json) {
    return json.dump(2, ' ', false, scene::Json::error_handler_t::replace) + "\n";
}

template <class T>
std::uint64_t hash_array(const std::vector<T>& values, std::uint64_t seed) {
    return hash_bytes(values.data(), values.size() * sizeof(T), seed);
}

// The numbers of a fabric that forces take.
std::uint64_t hash_fabric(const Fabric& fabric, std::uint64_t hash) {
    for (const elements::LoadCurve* curve : {&fabric.bend_warp, &fabric.bend_weft, &fabric.shear}) {
        std::vector<double> numbers{curve->slope, curve->stiffening, curve->start, curve->end};
        for (const elements::Yielding& part : curve->yielding)
            numbers.insert(numbers.end(), {part.load, part.scale});
        hash = hash_array(numbers, hash);
    }
    return hash;
}

// What the motion depends on: the effective scene without its length, its outputs, its words and where
// its files lie, the cloth as it starts, its fabrics and the meshes of obstacles. Runs with the same
// fingerprint pass through the same states.
std::uint64_t motion_fingerprint(scene::Json effective, const Model& model, const State& start,
                                 const std::vector<collision::Obstacle>& obstacles) {
    for (const char* key : {"name", "description", "output"}) effective.erase(key);
    effective["run"].erase("duration");
    for (scene::Json& cloth : effective["cloths"]) {
        cloth.erase("file");
        cloth.erase("density_per_vertex");
        if (cloth["initial"].is_object()) cloth["initial"].erase("file");
        if (cloth["material"].is_object()) cloth["material"].erase("fabric");
    }
    for (scene::Json& material : effective["materials"]) material.erase("fabric");
    for (scene::Json& obstacle : effective["obstacles"]) {
        for (const char* key : {"file", "sequence", "first", "pc2"}) obstacle.erase(key);
    }
    std::uint64_t hash = io::scene_fingerprint(effective.dump());
    hash = hash_array(model.rest, hash);
    hash = hash_array(model.mass, hash);
    hash = hash_array(model.rest_length, hash);
    hash = hash_array(start.x, hash);
    hash = hash_array(start.v, hash);
    for (const Cloth& cloth : model.cloths) {
        if (cloth.fabric) hash = hash_fabric(*cloth.fabric, hash);
    }
    for (const collision::Obstacle& obstacle : obstacles) {
        if (!obstacle.mesh) continue;
        hash = hash_array(obstacle.mesh->triangles, hash);
        hash = hash_array(obstacle.mesh->rest, hash);
        if (obstacle.mesh->deformation)
            hash = hash_array<std::uint64_t>({obstacle.mesh->deformation->content()}, hash);
    }
    return hash;
}

// A name without anything that could lead elsewhere.
std::string harmless_name(std::string name) {
    for (char& c : name) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                           c == '-' || c == '_';
        if (!plain) c = '_';
    }
    return name;
}

// Everyone who writes during the run; checkpoints come last, when the others have written.
std::vector<std::unique_ptr<Observer>> make_recorders(SceneRun& run, bool settling) {
    std::vector<std::unique_ptr<Observer>> recorders;
    const RunFolder& folder = run.folder;
    io::CacheHeader header = io::make_cache_header(*run.simulation, run.obstacles,
                                                   {library_version(), run.scene.name, run.effective});
    // Pins whose path the standing clock cuts off are not where the scene has them.
    if (settling && header.pins)
        std::erase_if(*header.pins,
                      [](const PinGroup& pin) { return pin.moving() || std::isfinite(pin.release); });
    std::vector<fs::path> files{folder.cache(), folder.steps()};
    recorders.push_back(std::make_unique<io::CacheRecorder>(folder.cache(), header, run.keep_frames));
    recorders.push_back(std::make_unique<io::StepsCsv>(folder.steps(), run.keep_steps));
    recorders.push_back(std::make_unique<io::CorrectionMapRecorder>(
        folder.correction_maps(), header.vertices, run.scene.output.checkpoint_frames,
        run.keep_steps < 0 ? std::nullopt : std::optional(run.simulation->state().t)));
    files.push_back(folder.correction_maps());
    if (run.scene.output.cache_steps) {
        recorders.push_back(std::make_unique<io::StepRecorder>(
            folder.step_cache(), header,
            run.keep_steps < 0 ? -1 : io::recorded_steps(run.simulation->totals())));
        files.push_back(folder.step_cache());
    }
    if (run.scene.output.pc2) {
        recorders.push_back(
            std::make_unique<io::Pc2Recorder>(folder.pc2(), run.simulation->model(), run.keep_frames));
        files.push_back(folder.pc2());
    }
    if (run.scene.output.obj) {
        recorders.push_back(std::make_unique<io::ObjRecorder>(folder.obj_frames(), run.simulation->model()));
    }
    if (run.scene.output.checkpoint_frames > 0) {
        recorders.push_back(std::make_unique<io::Checkpointer>(*run.simulation, folder.path, run.fingerprint,
                                                               run.scene.output.checkpoint_frames, files));
    }
    return recorders;
}

// Writes the cloths as they are, all in one file, and each alone where there are several.
void write_settled(const SceneRun& run) {
    const Model& model = run.simulation->model();
    const Points& x = run.simulation->state().x;
    const auto write = [&](const fs::path& file, const Cloth& part) {
        const auto count = std::size_t(part.face_count);
        std::vector<mesh::Face> faces(model.faces.begin() + part.first_face,
                                      model.faces.begin() + part.first_face + std::ptrdiff_t(count));
        for (mesh::Face& face : faces) {
            for (int k = 0; k < face.size(); ++k) face.corner[std::size_t(k)] -= part.first_vertex;
        }
        std::vector<std::array<int, 2>> lines;
        for (int e = part.first_edge; e < part.first_edge + part.edge_count; ++e) {
            const mesh::Edge& edge = model.edges[std::size_t(e)];
            if (edge.face[0] < 0 && edge.face[1] < 0)
                lines.push_back({edge.a - part.first_vertex, edge.b - part.first_vertex});
        }
        const ConstPoints points =
            ConstPoints(x).subspan(std::size_t(part.first_vertex), std::size_t(part.vertex_count));
        io::write_obj(file, {points, faces, lines, {}});
    };
    Cloth all;
    all.vertex_count = model.vertex_count();
    all.face_count = static_cast<int>(model.faces.size());
    all.edge_count = model.edge_count();
    write(run.folder.settled(), all);
    if (model.cloths.size() < 2) return;
    for (const Cloth& cloth : model.cloths)
        write(run.folder.path / ("settled_" + harmless_name(cloth.name) + ".obj"), cloth);
}

// Runs with all observers. What cannot be written on the way ends the run as failed, not as bad input.
RunOutcome simulate(SceneRun& run, std::vector<Observer*> observers, StopSwitch& stop, const RunTold& told) {
    observers.insert(observers.end(), told.others.begin(), told.others.end());
    observers.push_back(&stop);
    ProgressLine progress(stderr, told.label);
    if (!told.label.empty()) observers.push_back(&progress);
    try {
        if (!told.settling) return run.simulation->run(observers, [&stop] { return stop.requested(); });
        SettleReport& report = *told.settling->report;
        report =
            run.simulation->settle(*told.settling->settings, observers, [&stop] { return stop.requested(); });
        if (report.outcome == SettleOutcome::interrupted) return RunOutcome::interrupted;
        return report.outcome == SettleOutcome::failed ? RunOutcome::failed : RunOutcome::finished;
    } catch (const InputError& error) {
        throw std::runtime_error(std::string("the run ended where it could not write: ") + error.what());
    }
}

}  // namespace

fs::path default_folder(const std::string& name) {
    return fs::path("out") / (name.empty() ? "scene" : harmless_name(name));
}

SceneRun prepare_run(scene::Scene scene, const RunFolder& folder) {
    const auto start = Clock::now();
    SceneRun run;
    run.scene = std::move(scene);
    run.folder = folder;
    scene::Assembly assembly = scene::assemble(run.scene);
    run.findings = scene::run_check(run.scene, assembly);
    for (const scene::Finding& finding : run.findings) {
        if (finding.refused)
            throw InputError({run.scene.file, finding.pointer}, finding.text, "", finding.remedy);
    }
    run.obstacles = assembly.obstacles;
    run.simulation = scene::build(run.scene, std::move(assembly));
    const scene::Json effective = scene::effective_json(run.scene);
    run.effective = json_text(effective);
    run.fingerprint =
        motion_fingerprint(effective, run.simulation->model(), run.simulation->state(), run.obstacles);
    run.setup_s = std::chrono::duration<double>(Clock::now() - start).count();
    return run;
}

void keep_source(const std::string& source, const RunFolder& folder) {
    std::error_code error;
    if (fs::equivalent(source, folder.scene(), error)) {
        throw InputError({source, "-o"}, "the run would overwrite the scene it is made from", "",
                         "choose another folder with -o, or continue that run with --resume");
    }
}

void print_findings(const SceneRun& run, bool quiet) {
    for (const scene::Finding& finding : run.findings) {
        if (finding.severity == scene::Severity::note || quiet) continue;
        print_warning(finding.text + (finding.pointer.empty() ? "" : " (at " + finding.pointer + ")") +
                      (finding.remedy.empty() ? "" : "; " + finding.remedy));
    }
}

io::ReportContext run_into_folder(SceneRun& run, StopSwitch& stop, const RunTold& told) {
    if (run.keep_frames < 0) clear_folder(run.folder);
    std::error_code none;
    fs::remove(run.folder.failure(), none);  // of an earlier attempt, also where this one goes on from it
    const auto recorders = make_recorders(run, told.settling != nullptr);
    io::write_file(run.folder.scene(), run.effective);

    // Run.
    std::vector<Observer*> observers;
    for (const auto& recorder : recorders) observers.push_back(recorder.get());
    io::ReportContext context{library_version(), run.scene.name, run.setup_s, thread_count(),
                              RunOutcome::failed};
    context.outcome = simulate(run, std::move(observers), stop, told);
    if (stop.by_strict()) context.outcome = RunOutcome::failed;

    // Leave report, page and picture, however the run ended.
    auto report = io::make_report(*run.simulation, context);
    if (told.settling) {
        report["settle"] = io::settle_json(*told.settling->report);
        write_settled(run);
    }
    io::write_json(run.folder.report(), report);
    write_view(run.folder, run.folder.view());
    write_preview(run.folder, run.scene.preview);
    if (context.outcome == RunOutcome::failed && !run.simulation->failure_faces().empty()) {
        write_state_picture(run.folder.failure(), *run.simulation, run.obstacles, run.scene,
                            run.simulation->failure_faces());
    }
    return context;
}

}  // namespace taut::cli
