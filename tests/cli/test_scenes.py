"""taut new and taut check: starters that run, scenes that are refused, pins that cannot be reached."""

import json
import re
import unittest

from program import BAD_INPUT, SMALL, THUMBNAIL, ProgramTest

HEAD = '{"taut": 1, "cloths": [{"name": "sheet", "type": "grid", "nu": 9, "nv": 9}]'

# Pins at the corners of one side of a 1 m sheet, `gap` metres apart.
PINNED = (
    HEAD
    + ', "pins": [{"name": "left", "group": {"corner": "u0v0"}},'
    + ' {"name": "right", "group": {"corner": "u1v0"}, "offset": [%g, 0, 0]}]}'
)


def template_names(listing):
    return re.findall(r"^  (\w+) ", listing, flags=re.MULTILINE)


class New(ProgramTest):
    def test_every_template_checks_and_runs(self):
        names = template_names(self.taut("new").stdout)
        self.assertGreaterEqual(len(names), 2)
        for name in names:
            self.taut("new", name, "-o", f"{name}/scene.json")
            self.assertIn("//", (self.folder / name / "scene.json").read_text(), "a starter has comments")
            self.taut("check", f"{name}/scene.json")
            self.taut("run", f"{name}/scene.json", "-o", f"out_{name}", "--frames", 2, "--strict", "--quiet", *THUMBNAIL)

    def test_does_not_overwrite(self):
        name = template_names(self.taut("new").stdout)[0]
        self.write("mine.json", "precious")
        self.taut("new", name, "-o", "mine.json", code=BAD_INPUT)
        self.assertEqual((self.folder / "mine.json").read_text(), "precious")
        self.taut("new", name, "-o", "mine.json", "--force")
        self.assertNotEqual((self.folder / "mine.json").read_text(), "precious")

    def test_default_file_and_terminal(self):
        name = template_names(self.taut("new").stdout)[0]
        self.taut("new", name)
        self.assertIn(f"{name}.json", self.names())
        shown = self.taut("new", name, "-o", "-").stdout
        self.assertEqual(shown, (self.folder / f"{name}.json").read_text())

    def test_unknown_template(self):
        self.taut("new", "no_such_template", code=BAD_INPUT)
        self.assertEqual(self.names(), [])


class Methods(ProgramTest):
    def test_every_method_runs_in_its_scene(self):
        for name in ("icd", "sap", "shake", "rattle", "jacobi", "gauss_seidel", "xpbd", "rate_limit", "springs"):
            promised = name not in ("rate_limit", "springs")
            strict = ["--strict"] if promised else []
            self.taut("run", f"hang_{name}", "-o", name, "--frames", 3, *strict, "--quiet", *THUMBNAIL)
            self.assertIs(self.report(name)["certified"], promised, name)


class Check(ProgramTest):
    def test_built_in_scenes_are_sound(self):
        for name in ("hang", "hang_edge", "hang_corner", "drape", "drape_polygon", "chain"):
            self.assertIn("ready to run", self.taut("check", name).stdout)

    def test_a_taut_row_is_named(self):
        text = self.taut("check", "hang_taut").stdout
        self.assertRegex(text, r"(warning|note):.*rigid")

    def test_pins_too_far_apart(self):
        far = self.write("far.json", PINNED % 0.02)
        text = self.taut("check", far, code=BAD_INPUT).stdout
        self.assertIn("error:", text)
        for word in ("'left'", "'right'", "1.02", "/pins/"):
            self.assertIn(word, text)
        self.taut("check", self.write("near.json", PINNED % -0.02))

    def test_degrees_of_freedom_are_counted(self):
        text = self.taut("check", "locking").stdout
        self.assertIn("'quads': 1 323 coordinates - 6 pinned - 840 lengths = 477", text)
        self.assertIn("'triangles': 1 323 coordinates - 6 pinned - 1 240 lengths = 77", text)
        self.assertRegex(text, r"warning: cloth 'triangles' locks")
        found = json.loads(self.taut("check", "locking", "--json").stdout)["freedom"]
        self.assertEqual([(cloth["cloth"], cloth["left"]) for cloth in found], [("quads", 477), ("triangles", 77)])

    def test_cloths_side_by_side_are_noted(self):
        text = self.taut("check", "locking").stdout
        self.assertIn("note: cloths 'quads' and 'triangles' would pass through each other if they met", text)

    def test_json(self):
        found = json.loads(self.taut("check", self.write("far.json", PINNED % 0.02), "--json", code=BAD_INPUT).stdout)
        self.assertGreaterEqual(found["errors"], 1)
        self.assertIn("error", [finding["severity"] for finding in found["findings"]])
        found = json.loads(self.taut("check", "hang", "--json", "--set", "run/dtt=1", code=BAD_INPUT).stdout)
        self.assertIn("dtt", json.dumps(found))
        self.assertEqual(json.loads(self.taut("check", "hang", "--json").stdout)["errors"], 0)

    def test_refusals_name_file_place_and_remedy(self):
        scene = self.write("bad.json", HEAD + ', "integrator": "bdf3"}')
        told = self.taut("check", scene, code=BAD_INPUT).stderr
        for word in ("bad.json", "/integrator", "bdf3", "bdf2"):
            self.assertIn(word, told)
        self.assertIn("did you mean 'hang'", self.taut("check", "hangg", code=BAD_INPUT).stderr)
        self.assertIn("missing.json", self.taut("check", "missing.json", code=BAD_INPUT).stderr)

    def test_fractions_in_overrides(self):
        self.taut("check", "hang", "--set", "run/dt=1/60")
        self.assertIn("--set run/dt=-", self.taut("check", "hang", "--set", "run/dt=-1/60", code=BAD_INPUT).stderr)


class Tangles(ProgramTest):
    # Two sheets through each other.
    SCENE = (
        '{"taut": 1, "cloths": [{"name": "low", "type": "grid", "nu": 9, "nv": 9, "width": 0.4, "height": 0.4},'
        ' {"name": "high", "type": "grid", "nu": 8, "nv": 8, "width": 0.3, "height": 0.3,'
        ' "place": {"translate": [0.05, 0.06, -0.04], "rotate": [20, -14, 10]}}],'
        ' "filters": {"collision": {"tangles": "%s"}}}'
    )

    def test_a_start_that_intersects_is_refused_and_drawn(self):
        self.write("scene.json", self.SCENE % "stop")
        done = self.taut("run", "scene.json", "-o", "out", code=BAD_INPUT)
        self.assertRegex(done.stderr, r"face \d+ of cloth 'low' and face \d+ of cloth 'high' near \(")
        self.assertEqual(self.names(), ["scene.json"])
        self.taut("check", "scene.json", "--picture", "start.png", *THUMBNAIL, code=BAD_INPUT)
        self.assertEqual((self.folder / "start.png").read_bytes()[1:4], b"PNG")

    def test_it_can_be_untangled(self):
        self.write("scene.json", self.SCENE % "untangle")
        told = self.taut("run", "scene.json", "-o", "out", "--frames", 5, *THUMBNAIL).stdout
        self.assertRegex(told, r"start .*pairs of triangles untangled in \d+ moves")
        self.assertIn("untangled", self.report("out")["start"])
        self.taut("verify", "out")

    def test_it_can_go_on_exempt(self):
        self.write("scene.json", self.SCENE % "exempt")
        done = self.taut("run", "scene.json", "-o", "out", "--frames", 2, *THUMBNAIL)
        self.assertGreater(self.report("out")["intersections"], 0)
        self.assertIn("see collisions", done.stdout)
        self.assertRegex(done.stdout, r"\ncollisions +\d+ intersections at most \(\d+ at the end\)")
        self.assertIn("the run ends with", done.stderr)
        self.taut("verify", "out", code=1)
        self.taut("run", "scene.json", "-o", "out", "--frames", 2, "--quiet", "--strict", *THUMBNAIL, code=1)

    def test_a_failure_leaves_a_picture(self):
        self.write("scene.json", (
            '{"taut": 1, "cloths": [{"name": "sheet", "type": "grid", "nu": 4, "nv": 4, "width": 0.1, "height": 0.1}],'
            ' "obstacles": [{"name": "press", "type": "box", "center": [0.05, 0.05, 0.1], "size": [0.2, 0.2, 0.1],'
            ' "motion": {"keyframes": [{"time": 0}, {"time": 0.1, "translate": [0, 0, -0.2]}]}},'
            ' {"name": "table", "type": "box", "center": [0.05, 0.05, -0.06], "size": [0.2, 0.2, 0.1]}],'
            ' "filters": {"collision": {}}, "run": {"duration": 0.2, "max_halvings": 1}}'))
        told = self.taut("run", "scene.json", "-o", "out", *THUMBNAIL, code=1)
        self.assertIn("failure.png", told.stdout)
        self.assertTrue((self.folder / "out" / "failure.png").exists())


class Jitter(ProgramTest):
    def test_seeds_differ_and_repeat(self):
        for name, seed in (("a", 1), ("b", 1), ("c", 2)):
            self.taut("run", "hang", "-o", name, "--frames", 1, "--quiet", *SMALL, "--set", "run/jitter=0.1",
                      "--set", f"run/seed={seed}")
        self.assertEqual(self.report("a")["state_hash"], self.report("b")["state_hash"])
        self.assertNotEqual(self.report("a")["state_hash"], self.report("c")["state_hash"])


if __name__ == "__main__":
    unittest.main()
