"""Runs are checked again from their files: good ones pass, bad ones are named, damaged ones refused."""

import json
import unittest

from program import BAD_INPUT, FAILED, SMALL, THUMBNAIL, ProgramTest

# A sheet that falls onto a ball and is kept apart from it and from itself.
ONTO_A_BALL = """{"taut": 1, "name": "onto",
    "cloths": [{"name": "sheet", "type": "grid", "nu": 13, "nv": 13}],
    "obstacles": [{"name": "ball", "type": "sphere", "center": [0.5, 0.5, -0.3], "radius": 0.2}],
    "filters": [{"type": "stable_projection", "tolerance": 0.01}, {"type": "collision", "thickness": 0.005}],
    "run": {"duration": 0.45, "fps": 60}, "output": {"cache_steps": true}}"""

# A sheet that falls through a ball, as no filter sees it.
THROUGH_A_BALL = """{"taut": 1, "name": "through",
    "cloths": [{"name": "sheet", "type": "grid", "nu": 9, "nv": 9}],
    "obstacles": [{"name": "ball", "type": "sphere", "center": [CENTER], "radius": 0.2}],
    "filters": ["stable_projection"], "run": {"duration": 0.4, "fps": 20, "dt": 0.05}}"""

# Two sheets and a ball through each other, as no filter sees it.
THREE_IN_ONE = """{"taut": 1, "name": "three", "cloths": [
        {"name": "a", "type": "grid", "nu": 9, "nv": 9},
        {"name": "b", "type": "grid", "nu": 9, "nv": 9, "place": {"rotate": [30, 0, 0], "translate": [0.03, 0, -0.2]}}],
    "obstacles": [{"name": "ball", "type": "sphere", "center": [0.5, 0.5, -0.25], "radius": 0.1}],
    "filters": ["stable_projection"], "run": {"duration": 0.1, "fps": 20, "dt": 0.05}}"""

# A sheet whose corner is pulled out before the start.
PULLED = """{"taut": 1, "name": "pulled", "cloths": [{"name": "sheet", "type": "grid", "nu": 9, "nv": 9}],
    "pins": [{"name": "corner", "group": {"nearest": [0, 0, 0]}, "offset": [-0.005, 0, 0]}],
    "run": {"duration": 0.1, "fps": 60}, "output": {"cache_steps": true}}"""


class Good(ProgramTest):
    def test_frames_and_steps(self):
        self.taut("run", "hang", *SMALL, "--frames", 6, "--cache-steps", "--quiet", "-o", "a")
        self.assertIn("steps.taut", [path.name for path in (self.folder / "a").iterdir()])
        told = self.taut("verify", "a").stdout
        self.assertIn("VERIFIED: every frame, every step and the way between", told)
        self.assertIn("strain holds the promised 0.1 %", told)
        found = json.loads(self.taut("verify", "a", "--json").stdout)
        report = self.report("a")
        self.assertTrue(found["verified"])
        self.assertEqual(found["frames"]["count"], 7)
        self.assertEqual(found["steps"]["count"], report["steps"] + 1)
        self.assertEqual(found["steps"]["max_strain"], report["max_strain"])
        self.assertEqual(found["steps"]["crossings"], 0)
        self.assertEqual(found["steps"]["pin_error"], 0)
        self.assertEqual(found["steps"]["pins"], 2 * found["steps"]["count"])
        self.assertEqual(found["list"], [])
        part = json.loads(self.taut("verify", "a", "--json", "--frames", "2..4").stdout)
        self.assertEqual((part["frames"]["first"], part["frames"]["last"], part["frames"]["count"]), (2, 4, 3))
        self.assertEqual(part["frames"]["recorded"], 7)
        self.assertAlmostEqual(part["steps"]["t_first"], part["frames"]["t_first"])

    def test_the_verdict_says_what_was_looked_at(self):
        self.taut("run", "hang", *SMALL, "--frames", 6, "--cache-steps", "--quiet", "-o", "a")

        def verdict(*options):
            lines = self.taut("verify", "a", *options).stdout.splitlines()
            return next(line for line in lines if line.startswith("VERIFIED: "))

        self.assertEqual(verdict(), "VERIFIED: every frame, every step and the way between checked")
        self.assertRegex(verdict("--frames", 2), r"^VERIFIED: frame 2 and step \d+ checked$")
        self.assertRegex(verdict("--frames", "2..4"),
                         r"^VERIFIED: frames 2 to 4, steps \d+ to \d+ and the way between checked$")
        self.assertEqual(verdict("--skip", "crossings,pins"),
                         "VERIFIED: every frame and every step checked; skipped: pins, crossings")
        found = json.loads(self.taut("verify", "a", "--json", "--skip", "crossings,pins,intersections").stdout)
        self.assertEqual(found["skipped"], ["pins", "intersections", "crossings"])
        self.assertTrue(found["whole"])
        for key in ("pins", "pin_error", "intersections", "clearance", "crossings"):
            self.assertIsNone(found["steps"][key])
        found = json.loads(self.taut("verify", "a", "--json", "--frames", "0..6").stdout)
        self.assertEqual((found["skipped"], found["whole"]), ([], False))
        for skip in ("strain,pins,intersections,crossings", "strain,pins,self,obstacles"):
            told = self.taut("verify", "a", "--skip", skip, code=BAD_INPUT).stderr
            self.assertIn("leaves nothing to check", told)
            self.assertIn("help:", told)

    def test_a_start_that_is_strained(self):
        self.write("pulled.json", PULLED)
        self.taut("run", "pulled.json", *THUMBNAIL, "--quiet", "-o", "a")
        told = self.taut("verify", "a").stdout
        self.assertIn("strain holds the promised 0.1 %", told)
        self.assertIn("The start itself is strained by 4 %, edge 0-1 of cloth 'sheet'; no step has made it.", told)
        found = json.loads(self.taut("verify", "a", "--json").stdout)
        self.assertAlmostEqual(found["start_strain"], 0.04)
        self.assertEqual(found["steps"]["max_strain"], self.report("a")["max_strain"])
        told = self.taut("verify", "a", "--frames", 0).stdout
        self.assertIn("VERIFIED: frame 0 and step 0 checked", told)

    def test_cloth_that_is_kept_apart(self):
        self.write("onto.json", ONTO_A_BALL)
        self.taut("run", "onto.json", *THUMBNAIL, "--quiet", "-o", "a")
        found = json.loads(self.taut("verify", "a", "--json").stdout)
        self.assertGreater(found["steps"]["clearance"], 0)
        self.assertLess(found["steps"]["clearance"], 0.01)

    def test_frames_only(self):
        self.taut("run", "hang", *SMALL, "--frames", 3, "--quiet", "-o", "a")
        told = self.taut("verify", "a").stdout
        self.assertIn("taut run --cache-steps", told)
        self.assertIsNone(json.loads(self.taut("verify", "a", "--json").stdout)["steps"])
        for key in ("steps.taut", "crossings"):
            self.assertNotIn(key, told)

    def test_the_scene_may_ask_for_steps(self):
        run = ["run", "hang", *SMALL, "--set", "output/cache_steps=true", "--set", "output/checkpoint_frames=2", "--quiet"]
        self.taut(*run, "--frames", 8, "-o", "whole")
        self.taut(*run, "--frames", 3, "-o", "part")
        self.taut(*run, "--frames", 8, "-o", "part", "--resume")
        steps = [(self.folder / name / "steps.taut").read_bytes() for name in ("whole", "part")]
        self.assertEqual(*steps)
        self.taut("verify", "part")

        # A run goes on recording what it has recorded, and begins with it at its start only.
        resume = ["run", "hang", *SMALL, "--set", "output/checkpoint_frames=2", "--quiet", "--frames", 10, "--resume"]
        self.taut(*resume, "-o", "part")
        self.taut("verify", "part")
        (self.folder / "whole" / "steps.taut").unlink()
        told = self.taut(*resume, "-o", "whole", "--cache-steps", code=BAD_INPUT).stderr
        self.assertIn("steps.taut is missing", told)
        self.taut(*resume, "-o", "whole")
        self.assertFalse((self.folder / "whole" / "steps.taut").exists())

        # A new run without steps leaves none behind.
        self.taut("run", "hang", *SMALL, "--quiet", "--frames", 2, "-o", "part")
        self.assertFalse((self.folder / "part" / "steps.taut").exists())


class Bad(ProgramTest):
    def test_a_ball_in_the_way(self):
        for name, center in (("inside", "0.5, 0.5, -0.25"), ("outside", "0.5, 0.5, -3")):
            self.write(name + ".json", THROUGH_A_BALL.replace("CENTER", center))
            self.taut("run", name + ".json", *THUMBNAIL, "--quiet", "-o", name)
        self.taut("verify", "outside")
        told = self.taut("verify", "inside", "--picture", "offence.png", code=FAILED).stdout
        self.assertIn("NOT VERIFIED", told)
        self.assertIn("inside obstacle 'ball'", told)
        self.assertIn('add "filters": {"collision": {}}', told)
        self.assertIn("--skip obstacles leaves out the intersections listed.", told)
        self.assertNotIn("--skip self", told)
        self.assertTrue((self.folder / "offence.png").read_bytes().startswith(b"\x89PNG"))
        nowhere = self.taut("verify", "inside", "--picture", "no_such_folder/offence.png", code=BAD_INPUT)
        self.assertIn("NOT VERIFIED", nowhere.stdout)
        self.assertIn("no_such_folder", nowhere.stderr)
        first = json.loads(self.taut("verify", "inside", "--json", code=FAILED).stdout)
        everything = json.loads(self.taut("verify", "inside", "--json", "--all", code=FAILED).stdout)
        self.assertEqual(len({offence["frame"] for offence in first["list"]}), 1)
        self.assertGreater(len(everything["list"]), len(first["list"]))
        self.assertEqual(len(everything["list"]), sum(everything["offences"].values()))
        self.assertEqual(first["list"][0]["parts"][1], {"kind": "solid", "obstacle": "ball", "vertices": []})
        parts = [json.dumps(offence["parts"]) for offence in first["list"]]
        self.assertEqual(len(parts), len(set(parts)))
        self.taut("verify", "inside", "--skip", "obstacles")

    def test_two_cloths_have_no_skip_of_their_own(self):
        self.write("three.json", THREE_IN_ONE)
        self.taut("run", "three.json", *THUMBNAIL, "--quiet", "-o", "a")
        told = self.taut("verify", "a", code=FAILED).stdout
        self.assertRegex(told, r"NOT VERIFIED: \d+ intersections\n")
        self.assertIn("--skip intersections leaves out the intersections listed.", told)
        self.taut("verify", "a", "--skip", "self,obstacles", code=FAILED)
        told = self.taut("verify", "a", "--skip", "obstacles", "--frames", "0..1", code=FAILED).stdout
        self.assertIn("Only frames 0 to 1 checked; skipped: obstacles.", told)
        self.taut("verify", "a", "--skip", "intersections")

    def test_a_missed_strain(self):
        self.taut("run", "hang", *SMALL, "--frames", 4, "--quiet", "-o", "a", "--set", "run/max_halvings=0",
                  "--set", "run/stop_on_failure=false", "--set", "filters/stable_projection/max_iterations=1", "--set",
                  "filters/stable_projection/tolerance=1e-9", "--set", "run/dt=1/60")
        report = self.report("a")
        self.assertFalse(report["certified"])
        found = json.loads(self.taut("verify", "a", "--json", "--skip", "self", code=FAILED).stdout)
        self.assertGreater(found["offences"]["strain"], 0)
        self.assertEqual(found["frames"]["max_strain"], report["max_strain"])
        self.assertIn("% promised", found["list"][0]["text"])
        self.taut("verify", "a", "--skip", "self,strain")

    def test_an_interrupted_run(self):
        self.taut("run", "hang", *SMALL, "--frames", 4, "--quiet", "-o", "a")
        cache = self.folder / "a" / "cache.taut"
        cache.write_bytes(cache.read_bytes()[:-100])
        told = self.taut("verify", "a", code=FAILED).stdout
        self.assertIn("NOT VERIFIED: frames or steps missing or wrong\n", told)
        self.assertIn("the file ends within frame 4", told)
        self.assertIn("the scene asks for frames 0 to 4", told)
        self.assertIn("VERIFIED: frames 0 to 3 checked", self.taut("verify", "a", "--frames", "0..3").stdout)


class Refuse(ProgramTest):
    def test_words_and_files(self):
        self.taut("run", "hang", *SMALL, "--frames", 3, "--quiet", "-o", "a", "--cache-steps")
        self.assertIn("no such folder", self.taut("verify", "none", code=BAD_INPUT).stderr)
        for frames in ("3..9", "x", "2..1", "1.5", ""):
            self.assertIn("--frames", self.taut("verify", "a", f"--frames={frames}", code=BAD_INPUT).stderr)
        told = self.taut("verify", "a", "--skip", "strian", code=BAD_INPUT).stderr
        self.assertIn("did you mean strain?", told)
        for name, place in (("steps.taut", "steps.taut"), ("cache.taut", "frame 3")):
            file = self.folder / "a" / name
            data = bytearray(file.read_bytes())
            data[-100] ^= 1
            file.write_bytes(data)
            self.assertIn(place, self.taut("verify", "a", code=BAD_INPUT).stderr)

    def test_files_in_each_others_place(self):
        self.taut("run", "hang", *SMALL, "--frames", 3, "--quiet", "-o", "a", "--cache-steps")
        frames, steps = self.folder / "a" / "cache.taut", self.folder / "a" / "steps.taut"
        told_of = {frames: "holds steps where frames belong", steps: "holds frames where steps belong"}
        for file, other in ((frames, steps), (steps, frames)):
            data = file.read_bytes()
            file.write_bytes(other.read_bytes())
            told = self.taut("verify", "a", code=BAD_INPUT).stderr
            for word in (file.name, told_of[file], "help:"):
                self.assertIn(word, told)
            for size in (8, 50):
                file.write_bytes(data[:size])
                told = self.taut("verify", "a", code=BAD_INPUT).stderr
                self.assertIn("run the scene again", told)
            file.write_bytes(data)
        self.taut("verify", "a")


if __name__ == "__main__":
    unittest.main()
