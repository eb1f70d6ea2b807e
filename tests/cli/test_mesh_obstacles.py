"""Obstacles from files: a body that deforms is checked, run, drawn, shown and resumed; a changed file is noticed."""

import json
import unittest

from program import BAD_INPUT, THUMBNAIL, ProgramTest

CUBE = "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n"


def cube(size, height):
    corners = [(k & 1, k >> 1 & 1, k >> 2) for k in range(8)]
    text = "".join(f"v {size * (x - 0.5)} {size * (y - 0.5)} {size * (z - 0.5) + height}\n" for x, y, z in corners)
    return text + CUBE


class MeshObstacles(ProgramTest):
    def setUp(self):
        super().setUp()
        (self.folder / "frames").mkdir()
        for k in range(4):
            (self.folder / "frames" / f"cube_{k:03}.obj").write_text(cube(0.4 + 0.1 * k, -1))
        self.write("block.obj", cube(0.3, 0))
        self.put_scene()

    def put_scene(self, filters='["stable_projection"]'):
        self.write("scene.json", """{"taut": 1,
            "cloths": [{"name": "sheet", "type": "grid", "nu": 6, "nv": 6}],
            "pins": [{"group": {"corner": ["u0v0", "u1v0"]}}],
            "obstacles": [
                {"name": "body", "type": "mesh", "sequence": "frames/cube_%03d.obj", "fps": 20},
                {"name": "block", "type": "mesh", "file": "block.obj", "place": {"translate": [2, 0, 0]},
                 "motion": {"keyframes": [{"time": 0}, {"time": 1, "rotate": [0, 0, 90]}]}}],
            "filters": FILTERS, "run": {"duration": 0.2, "fps": 30}, "output": {"checkpoint_frames": 2}}
            """.replace("FILTERS", filters))

    def run_scene(self, *extra, **expected):
        return self.taut("run", "scene.json", *THUMBNAIL, "--quiet", "-o", "out", *extra, **expected)

    def test_run_render_view_and_resume(self):
        told = self.taut("check", "scene.json").stdout
        self.assertIn("no filter sees the obstacles", told)
        self.run_scene("--frames", 3)
        effective = json.loads((self.folder / "out" / "scene.json").read_text())
        body, block = effective["obstacles"]
        self.assertEqual(body["sequence"], str((self.folder / "frames" / "cube_%03d.obj").resolve()))
        self.assertEqual((body["first"], body["count"]), (0, 4))
        self.assertEqual(block["place"]["translate"], [2, 0, 0])
        page = (self.folder / "out" / "view.html").read_text()
        for block_id in ("taut-triangles-0", "taut-points-0-3", "taut-triangles-1", "taut-points-1"):
            self.assertIn(f'id="{block_id}"', page)
        self.taut("render", "out", "--size", "96x60", "-o", "picture.png")
        self.taut("view", "out", "-o", "page.html")

        # Go on from the middle as if the run had never ended.
        self.run_scene("--resume")
        part = (self.folder / "out" / "cache.taut").read_bytes()
        self.taut("run", "scene.json", *THUMBNAIL, "--quiet", "-o", "whole")
        self.assertEqual(part, (self.folder / "whole" / "cache.taut").read_bytes())

    def test_a_changed_mesh_is_another_scene(self):
        self.run_scene("--frames", 3)
        moved = self.folder / "moved"
        (self.folder / "frames").rename(moved)
        text = (self.folder / "scene.json").read_text()
        self.write("scene.json", text.replace("frames/cube", "moved/cube"))
        self.run_scene("--frames", 5, "--resume")
        (moved / "cube_002.obj").write_text(cube(0.61, -1))
        self.assertIn("another scene", self.run_scene("--resume", code=BAD_INPUT).stderr)

    def test_contact_does_not_take_meshes(self):
        self.put_scene('["stable_projection", "contact"]')
        for command in (["check", "scene.json"], ["run", "scene.json", "-o", "out"]):
            told = self.taut(*command, code=BAD_INPUT).stderr
            self.assertIn("/filters/1", told)
            self.assertIn("use the filter collision", told)
        self.assertNotIn("out", self.names())

    def test_files_that_do_not_fit(self):
        (self.folder / "frames" / "cube_002.obj").write_text(cube(1, 0) + "f 1 2 3\n")
        told = self.run_scene(code=BAD_INPUT).stderr
        self.assertIn("cube_002.obj", told)
        self.assertIn("another number of faces", told)
        (self.folder / "frames" / "cube_002.obj").unlink()
        told = self.run_scene(code=BAD_INPUT).stderr
        self.assertIn("/obstacles/0/sequence", told)
        self.assertIn("cube_002.obj", told)
        self.assertNotIn("out", self.names())


if __name__ == "__main__":
    unittest.main()
