"""Malformed inputs given to the program: exit code 2, a message that says where and what, no trace left.

Each row of a table is a name, the input, and words that the message must hold.
"""

import json
import subprocess
import unittest

from program import BAD_INPUT, PROGRAM, SMALL, ProgramTest


def scene(more="", cloth='"type": "grid", "nu": 5, "nv": 5'):
    return '{"taut": 1, "cloths": [{' + cloth + "}]" + (", " + more if more else "") + "}"


def pin(text):
    return scene('"pins": [' + text + "]")


SCENES = [
    ("empty", "", ["line 1, column 1"]),
    ("truncated", '{"taut": 1, "cloths": [{"type": "gr', ["line 1", "not valid JSON"]),
    ("trailing_comma", '{"taut": 1,\n}', ["line 2"]),
    ("binary", "\x00\x01\x02\x7f", ["line 1"]),
    ("nan", '{"taut": NaN}', ["line 1, column 10"]),
    ("overflow", scene('"run": {"dt": 1e999}'), ["1e999", "double"]),
    ("twice", scene('"run": {"dt": 1, "dt": 2}'), ["/run/dt", "twice"]),
    ("deep", '{"taut": ' + "[" * 100000 + "]" * 100000 + "}", ["nested too deeply"]),
    ("deep_objects", '{"a": ' * 5000 + "1" + "}" * 5000, ["nested too deeply"]),
    ("list", "[]", ["must be an object"]),
    ("version_missing", '{"cloths": []}', ["'taut' is missing"]),
    ("version_unknown", '{"taut": 99, "cloths": []}', ["/taut", "99"]),
    ("unknown_key", scene('"forses": []'), ["/forses", "did you mean 'forces'?"]),
    ("no_cloth", '{"taut": 1, "cloths": []}', ["/cloths", "too few"]),
    ("unknown_cloth", scene(cloth='"type": "gird"'), ["/cloths/0/type", "did you mean 'grid'?"]),
    ("wrong_type", scene(cloth='"type": "grid", "nu": "many"'), ["/cloths/0/nu", "many"]),
    ("fraction", scene(cloth='"type": "grid", "nu": 4.5'), ["/cloths/0/nu", "4.5"]),
    ("huge_count", scene(cloth='"type": "grid", "nu": 99999999999999999999'), ["/cloths/0/nu"]),
    ("huge_product", scene(cloth='"type": "grid", "nu": 65536, "nv": 65536'), ["/cloths/0", "too many"]),
    ("negative_count", scene(cloth='"type": "polyline", "vertices": -3'), ["/cloths/0/vertices", "-3"]),
    ("negative_mass", scene(cloth='"type": "grid", "material": {"density": -1}'), ["/cloths/0/material/density", "> 0"]),
    ("negative_mass_of_a_vertex", scene(cloth='"type": "polyline", "vertices": 2, "density_per_vertex": [1, -1]'),
     ["/cloths/0/density_per_vertex/1", "-1"]),
    ("unknown_material", scene(cloth='"type": "grid", "material": "silk"'), ["/cloths/0/material", "silk"]),
    ("impossible_sag", scene(cloth='"type": "grid", "initial": {"type": "sag", "chord": 9}'), ["/cloths/0/initial"]),
    ("unknown_corner", pin('{"group": {"corner": "left"}}'), ["/pins/0/group/corner", "u0v0"]),
    ("index_out_of_range", pin('{"group": {"indices": [25]}}'), ["/pins/0/group/indices", "0 to 24"]),
    ("index_huge", pin('{"group": {"indices": [4294967296]}}'), ["/pins/0/group/indices", "4294967296"]),
    ("unknown_group", pin('{"group": "hem"}'), ["/pins/0/group", "hem"]),
    ("pinned_twice", pin('{"group": {"indices": 1}}, {"group": {"all": true}}'), ["/pins/1", "vertex 1"]),
    ("keys_out_of_order", pin('{"group": {"all": true}, "motion": {"keyframes": [{"time": 1}, {"time": 0}]}}'),
     ["/pins/0/motion/keyframes/1/time"]),
    ("obstacle_without_size", scene('"obstacles": [{"type": "sphere", "radius": 0}]'), ["/obstacles/0/radius"]),
    ("frequency_too_high", scene('"obstacles": [{"type": "polygon_sphere", "radius": 1, "frequency": 33}]'),
     ["/obstacles/0/frequency", "33", "32"]),
    ("frequency_broken", scene('"obstacles": [{"type": "polygon_sphere", "radius": 1, "frequency": 2.5}]'),
     ["/obstacles/0/frequency", "2.5"]),
    ("mesh_without_file", scene('"obstacles": [{"type": "mesh"}]'), ["/obstacles/0", "'file' is missing"]),
    ("mesh_nowhere", scene('"obstacles": [{"type": "mesh", "file": "no.obj"}]'), ["/obstacles/0/file", "no.obj"]),
    ("sequence_of_none", scene('"obstacles": [{"type": "mesh", "sequence": "no_%d.obj"}]'),
     ["/obstacles/0/sequence", "too few"]),
    ("sequence_without_number", scene('"obstacles": [{"type": "mesh", "sequence": "no.obj"}]'),
     ["/obstacles/0/sequence", "%04d"]),
    ("ball_with_a_place", scene('"obstacles": [{"type": "sphere", "radius": 1, "place": {}}]'), ["/obstacles/0/place"]),
    ("two_contacts", scene('"filters": ["contact", "collision"]'), ["/filters/1", "keep one"]),
    ("friction_of_nobody", scene('"friction": [{"between": ["cloth0", "bal"], "coefficient": 1}]'),
     ["/friction/0/between/1", "bal"]),
    ("thickness_negative", scene(cloth='"type": "grid", "thickness": -1'), ["/cloths/0/thickness", "-1"]),
    ("seam_unequal", scene('"seams": [{"from": {"indices": [0, 1]}, "to": {"indices": 3}}]'), ["/seams/0", "2 and 1"]),
    ("seam_to_itself", scene('"seams": [{"from": {"indices": 3}, "to": {"indices": 3}}]'), ["/seams/0", "itself"]),
    ("seam_empty", scene('"seams": [{"from": {}, "to": {"indices": 3}}]'), ["/seams/0/from", "selector"]),
    ("seam_before_time", scene('"seams": [{"from": {"indices": 0}, "to": {"indices": 3}, "close": [-1, 0]}]'),
     ["/seams/0/close/0", "-1"]),
    ("attach_to_nothing", pin('{"group": {"all": true}, "attach": "body"}'), ["/pins/0/attach", "body"]),
    ("unknown_force", scene('"forces": ["gravitas"]'), ["/forces/0", "did you mean 'gravity'?"]),
    ("unknown_integrator", scene('"integrator": "rk4"'), ["/integrator", "bdf2"]),
    ("unknown_filter", scene('"filters": ["stable_projetion"]'), ["/filters/0", "did you mean 'stable_projection'?"]),
    ("unknown_solver", scene('"filters": [{"type": "fast_projection", "solver": "qr"}]'), ["/filters/0/solver", "qr"]),
    ("tolerance_negative", scene('"filters": {"stable_projection": {"tolerance": -1}}'),
     ["/filters/stable_projection/tolerance", "-1"]),
    ("zero_step", scene('"run": {"dt": 0}'), ["/run/dt"]),
    ("endless", scene('"run": {"duration": 1e300}'), ["/run/duration"]),
    ("no_frames", scene('"run": {"fps": -60}'), ["/run/fps", "-60"]),
    ("picture_huge", scene('"output": {"preview": {"width": 2000000000}}'), ["/output/preview/width"]),
    ("picture_of_no_frame", scene('"output": {"preview": {"frame": "last"}}'), ["/output/preview/frame", "last"]),
]

SQUARE = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"
MESHES = [
    ("empty", "", ["is empty"]),
    ("no_faces", SQUARE, ["no faces"]),
    ("truncated", "v 0 0 0\nv 1 0", ["line 2"]),
    ("binary", "\x00\x01\x02", ["not a text file"]),
    ("nan", "v 0 nan 0\n", ["line 1", "finite"]),
    ("overflow", "v 1e999 0 0\n", ["line 1", "too large"]),
    ("index_zero", SQUARE + "f 0 1 2\n", ["line 5"]),
    ("index_beyond", SQUARE + "f 1 2 5\n", ["line 5", "out of range"]),
    ("index_huge", SQUARE + "f 1 2 99999999999999999999\n", ["line 5", "out of range"]),
    ("index_negative", SQUARE + "f 1 2 -9\n", ["line 5", "out of range"]),
    ("two_corners", SQUARE + "f 1 2\n", ["line 5"]),
    ("repeated_corner", SQUARE + "f 1 2 2 3\n", ["line 5", "twice"]),
    ("many_corners", SQUARE + "v 2 2 0\nf 1 2 3 4 5\n", ["line 6"]),
    ("duplicate_face", SQUARE + "f 1 2 3 4\nf 2 3 4 1\n", ["face"]),
    ("degenerate_face", "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 3 0 0\nf 1 2 3 4\n", ["area"]),
    ("coincident_vertices", "v 0 0 0\nv 0 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n", ["length"]),
    ("non_manifold", SQUARE + "v 0 0 1\nv 0 1 1\nv 0 0 -1\nv 0 1 -1\nf 1 2 3 4\nf 1 4 6 5\nf 1 4 8 7\n", ["edge"]),
    ("other_format", "ply\nformat ascii 1.0\n", ["line 1", "ply"]),
]



def fabric(bending='{"units": "KES", "slope": 0.1}', more='"density": 0.1'):
    return ('{"taut_fabric": 1, "source": "a test", ' + more + ', "bending": ' + bending +
            ', "shear": {"units": "KES", "slope": 1}}')


def points(deformation, load, units="KES"):
    return json.dumps({"units": units, "deformation": deformation, "load": load})


HEADER = "test,direction,curvature [1/cm],moment [gf.cm/cm]\n"

FABRICS = [
    ("empty", "", ["line 1, column 1"]),
    ("a_scene", '{"taut": 1, "cloths": []}', ["/taut", "taut_fabric"]),
    ("no_source", '{"taut_fabric": 1, "density": 0.1}', ["'source' is missing"]),
    ("negative_density", fabric(more='"density": -1'), ["/density", "-1"]),
    ("grams", fabric(more='"density": 150'), ["/density", "150"]),
    ("no_units", fabric('{"slope": 1}'), ["/bending", "'units' is missing"]),
    ("unknown_units", fabric(points([0, 1, 2, 3], [0, 1, 2, 3], "furlongs")), ["/bending/units", "gf.cm/cm"]),
    ("too_few", fabric(points([0, 1], [0, 1])), ["/bending", "too few points"]),
    ("falling", fabric(points([0, 1, 2, 3], [0, 3, 2, 1])), ["/bending/load/2", "falls"]),
    ("no_way_out", fabric(points([3, 2, 1, 0], [3, 2, 1, 0])), ["/bending", "no loading branch"]),
    ("infinite", fabric('{"units": "KES", "deformation": [0, 1, 2, 1e999], "load": [0, 1, 2, 3]}'), ["1e999"]),
    ("no_table", fabric('{"file": "none.csv"}'), ["/bending/file", "none.csv"]),
    ("device", fabric('{"file": "/dev/zero"}'), ["/bending/file", "does not exist"]),
]

TABLES = [
    ("empty", "", ["line 1", "empty"]),
    ("no_unit", "test,direction,curvature,moment [N]\n", ["line 1, column 3", "no unit"]),
    ("nan", HEADER + "bending,warp,nan,0\n", ["line 2, column 3", "no number"]),
    ("short", HEADER + "bending,warp\n", ["line 2", "cells"]),
    ("binary", "\x00\x01\n", ["line 1, column 1", "unknown column"]),
    ("decimal_comma", HEADER + "bending,warp,0,1,0,2\n", ["line 2", "cells"]),
    ("one_direction", HEADER + "".join(f"bending,warp,{k},{k}\n" for k in range(5)), ["/bending/file", "along weft"]),
]

CHANGES = [
    ("no_value", "run/dt", ["run/dt"]),
    ("unknown_place", "rum/dt=1", ["rum"]),
    ("unknown_key", "run/dtt=1", ["dtt", "did you mean 'dt'?"]),
    ("out_of_range", "run/dt=-1", ["/run/dt", "-1"]),
    ("wrong_type", "cloths/0/nu=many", ["/cloths/0/nu", "many"]),
    ("no_such_element", "cloths/7/nu=3", ["7"]),
    ("empty", "", ["path=value"]),
]


class Refusals(ProgramTest):
    def refuse(self, words, *arguments):
        """Both check and run refuse the input with these words; run leaves nothing behind."""
        before = self.names()
        for command in (["check"], ["run", "--quiet", "-o", "out"]):
            told = self.taut(*command, *arguments, code=BAD_INPUT).stderr
            for word in words:
                self.assertIn(word, told)
            self.assertLess(len(told), 4000)
        self.assertEqual(self.names(), before)


class Scenes(Refusals):
    def test_all(self):
        for name, text, words in SCENES:
            with self.subTest(name):
                self.refuse([f"{name}.json", *words], self.write(f"{name}.json", text))

    def test_not_utf8(self):
        file = self.folder / "bytes.json"
        file.write_bytes(b'{"taut": 1, "name": "\xc3\x28"}')
        done = subprocess.run([PROGRAM, "check", file], capture_output=True, timeout=120, check=False)
        self.assertEqual(done.returncode, BAD_INPUT, done.stderr)
        self.assertIn(b"line 1, column 23", done.stderr)


class Meshes(Refusals):
    def test_all(self):
        for name, text, words in MESHES:
            with self.subTest(name):
                self.write(f"{name}.obj", text)
                file = self.write("mesh.json", scene(cloth=f'"type": "obj", "file": "{name}.obj"'))
                self.refuse([f"{name}.obj", *words], file)


class Fabrics(Refusals):
    """A fabric is refused alone, where nothing is drawn, and in a scene."""

    def check_fabric(self, name, words):
        before = self.names()
        told = self.taut("fabric", f"{name}.json", "-o", "picture", code=BAD_INPUT).stderr
        for word in words:
            self.assertIn(word, told)
        self.assertEqual(self.names(), before)
        self.refuse(words, self.write("s.json", scene(cloth='"type": "grid", "material": {"fabric": "%s.json"}' % name)))

    def test_all(self):
        for name, text, words in FABRICS:
            with self.subTest(name):
                self.write(f"{name}.json", text)
                self.check_fabric(name, [f"{name}.json", *words])

    def test_tables(self):
        for name, text, words in TABLES:
            with self.subTest(name):
                self.write(f"{name}.csv", text)
                self.write("table.json", fabric('{"file": "%s.csv"}' % name))
                self.check_fabric("table", words)

    def test_unknown_names(self):
        self.assertIn("did you mean 'denim'?", self.taut("fabric", "denin", code=BAD_INPUT).stderr)
        self.refuse(["/cloths/0/material/fabric", "did you mean 'denim'?"],
                    self.write("s.json", scene(cloth='"type": "grid", "material": {"fabric": "denin"}')))
        self.refuse(["/cloths/0/material/fabric", "my.json"],
                    self.write("s.json", scene(cloth='"type": "grid", "material": {"fabric": "my.json"}')))


class Changes(Refusals):
    def test_all(self):
        for name, change, words in CHANGES:
            with self.subTest(name):
                self.refuse(words, "hang", "--set", change)


class Files(Refusals):
    def test_missing_scene(self):
        self.refuse(["nowhere.json"], "nowhere.json")

    def test_folder_as_scene(self):
        (self.folder / "folder.json").mkdir()
        self.refuse(["folder.json"], "folder.json")

    def test_missing_mesh(self):
        file = self.write("a.json", scene(cloth='"type": "obj", "file": "none.obj"'))
        self.refuse(["none.obj", "/cloths/0/file"], file)

    def test_missing_densities(self):
        file = self.write("a.json", scene(cloth='"type": "grid", "density_per_vertex": "none.txt"'))
        self.refuse(["none.txt", "/cloths/0/density_per_vertex"], file)

    def test_device_as_mesh(self):
        file = self.write("a.json", scene(cloth='"type": "obj", "file": "/dev/zero"'))
        self.refuse(["/dev/zero"], file)


class Checkpoints(ProgramTest):
    """A run whose checkpoints are damaged in every generation cannot go on, and says so."""

    def setUp(self):
        super().setUp()
        self.taut("run", "hang", *SMALL, "--frames", 4, "--set", "output/checkpoint_frames=1", "--quiet", "-o", "a")
        self.files = sorted((self.folder / "a").glob("checkpoint.*"))
        self.assertEqual(len(self.files), 2)
        self.whole = [file.read_bytes() for file in self.files]

    def test_damage(self):
        size = min(map(len, self.whole))
        damages = {
            "empty": lambda data: b"",
            "one_byte": lambda data: data[:1],
            "half": lambda data: data[: len(data) // 2],
            "last_byte_missing": lambda data: data[:-1],
            "longer": lambda data: data + b"\0",
            "text": lambda data: b"not a checkpoint at all, only some text\n" * 40,
            "zeros": lambda data: bytes(len(data)),
            "ones": lambda data: b"\xff" * len(data),
        }
        for place in (0, 8, 16, 24, 40, size // 3, size // 2, size - 9, size - 1):
            damages[f"bit_flipped_at_{place}"] = lambda data, place=place: (
                data[:place] + bytes([data[place] ^ 0x10]) + data[place + 1:])
        for place in (8, 12, 16, 24, 32, 48):
            damages[f"huge_number_at_{place}"] = lambda data, place=place: (
                data[:place] + b"\xff" * 7 + b"\x7f" + data[place + 8:])
        for name, damage in damages.items():
            with self.subTest(name):
                for file, data in zip(self.files, self.whole):
                    file.write_bytes(damage(data))
                done = self.taut("run", "hang", *SMALL, "--frames", 8, "--quiet", "-o", "a", "--resume", code=BAD_INPUT)
                self.assertIn("checkpoint", done.stderr)

    def test_none(self):
        for file in self.files:
            file.unlink()
        done = self.taut("run", "hang", *SMALL, "--frames", 8, "--quiet", "-o", "a", "--resume", code=BAD_INPUT)
        self.assertIn("checkpoint", done.stderr)


if __name__ == "__main__":
    unittest.main()
