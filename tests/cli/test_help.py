"""Help, version, exit codes of the command line, and the commands that only tell."""

import json
import unittest

from program import BAD_INPUT, VERSION, ProgramTest

COMMANDS = ("run", "settle", "check", "info", "new", "view", "render", "verify", "bench", "compare", "calibrate",
            "fabric")


class Help(ProgramTest):
    def test_every_command_has_help_with_examples(self):
        top = self.taut("--help").stdout
        for command in COMMANDS:
            self.assertIn(command, top)
            text = self.taut(command, "--help").stdout
            self.assertIn("Examples:", text)
            self.assertIn(f"taut {command}", text)

    def test_version(self):
        self.assertTrue(self.taut("--version").stdout.startswith(f"taut {VERSION}"))

    def test_bad_command_lines(self):
        for arguments in (
            [],
            ["rum", "hang"],
            ["run"],
            ["run", "hang", "--no-such-option"],
            ["run", "hang", "--threads", "0"],
            ["run", "hang", "--threads", "many"],
            ["run", "hang", "--frames", "-3"],
            ["run", "hang", "extra"],
            ["check", "hang", "--picture", ""],
            ["check", "hang", "--picture", "start.jpg"],
            ["render"],
            ["render", ".", "--every", "0"],
            ["info", "--schema", "--markdown"],
            ["bench"],
        ):
            done = self.taut(*arguments, code=BAD_INPUT)
            self.assertIn("taut: error:", done.stderr, arguments)
            self.assertIn("--help", done.stderr, arguments)
        self.assertEqual(self.names(), [])

    def test_a_mistyped_command_gets_the_nearest(self):
        self.assertIn("did you mean 'render'", self.taut("rendr", "x", code=BAD_INPUT).stderr)


class Info(ProgramTest):
    def test_lists_every_kind(self):
        text = self.taut("info").stdout
        for name in ("grid", "gravity", "bdf2", "stable_projection", "fast_projection", "yarn_cg", "ldlt", "hang"):
            self.assertIn(name, text)

    def test_parameters_with_unit_default_and_range(self):
        text = self.taut("info", "shear_springs").stdout
        self.assertIn("stiffness: number [N/m], default 0.05", text)
        self.assertIn("allowed: >= 0", text)
        self.assertIn("stable_projection (filter)", self.taut("info", "filters").stdout)

    def test_parts_of_a_scene_and_parameters_are_found(self):
        self.assertIn("parts of a scene", self.taut("info").stdout)
        for name, words in (("pins", "attach: text"), ("seam", "close: array of two numbers"), ("groups", "corner"),
                            ("run", "duration: number [s]"), ("output", "pc2: flag"), ("friction", "between"),
                            ("friction", "friction of 'cloths'"), ("tangles", "tangles of the filter 'collision'"),
                            ("place", "allowed: each -100000000 to 100000000"), ("min", "min of 'box'"),
                            ("edges", "allowed: yarns, all")):
            self.assertIn(words, self.taut("info", name).stdout)

    def test_an_unknown_name_gets_the_nearest(self):
        self.assertIn("stable_projection", self.taut("info", "stable_projektion", code=BAD_INPUT).stderr)

    def test_schema_and_reference(self):
        schema = json.loads(self.taut("info", "--schema").stdout)
        self.assertIn("2020-12", schema["$schema"])
        self.assertIn("| ", self.taut("info", "--markdown").stdout)


if __name__ == "__main__":
    unittest.main()
