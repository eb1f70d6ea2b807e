"""Interrupted and killed runs go on bitwise; other scenes and damaged checkpoints are refused."""

import signal
import time
import unittest

from program import BAD_INPUT, FAILED, SMALL, THUMBNAIL, ProgramTest

# Long enough to be interrupted on the way, short enough to be run a few times.
SIZE = ["--set", "cloths/0/nu=31", "--set", "cloths/0/nv=31", "--set", "output/checkpoint_frames=5", *THUMBNAIL, "--quiet"]
FRAMES = 60


class Resume(ProgramTest):
    def whole(self):
        """The run that was never interrupted."""
        self.taut("run", "hang", *SIZE, "--frames", FRAMES, "-o", "whole")
        return self.report("whole")

    def wait_for_rows(self, folder, rows):
        file = self.folder / folder / "steps.csv"
        for _ in range(2000):
            if file.exists() and file.read_text().count("\n") > rows:
                return
            time.sleep(0.005)
        self.fail(f"{file} never had {rows} rows")

    def check_same(self, whole, folder):
        part = self.report(folder)
        for key in ("state_hash", "steps", "frames", "max_strain", "certified", "energy", "projection_iterations"):
            self.assertEqual(part[key], whole[key], key)
        for name in ("cache.taut",):
            self.assertEqual((self.folder / folder / name).read_bytes(), (self.folder / "whole" / name).read_bytes())
        lines = [len((self.folder / f / "steps.csv").read_text().splitlines()) for f in (folder, "whole")]
        self.assertEqual(*lines)

    def test_interrupt_and_resume(self):
        whole = self.whole()
        run = self.start("run", "hang", *SIZE, "--frames", FRAMES, "-o", "part")
        self.wait_for_rows("part", 8)
        run.send_signal(signal.SIGINT)
        _, told = run.communicate(timeout=60)
        self.assertEqual(run.returncode, FAILED, told)
        self.assertIn("--resume", told)
        report = self.report("part")
        self.assertEqual(report["outcome"], "interrupted")
        self.assertLess(report["steps"], whole["steps"])
        self.taut("view", "part")
        self.taut("run", "hang", *SIZE, "--frames", FRAMES, "-o", "part", "--resume")
        self.check_same(whole, "part")

    def test_interrupt_at_once_and_resume(self):
        whole = self.whole()
        run = self.start("run", "hang", *SIZE, "--frames", FRAMES, "-o", "part")
        self.wait_for_rows("part", 0)
        run.send_signal(signal.SIGTERM)
        _, told = run.communicate(timeout=60)
        self.assertEqual(run.returncode, FAILED, told)
        self.assertEqual(self.report("part")["outcome"], "interrupted")
        self.taut("view", "part")
        self.taut("run", "hang", *SIZE, "--frames", FRAMES, "-o", "part", "--resume")
        self.check_same(whole, "part")

    def test_kill_and_resume(self):
        whole = self.whole()
        run = self.start("run", "hang", *SIZE, "--frames", FRAMES, "-o", "part")
        self.wait_for_rows("part", 20)
        run.kill()
        run.communicate(timeout=60)
        self.taut("run", "hang", *SIZE, "--frames", FRAMES, "-o", "part", "--resume")
        self.check_same(whole, "part")

    def test_longer_and_already_finished(self):
        whole = self.whole()
        self.taut("run", "hang", *SIZE, "--frames", FRAMES // 2, "-o", "part")
        self.taut("run", "hang", *SIZE, "--frames", FRAMES, "-o", "part", "--resume")
        self.check_same({**whole}, "part")
        self.taut("run", "hang", *SIZE, "--frames", FRAMES, "-o", "part", "--resume")
        self.assertEqual(self.report("part")["state_hash"], whole["state_hash"])


class Refuse(ProgramTest):
    def setUp(self):
        super().setUp()
        self.taut("run", "hang", *SMALL, "--frames", 4, "--quiet", "-o", "a")

    def resume(self, *extra, code):
        return self.taut("run", "hang", *SMALL, "--frames", 8, "--quiet", "-o", "a", "--resume", *extra, code=code)

    def test_another_scene(self):
        before = (self.folder / "a" / "report.json").read_bytes()
        self.assertIn("another scene", self.resume("--set", "run/dt=0.001", code=BAD_INPUT).stderr)
        self.taut("run", "hang_edge", *SMALL, "-o", "a", "--resume", code=BAD_INPUT)
        self.assertEqual((self.folder / "a" / "report.json").read_bytes(), before)

    def test_damaged_checkpoints(self):
        for name in ("checkpoint.a", "checkpoint.b"):
            file = self.folder / "a" / name
            if file.exists():
                data = bytearray(file.read_bytes())
                data[len(data) // 2] ^= 1
                file.write_bytes(data)
        self.assertIn("checkpoint", self.resume(code=BAD_INPUT).stderr)

    def test_no_checkpoint(self):
        for name in ("checkpoint.a", "checkpoint.b"):
            (self.folder / "a" / name).unlink(missing_ok=True)
        self.resume(code=BAD_INPUT)


if __name__ == "__main__":
    unittest.main()
