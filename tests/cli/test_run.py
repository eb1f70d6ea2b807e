"""taut run and what it leaves; taut view and taut render on the folder."""

import csv
import json
import os
import pty
import struct
import subprocess
import unittest

from program import BAD_INPUT, FAILED, PROGRAM, SMALL, THUMBNAIL, ProgramTest

REPORT_KEYS = (
    "taut_version scene vertices constraints steps frames retries failed_steps wall_s setup_s threads max_strain "
    "strain tolerance certified projection_iterations linear_iterations energy penetration_m stages state_hash"
).split()

FILES = ["cache.taut", "preview.png", "report.json", "scene.json", "steps.csv", "view.html"]

# Four frames of a small sheet.
SHORT = [*SMALL, "--frames", 4, "--quiet"]

# A sheet pinned so that no unstretched cloth can follow.
INFEASIBLE = """{"taut": 1, "cloths": [{"name": "sheet", "type": "grid", "nu": 9, "nv": 9}],
  "pins": [{"name": "left", "group": {"corner": "u0v0"}},
           {"name": "right", "group": {"corner": "u1v0"}, "offset": [0.02, 0, 0]}],
  "run": {"duration": 0.1}, "output": {"preview": {"width": 96, "height": 60}}}"""


def png_size(path):
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", data[16:24])


class Run(ProgramTest):
    def test_leaves_everything(self):
        done = self.taut("run", "hang", *SMALL, "--frames", 4)
        for word in ("certificate", "CERTIFIED", "iterations", "energy", "penetration", "view.html", "preview.png"):
            self.assertIn(word, done.stdout)
        folder = self.folder / "out" / "hang"
        for name in FILES:
            self.assertGreater((folder / name).stat().st_size, 0, name)
        self.assertTrue((folder / "checkpoint.a").exists() or (folder / "checkpoint.b").exists())
        self.assertIn("</html>", (folder / "view.html").read_text()[-200:])

        report = self.report("out/hang")
        for key in REPORT_KEYS:
            self.assertIn(key, report)
        for direction in ("warp", "weft"):
            self.assertEqual(set(report["strain"][direction]), {"max", "p999", "mean", "max_stretch", "max_compression"})
        self.assertEqual(set(report["strain"]["shear"]), {"max", "mean"})
        self.assertEqual(set(report["projection_iterations"]), {"total", "max", "mean"})
        self.assertLessEqual({"total", "mean"}, set(report["linear_iterations"]))
        self.assertEqual(set(report["energy"]), {"start", "end", "max_growth"})
        self.assertEqual(png_size(folder / "preview.png"), (96, 60))
        self.assertEqual((report["vertices"], report["constraints"], report["frames"]), (81, 144, 4))
        self.assertIs(report["certified"], True)
        self.assertLessEqual(report["max_strain"], report["tolerance"])
        with open(folder / "steps.csv", encoding="utf-8") as rows:
            self.assertEqual(len(list(csv.DictReader(rows))), report["steps"])

    def test_effective_scene_runs_to_the_same_bits(self):
        self.taut("run", "hang", *SHORT, "-o", "a")
        self.taut("run", "a/scene.json", "-o", "b", "--quiet")
        self.assertEqual(self.report("a")["state_hash"], self.report("b")["state_hash"])

    def test_threads_do_not_matter(self):
        big = [*THUMBNAIL, "--set", "cloths/0/nu=61", "--set", "cloths/0/nv=61", "--frames", 4, "--quiet"]
        for threads in (1, 2):
            self.taut("run", "hang", *big, "--threads", threads, "-o", f"t{threads}")
        one, two = self.report("t1"), self.report("t2")
        self.assertEqual((one["threads"], two["threads"]), (1, 2))
        self.assertEqual(one["state_hash"], two["state_hash"])

    def test_set_changes_the_run(self):
        self.taut("run", "hang", *SHORT, "-o", "a")
        self.taut("run", "hang", *SHORT, "-o", "b", "--set", "run/dt=1/240",
                  "--set", "filters/stable_projection/tolerance=1e-5")
        a, b = self.report("a"), self.report("b")
        self.assertEqual(b["tolerance"], 1e-5)
        self.assertGreater(b["steps"], a["steps"])
        self.assertNotEqual(a["state_hash"], b["state_hash"])

    def test_point_cache_and_obj_on_request(self):
        self.taut("run", "hang", *SHORT, "-o", "a", "--pc2", "--obj")
        data = (self.folder / "a" / "cloth.pc2").read_bytes()
        self.assertEqual(struct.unpack("<12siiffi", data[:32])[2::3], (81, 5))
        self.assertEqual(len(list((self.folder / "a" / "frames").glob("frame_*.obj"))), 5)

    def test_quiet_prints_nothing(self):
        done = self.taut("run", "hang", *SHORT)
        self.assertEqual((done.stdout, done.stderr), ("", ""))


class Progress(ProgramTest):
    """A sheet that takes long enough for the line to be drawn."""

    LONG = ["run", "hang", *THUMBNAIL, "--set", "cloths/0/nu=41", "--set", "cloths/0/nv=41", "--frames", "60"]

    def test_a_terminal_sees_one_line_redrawn(self):
        ours, theirs = pty.openpty()
        run = subprocess.Popen([PROGRAM, *self.LONG], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=theirs)
        os.close(theirs)
        shown = b""
        try:
            while chunk := os.read(ours, 4096):
                shown += chunk
        except OSError:
            pass  # the terminal is closed when the program ends
        os.close(ours)
        self.assertEqual(run.wait(timeout=60), 0)
        for word in (b"ETA", b"steps/s", b"strain", b"\r"):
            self.assertIn(word, shown)
        self.assertNotIn(b"\n", shown)

    def test_a_pipe_sees_no_control_characters(self):
        done = self.taut(*self.LONG)
        self.assertNotIn("\r", done.stderr)
        self.assertNotIn("\x1b", done.stderr)


class Refuse(ProgramTest):
    def test_bad_input_leaves_no_folder(self):
        self.write("broken.json", '{"taut": 1, "cloths": [')
        self.write("typo.json", '{"taut": 1, "cloth": []}')
        for arguments in (
            ["broken.json"],
            ["typo.json"],
            ["missing.json"],
            ["no_such_scene"],
            ["hang", "--set", "run/dt=-1"],
            ["hang", "--set", "run/dtt=1"],
            ["hang", "--set", "nonsense"],
            ["hang", "--resume"],
        ):
            done = self.taut("run", *arguments, code=BAD_INPUT)
            self.assertIn("taut: error:", done.stderr)
        self.assertEqual(self.names(), ["broken.json", "typo.json"])

    def test_a_foreign_folder_is_not_touched(self):
        (self.folder / "photos").mkdir()
        (self.folder / "photos" / "report.json").write_text("mine")
        self.taut("run", "hang", *SHORT, "-o", "photos", code=BAD_INPUT)
        self.write("file", "mine")
        self.taut("run", "hang", *SHORT, "-o", "file", code=BAD_INPUT)
        self.assertEqual([p.name for p in (self.folder / "photos").iterdir()], ["report.json"])
        self.assertEqual((self.folder / "photos" / "report.json").read_text(), "mine")

    def test_an_earlier_run_is_replaced_but_not_its_source(self):
        self.taut("run", "hang", *SHORT, "-o", "a", "--obj")
        (self.folder / "a" / "notes.txt").write_text("mine")
        self.taut("run", "a/scene.json", "-o", "a", code=BAD_INPUT)
        self.taut("run", "hang", *SMALL, "--frames", 2, "--quiet", "-o", "a")
        self.assertEqual(self.report("a")["frames"], 2)
        self.assertEqual((self.folder / "a" / "notes.txt").read_text(), "mine")
        self.assertFalse((self.folder / "a" / "frames").exists())

    def test_an_infeasible_run_ends_with_a_report(self):
        for extra in ([], ["--strict"]):
            done = self.taut("run", self.write("far.json", INFEASIBLE), "-o", "far", *extra, code=FAILED)
            self.assertIn("the run failed", done.stderr)
            self.assertIn("1.02", done.stderr)
            report = self.report("far")
            self.assertEqual(report["outcome"], "failed")
            self.assertIs(report["certified"], False)
            self.assertGreaterEqual(report["failed_steps"], 1)
            self.assertTrue((self.folder / "far" / "view.html").exists())

    def test_a_missed_promise_without_and_with_strict(self):
        go_on = ["--set", "run/stop_on_failure=false", "--set", "run/max_halvings=0"]
        scene = self.write("far.json", INFEASIBLE)
        done = self.taut("run", scene, "-o", "loose", *go_on)
        self.assertIn("NOT CERTIFIED", done.stdout)
        self.assertIn("warning", done.stderr)
        self.taut("run", scene, "-o", "strict", *go_on, "--strict", code=FAILED)
        self.assertLess(self.report("strict")["steps"], self.report("loose")["steps"])


class Show(ProgramTest):
    def setUp(self):
        super().setUp()
        self.taut("run", "hang", *SHORT, "-o", "a")

    def test_view(self):
        (self.folder / "a" / "view.html").unlink()
        self.taut("view", "a")
        self.taut("view", "a", "-o", "other.html")
        self.assertEqual((self.folder / "a" / "view.html").read_bytes(), (self.folder / "other.html").read_bytes())

    def test_render(self):
        self.taut("render", "a", "--every", 2, "--size", "160x100", "--strain", "--wireframe")
        names = sorted(path.name for path in (self.folder / "a" / "render").iterdir())
        self.assertEqual(names, ["frame_00000.png", "frame_00002.png", "frame_00004.png", "strip.png"])
        self.assertEqual(png_size(self.folder / "a" / "render" / "frame_00002.png"), (160, 100))
        self.taut("render", "a", "--every", 4, "--size", "160x100", "-o", "plain")
        self.assertNotEqual((self.folder / "plain" / "frame_00004.png").read_bytes(),
                            (self.folder / "a" / "render" / "frame_00004.png").read_bytes())

    def test_render_follows(self):
        # A sheet, a ball and a recorded mesh fly side by side: who flies along sees the same picture all the time.
        (self.folder / "mesh").mkdir()
        for number, (x, y) in enumerate(((0, 0), (0.5, 0.25))):
            corners = "".join(f"v {x + a} {y + b} {c}\n" for a, b, c in ((2, 0, 0), (2.5, 0, 0), (2, 0.5, 0), (2, 0, 0.5)))
            self.write(f"mesh/{number}.obj", corners + "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n")
        self.write("fly.json", """{"taut": 1, "cloths": [{"type": "grid", "nu": 5, "nv": 5, "velocity": [2, 1, 0]}],
            "obstacles": [{"type": "sphere", "center": [-1, 0, 0], "radius": 0.25, "motion": {"interpolation": "linear",
                "keyframes": [{"time": 0}, {"time": 0.25, "translate": [0.5, 0.25, 0]}]}},
                {"type": "mesh", "sequence": "mesh/%d.obj", "fps": 4, "interpolation": "linear"}],
            "forces": {"gravity": null, "velocity_damping": null}, "run": {"duration": 0.25}}""")
        self.taut("run", "fly.json", "--quiet", "-o", "fly", *THUMBNAIL)
        self.taut("render", "fly", "--every", 15, "--size", "160x100", "--follow", "-o", "along")
        self.taut("render", "fly", "--every", 15, "--size", "160x100", "-o", "still")

        def frame(folder, number):
            return (self.folder / folder / f"frame_{number:05}.png").read_bytes()

        self.assertEqual(frame("along", 0), frame("along", 15))
        self.assertNotEqual(frame("still", 0), frame("still", 15))

    def write_maps(self, vertices=81):
        """A map along the first row of the sheet, and from the third frame on one along the second."""
        rows = [[v for i in range(first, first + 8) for v in (i, i + 1)] for first in (0, 9)]
        maps = [{"name": name, "fixed": [row[0]], "kinds": "h" * 8, "corrections": row}
                for name, row in zip(("top", "second"), rows)]
        data = {"taut_correction_maps": 1, "vertices": vertices, "whole": True,
                "active": [[0.01, 0], [2.5 / 60, 1]], "maps": maps}
        (self.folder / "a" / "correction_maps.json").write_text(json.dumps(data))

    def frames(self, folder):
        return [(self.folder / folder / f"frame_{k:05}.png").read_bytes() for k in (0, 4)]

    def test_correction_maps(self):
        small = ["--every", 4, "--size", "160x100"]
        self.assertFalse((self.folder / "a" / "correction_maps.json").exists())
        self.taut("render", "a", *small, "-o", "plain")
        done = self.taut("render", "a", *small, "--map", "-o", "none", code=BAD_INPUT)
        self.assertIn("correction_maps.json is missing", done.stderr)
        self.assertFalse((self.folder / "none").exists())

        # The map in use changes between the two frames; a name holds for all.
        self.write_maps()
        self.taut("render", "a", *small, "--map", "-o", "now")
        self.taut("render", "a", *small, "--map", "top", "-o", "top")
        self.taut("render", *small, "--map", "second", "-o", "second", "a")
        plain, now, top, second = map(self.frames, ("plain", "now", "top", "second"))
        self.assertEqual(now[0], top[0])
        self.assertEqual(now[1], second[1])
        for k in (0, 1):
            self.assertEqual(len({plain[k], top[k], second[k]}), 3)
        done = self.taut("render", "a", "--map", "topp", code=BAD_INPUT)
        self.assertIn('did you mean "top"', done.stderr)

        self.taut("view", "a")
        self.assertIn("taut-map-1", (self.folder / "a" / "view.html").read_text())
        self.write_maps(vertices=82)
        for arguments in (["view", "a"], ["render", "a", "--map"]):
            done = self.taut(*arguments, code=BAD_INPUT)
            self.assertIn("/vertices", done.stderr)
        self.taut("render", "a", *small)

        # Another run in the folder takes them away.
        self.taut("run", "hang", *SHORT, "-o", "a", "--set", "output/preview/map=true")
        self.assertFalse((self.folder / "a" / "correction_maps.json").exists())

    def test_refusals(self):
        (self.folder / "empty").mkdir()
        for arguments in (["view", "empty"], ["view", "nowhere"], ["render", "empty"],
                          ["render", "a", "--size", "big"], ["render", "a", "--size", "0x0"]):
            self.taut(*arguments, code=BAD_INPUT)
        (self.folder / "a" / "cache.taut").write_bytes(b"not a cache")
        self.taut("view", "a", code=BAD_INPUT)
        self.assertEqual(list((self.folder / "empty").iterdir()), [])

    def test_report_is_plain_json(self):
        text = (self.folder / "a" / "report.json").read_text()
        json.loads(text, parse_constant=lambda word: self.fail(f"{word} is no JSON"))


if __name__ == "__main__":
    unittest.main()
