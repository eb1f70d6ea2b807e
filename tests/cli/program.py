"""The built program, called from a folder of its own that is thrown away after each test."""

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

PROGRAM = os.environ.get("TAUT_PROGRAM", "taut")
VERSION = os.environ.get("TAUT_VERSION", "")

GOOD, FAILED, BAD_INPUT = 0, 1, 2

# A picture that is drawn at once.
THUMBNAIL = ["--set", "output/preview/width=96", "--set", "output/preview/height=60"]

# A sheet small enough for a run to take a fraction of a second.
SMALL = ["--set", "cloths/0/nu=9", "--set", "cloths/0/nv=9", *THUMBNAIL]


class ProgramTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def start(self, *arguments):
        return subprocess.Popen(
            [PROGRAM, *map(str, arguments)],
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def taut(self, *arguments, code=GOOD):
        """Runs the program, expects the exit code, returns what it printed."""
        done = subprocess.run(
            [PROGRAM, *map(str, arguments)],
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        told = f"taut {' '.join(map(str, arguments))}\n{done.stdout}\n{done.stderr}"
        self.assertEqual(done.returncode, code, told)
        return done

    def report(self, folder):
        return json.loads((self.folder / folder / "report.json").read_text())

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def names(self):
        return sorted(path.name for path in self.folder.iterdir())
