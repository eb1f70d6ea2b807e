"""taut compare and taut calibrate: methods side by side at one strain, springs for a wanted strain."""

import csv
import json
import unittest

from program import BAD_INPUT, FAILED, SMALL, ProgramTest

METHODS = ("stable_projection fast_projection icd sap shake rattle strain_limit_jacobi strain_limit_gauss_seidel "
           "xpbd").split()


class Compare(ProgramTest):
    def compare(self, *arguments, code=0):
        done = self.taut("compare", *arguments, "-o", "c", *SMALL, code=code)
        return done, json.loads((self.folder / "c" / "compare.json").read_text())

    def test_every_method(self):
        done, told = self.compare("hang", "--filters", ",".join(METHODS), "--strain", "5%", "--frames", 6)
        self.assertEqual([run["name"] for run in told["runs"]], METHODS)
        self.assertEqual((told["tolerance"], told["vertices"]), (0.05, 81))
        for run in told["runs"]:
            self.assertEqual(run["outcome"], "finished", run["name"])
            self.assertEqual(run["reached"], run["max_strain"] <= 0.05)
            self.assertTrue((self.folder / "c" / run["folder"] / "cache.taut").is_file())
            self.assertIn(run["name"], done.stdout)
        self.assertTrue(told["runs"][0]["reached"])
        for name in ("strain", "time", "energy", "iterations"):
            self.assertTrue((self.folder / "c" / f"{name}.svg").is_file())
            self.assertTrue((self.folder / "c" / f"{name}.png").is_file())
        page = (self.folder / "c" / "compare.html").read_text()
        for method in METHODS:
            self.assertIn(method, page)
        rows = list(csv.reader((self.folder / "c" / "compare.csv").read_text().splitlines()))
        self.assertEqual([row[0] for row in rows], ["method", *METHODS])
        self.assertEqual(len({len(row) for row in rows}), 1)

    def test_a_method_that_cannot_is_shown_with_what_it_reached(self):
        done, told = self.compare("hang", "--filters", "stable_projection,xpbd+filters/xpbd/substeps=1", "--strain",
                                  "0.1%", "--frames", 4)
        self.assertEqual([run["reached"] for run in told["runs"]], [True, False])
        self.assertGreater(told["runs"][1]["max_strain"], 0.001)
        self.assertIn("not 0.1 %", done.stdout)

    def test_springs_are_calibrated_and_keep_their_settings(self):
        _, told = self.compare("hang", "--filters", "stable_projection,stiff_springs+integrator/max_iterations=7",
                               "--strain", "2%", "--frames", 6)
        springs = told["runs"][1]
        self.assertTrue(springs["reached"])
        self.assertGreater(springs["stiffness"], 0)
        scene = json.loads((self.folder / "c" / springs["folder"] / "scene.json").read_text())
        self.assertEqual(scene["integrator"], {"type": "backward_euler", "max_iterations": 7, "tolerance": 0.001})
        self.assertEqual(scene["forces"][-1], {"type": "stiff_springs", "stiffness": springs["stiffness"], "group": "step"})

    def test_a_limit_on_time_ends_a_method(self):
        _, told = self.compare("hang", "--filters", "stable_projection", "--limit", "1e-6")
        self.assertEqual(told["runs"][0]["outcome"], "interrupted")
        self.assertIn("limit", told["runs"][0]["verdict"])

    def test_twice_into_one_folder(self):
        self.compare("hang", "--filters", "stable_projection", "--frames", 2)
        _, told = self.compare("hang", "--filters", "fast_projection", "--frames", 2)
        self.assertEqual([run["name"] for run in told["runs"]], ["fast_projection"])

    def test_bad_input(self):
        for arguments, words in (
                (["hang", "--filters", "stable_projektion"], ["stable_projektion", "did you mean"]),
                (["hang", "--filters", "contact"], ["contact", "--filter"]),
                (["hang", "--filters", "icd,icd"], ["icd", "twice"]),
                (["hang", "--strain", "-1"], ["--strain", "-1"]),
                (["hang", "--limit", "soon"], ["--limit", "soon"]),
                (["no_such_scene"], ["no_such_scene"]),
        ):
            done = self.taut("compare", *arguments, code=BAD_INPUT)
            for word in words:
                self.assertIn(word, done.stderr)
        (self.folder / "full").mkdir()
        (self.folder / "full" / "mine.txt").write_text("mine")
        done = self.taut("compare", "hang", "-o", "full", code=BAD_INPUT)
        self.assertIn("not a comparison", done.stderr)
        self.assertEqual(self.names(), ["full"])


class Calibrate(ProgramTest):
    def test_finds_springs(self):
        done = self.taut("calibrate", "chain", "--strain", "1%", "--set", "run/duration=0.2")
        self.assertIn("stiff_springs", done.stdout)
        stiffness = json.loads("{" + done.stdout.split("scene:  ")[1] + "}")["forces"]["stiff_springs"]["stiffness"]
        self.assertGreater(stiffness, 0)
        self.assertEqual(self.names(), [])

    def test_says_where_it_fails(self):
        done = self.taut("calibrate", "hang", "--strain", "0.01%", "--tries", 1, *SMALL, code=FAILED)
        self.assertIn("no stiffness", done.stderr)

    def test_needs_a_strain(self):
        scene = self.write("s.json", '{"taut": 1, "cloths": [{"name": "a", "type": "grid"}], "preset": '
                                     '"implicit_springs"}')
        done = self.taut("calibrate", scene, code=BAD_INPUT)
        self.assertIn("--strain", done.stderr)


if __name__ == "__main__":
    unittest.main()
