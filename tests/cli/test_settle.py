"""Scenes brought to rest: the files, the numbers, the exit codes, and going on from rest."""

import json
import signal
import time

from program import BAD_INPUT, FAILED, SMALL, THUMBNAIL, ProgramTest


class Settle(ProgramTest):
    def test_a_sheet_comes_to_rest(self):
        told = self.taut("settle", "hang", *SMALL, "-o", "a").stdout
        self.assertIn("AT REST", told)
        names = [path.name for path in (self.folder / "a").iterdir()]
        for name in ("view.html", "preview.png", "report.json", "steps.csv", "scene.json", "cache.taut", "settled.obj"):
            self.assertIn(name, names)
        settle = self.report("a")["settle"]
        self.assertTrue(settle["at_rest"])
        self.assertLessEqual(settle["residual"], 1e-3)
        self.assertEqual(settle["steps"], self.report("a")["steps"])
        self.assertIn("VERIFIED", self.taut("verify", "a", "--skip", "self").stdout)

    def test_going_on_from_rest_changes_next_to_nothing(self):
        self.taut("settle", "hang", *SMALL, "-o", "a", "--quiet")
        start = ["--set", 'cloths/0/initial={"type": "obj", "file": "%s/a/settled.obj"}' % self.folder]
        start += ["--set", "cloths/0/place/translate=[0, 0, 0]"]
        self.taut("run", "hang", *SMALL, *start, "-o", "b", "--quiet", "--frames", 30)
        before, after = self.report("a")["settle"]["energy"], self.report("b")["energy"]["end"]
        self.assertAlmostEqual(after, before, delta=1e-4 * before)

    def test_what_is_not_at_rest_is_said(self):
        told = self.taut("settle", "hang", *SMALL, "-o", "a", "--max-steps", 5, code=FAILED)
        self.assertIn("NOT AT REST", told.stdout)
        self.assertIn("not at rest after 5 steps", told.stderr)
        self.assertFalse(self.report("a")["settle"]["at_rest"])

    def test_bad_input_writes_nothing(self):
        for bad in (["--tolerance", "0"], ["--at", "-1"], ["--max-steps", "0"], ["--damping", "none"]):
            self.taut("settle", "hang", *bad, "-o", "a", code=BAD_INPUT)
        self.taut("settle", "nothing_of_that_name", code=BAD_INPUT)
        self.assertEqual(self.names(), [])

    def test_every_cloth_has_its_file_and_an_earlier_one_goes(self):
        scene = json.dumps(
            {
                "taut": 1,
                "name": "two",
                "cloths": [
                    {"name": name, "type": "grid", "nu": 5, "nv": 5, "place": {"translate": [2 * k, 0, 0]}}
                    for k, name in enumerate(["left", "right"])
                ],
                "pins": [
                    {"name": name, "group": {"cloth": name, "corner": ["u0v0", "u1v0"]}} for name in ("left", "right")
                ],
                "run": {"duration": 1, "fps": 60},
            }
        )
        self.write("two.json", scene)
        self.taut("settle", "two.json", *THUMBNAIL, "-o", "a", "--quiet")
        names = [path.name for path in (self.folder / "a").iterdir()]
        for name in ("settled.obj", "settled_left.obj", "settled_right.obj"):
            self.assertIn(name, names)
        self.taut("settle", "hang", *SMALL, "-o", "a", "--quiet")
        self.assertNotIn("settled_left.obj", [path.name for path in (self.folder / "a").iterdir()])

    def test_what_moves_is_moved_first(self):
        moving = ["--set", 'pins/0/motion={"keyframes": [{"time": 0}, {"time": 0.5, "translate": [0, 0, 0.2]}]}']
        self.taut("settle", "hang", *SMALL, *moving, "--set", "run/duration=0.6", "-o", "a", "--quiet")
        report = self.report("a")
        self.assertGreater(report["steps"], report["settle"]["steps"] + 30)
        self.assertIn("VERIFIED", self.taut("verify", "a", "--skip", "self").stdout)

    def test_ctrl_c_leaves_whole_files(self):
        process = self.start("settle", "drape", "-o", "a", *THUMBNAIL, "--quiet")
        for _ in range(200):
            if (self.folder / "a" / "steps.csv").exists():
                break
            time.sleep(0.05)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=60), FAILED)
        process.communicate()
        self.assertFalse(self.report("a")["settle"]["at_rest"])
        self.assertTrue((self.folder / "a" / "settled.obj").exists())
