"""taut fabric: numbers, charts and JSON of fabrics, and runs of scenes that name them."""

import json
import unittest

from program import BAD_INPUT, SMALL, ProgramTest

NAMES = ("cotton", "denim", "polyester_cotton", "silk", "wool")
TESTS = ("bending_warp", "bending_weft", "shear")

KES = """{"taut_fabric": 1, "source": "a test", "density": 0.2,
 "bending": {"units": "KES", "B": 0.1, "2HB": 0.04}, "shear": {"units": "KES", "G": 0.8, "2HG": 0.9, "2HG5": 0.9}}"""


def fabric_scene(fabric, more=""):
    return ('{"taut": 1, "cloths": [{"type": "grid", "nu": 9, "nv": 9, "material": {"fabric": "%s"%s}}], '
            '"pins": [{"group": {"corner": ["u0v0", "u1v0"]}}]}' % (fabric, more))


class Fabric(ProgramTest):
    def test_list(self):
        listed = self.taut("fabric", "--list").stdout
        for name in NAMES:
            self.assertIn(f"  {name} ", listed)
        self.assertIn("built-in fabrics", self.taut("info").stdout)
        self.assertIn("wool (built-in fabric)", self.taut("info", "wool").stdout)
        self.assertEqual(self.names(), [])

    def test_numbers(self):
        for name in NAMES:
            text = self.taut("fabric", name).stdout
            for words in ("synthetic: ", "kg/m^2", "gf.cm^2/cm", "gf/(cm.deg)", "bending B, warp", "loop 2HG5", "rms"):
                self.assertIn(words, text)
        self.assertEqual(self.names(), [])

    def test_charts(self):
        told = self.taut("fabric", "wool", "-o", "plots/wool").stdout
        names = ["wool.png", *(f"wool_{test}{end}" for test in TESTS for end in (".png", ".svg"))]
        self.assertEqual(sorted(path.name for path in (self.folder / "plots").iterdir()), sorted(names))
        for name in names:
            self.assertIn(f"wrote plots/{name}", told)
        svg = (self.folder / "plots" / "wool_shear.svg").read_text()
        self.assertIn("<svg", svg)

        # The same numbers draw the same bytes.
        before = (self.folder / "plots" / "wool.png").read_bytes()
        self.taut("fabric", "wool", "-o", "plots/wool")
        self.assertEqual((self.folder / "plots" / "wool.png").read_bytes(), before)

    def test_json(self):
        told = json.loads(self.taut("fabric", "denim", "--json").stdout)
        self.assertEqual((told["name"], told["density"], told["units"]), ("denim", 0.42, "SI"))
        for test in (told["bending"]["warp"], told["bending"]["weft"], told["shear"]):
            self.assertEqual(test["given"], "points")
            self.assertLess(test["fit"]["cycle"]["rms"], 0.03)
            self.assertGreater(test["curve"]["slope"], 0)
        self.assertGreater(told["bending"]["warp"]["B"], told["bending"]["weft"]["B"])

    def test_a_file_of_parameters(self):
        self.write("mine.json", KES)
        told = json.loads(self.taut("fabric", "mine.json", "--json", "-o", "m").stdout)
        self.assertAlmostEqual(told["bending"]["weft"]["B"], 0.1 * 9.80665e-5, 12)
        self.assertAlmostEqual(told["bending"]["weft"]["2HB"], 0.04 * 9.80665e-3, 12)
        self.assertNotIn("fit", told["shear"])
        self.assertEqual(len(told["pictures"]), 7)
        text = self.taut("fabric", "mine.json").stdout
        self.assertIn("KES parameters", text)
        self.assertIn("not given", text)

    def test_bench(self):
        self.write("mine.json", KES)
        told = self.taut("fabric", "mine.json", "--bench", "--seeds", 1, "--across", "12", "-o", "bench").stdout
        for words in ("bending, warp", "shear in a picture frame", "warp, B alone", "coefficient", "mean of 1"):
            self.assertIn(words, told)
        report = json.loads((self.folder / "bench" / "bench.json").read_text())
        for sample in report["samples"].values():
            self.assertTrue(sample["balanced"])
            self.assertLess(sample["largest"], 0.01)  # the data are the curve itself
        for name in ("warp, B alone", "weft, B alone"):
            cantilever = report["cantilevers"][name]
            self.assertLess(abs(cantilever["bending_length"] / cantilever["cube_root"] - 1), 0.05)
        self.assertTrue(0 < report["drapes"][0]["coefficient"] < 1)
        for name in ("bending_warp.png", "shear.svg", "cantilever.png", "drape_12.png"):
            self.assertTrue((self.folder / "bench" / name).is_file(), name)

    def test_bad_benches(self):
        self.assertIn("did you mean shear?", self.taut("fabric", "wool", "--bench", "--tests", "sheer", code=BAD_INPUT).stderr)
        self.assertIn("--bench", self.taut("fabric", "wool", "--seeds", 2, code=BAD_INPUT).stderr)
        self.taut("fabric", "wool", "--bench", "--across", "21", "--tests", "drape", code=BAD_INPUT)
        self.assertEqual(self.names(), [])

    def test_bad_command_lines(self):
        self.assertIn("--list", self.taut("fabric", code=BAD_INPUT).stderr)
        self.assertIn("did you mean 'cotton'?", self.taut("fabric", "coton", code=BAD_INPUT).stderr)
        self.taut("fabric", "nowhere.json", code=BAD_INPUT)
        self.assertEqual(self.names(), [])


class Scenes(ProgramTest):
    def test_check_and_run(self):
        scene = self.write("s.json", fabric_scene("denim"))
        self.assertIn("fabric of 'cloth0': denim", self.taut("check", scene).stdout)
        told = json.loads(self.taut("check", scene, "--json").stdout)
        self.assertEqual([entry["fabric"] for entry in told["fabrics"]], ["denim"])
        self.taut("run", scene, *SMALL, "--frames", 4, "--quiet", "-o", "a")
        self.taut("run", "a/scene.json", "--frames", 4, "--quiet", "-o", "b")
        self.assertEqual(self.report("a")["state_hash"], self.report("b")["state_hash"])
        self.taut("run", scene, *SMALL, "--set", "cloths/0/material/fabric=silk", "--frames", 4, "--quiet", "-o", "c")
        self.assertNotEqual(self.report("a")["state_hash"], self.report("c")["state_hash"])

    def test_resuming_with_another_fabric(self):
        self.write("mine.json", KES)
        scene = self.write("s.json", fabric_scene("mine.json", ', "density": 0.2'))
        run = ("run", scene, *SMALL, "--quiet", "-o", "a")
        self.taut(*run, "--frames", 3)
        self.taut(*run, "--frames", 4, "--resume")
        self.write("mine.json", KES.replace('"B": 0.1', '"B": 0.2'))
        self.assertIn("another scene", self.taut(*run, "--frames", 5, "--resume", code=BAD_INPUT).stderr)


if __name__ == "__main__":
    unittest.main()
