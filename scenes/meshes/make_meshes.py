#!/usr/bin/env python3
"""Writes the OBJ meshes of the example scenes into this folder. Run it again after a change."""
import math
import pathlib
import random

FOLDER = pathlib.Path(__file__).parent


def number(value):
    text = f"{value:.6f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


class Mesh:
    """Vertices (texture coordinates beside them, where there are any) and faces, counted from 0."""

    def __init__(self, title):
        self.title, self.points, self.uv, self.faces = title, [], [], []

    def vertex(self, x, y, z, uv=None):
        self.points.append((x, y, z))
        if uv is not None:
            self.uv.append(uv)
        return len(self.points) - 1

    def write(self, name):
        lines = [f"# {self.title}"]
        lines += ["v " + " ".join(number(c) for c in p) for p in self.points]
        lines += [f"vt {u:.6f} {v:.6f}" for u, v in self.uv]
        corner = (lambda k: f"{k + 1}/{k + 1}") if self.uv else (lambda k: f"{k + 1}")
        lines += ["f " + " ".join(corner(k) for k in face) for face in self.faces]
        (FOLDER / name).write_text("\n".join(lines) + "\n")


def disc(radius, core, rings):
    """A square core of core x core quads inside a ring of rings x 4 core quads: a round cloth whose
    four core corners have three neighbours."""
    mesh = Mesh("round cloth: square core in a ring, four irregular vertices, no texture coordinates")
    half = 0.6 * radius
    grid = {}
    for j in range(core + 1):
        for i in range(core + 1):
            a, b = 2 * i / core - 1, 2 * j / core - 1
            # Let the sides of the core bulge towards the circle.
            grid[i, j] = mesh.vertex(half * a * math.sqrt(1 - 0.3 * b * b), half * b * math.sqrt(1 - 0.3 * a * a), 0)
    for j in range(core):
        for i in range(core):
            mesh.faces.append((grid[i, j], grid[i + 1, j], grid[i + 1, j + 1], grid[i, j + 1]))
    border = [(i, 0) for i in range(core)] + [(core, j) for j in range(core)]
    border += [(i, core) for i in range(core, 0, -1)] + [(0, j) for j in range(core, 0, -1)]
    last = [grid[k] for k in border]
    inner = [mesh.points[k] for k in last]
    for ring in range(1, rings + 1):
        s = ring / rings
        current = []
        for n, (x, y, _) in enumerate(inner):
            angle = -0.75 * math.pi + 2 * math.pi * n / len(inner)
            cx, cy = radius * math.cos(angle), radius * math.sin(angle)
            current.append(mesh.vertex((1 - s) * x + s * cx, (1 - s) * y + s * cy, 0))
        for n in range(len(last)):
            m = (n + 1) % len(last)
            mesh.faces.append((last[n], current[n], current[m], last[m]))
        last = current
    return mesh


def leaf(spacing, radius):
    """A square net cut out along a wavy curve: stair steps, filled by triangles where three corners
    of a cell lie inside."""
    mesh = Mesh("net cut along a wavy curve: quads, triangles along the cut, no texture coordinates")
    reach = int(1.4 * radius / spacing)
    inside = {}
    for j in range(-reach, reach + 1):
        for i in range(-reach, reach + 1):
            x, y = i * spacing, j * spacing
            angle = math.atan2(y, x)
            inside[i, j] = math.hypot(x, y) <= radius * (1 + 0.18 * math.cos(3 * (angle - 0.3)))
    vertex = {}

    def corner(key):
        if key not in vertex:
            vertex[key] = mesh.vertex(key[0] * spacing, key[1] * spacing, 0)
        return vertex[key]

    for j in range(-reach, reach):
        for i in range(-reach, reach):
            cell = [k for k in ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)) if inside[k]]
            if len(cell) >= 3:
                mesh.faces.append(tuple(corner(k) for k in cell))
    return mesh


def patchwork(cells, size):
    """A sheet with texture coordinates, its vertices shifted at random and every tenth quad or so cut
    into two triangles."""
    mesh = Mesh("uneven sheet with texture coordinates; some quads are cut into triangles")
    dice = random.Random(7)
    step = size / cells
    for j in range(cells + 1):
        for i in range(cells + 1):
            inner = 0 < i < cells and 0 < j < cells
            dx, dy = ((0.12 * step * dice.uniform(-1, 1)) if inner else 0 for _ in range(2))
            mesh.vertex(i * step + dx, j * step + dy, 0, (i / cells, j / cells))
    row = cells + 1
    for j in range(cells):
        for i in range(cells):
            a = j * row + i
            quad = (a, a + 1, a + row + 1, a + row)
            if dice.random() < 0.1:
                mesh.faces += [quad[:3], (quad[0], quad[2], quad[3])]
            else:
                mesh.faces.append(quad)
    return mesh


def pennants(count, width, length, cells):
    """Separate tapering strips side by side, hanging from z = 0 along -z."""
    mesh = Mesh("separate tapering strips: several parts in one file")
    for n in range(count):
        long = length * (1 - 0.18 * abs(n - (count - 1) / 2))
        rows = max(2, round(cells * long / width))
        first = len(mesh.points)
        for j in range(rows + 1):
            narrow = 1 - 0.55 * j / rows
            for i in range(cells + 1):
                x = 1.3 * width * (n - (count - 1) / 2) + width * narrow * (i / cells - 0.5)
                mesh.vertex(x, 0, -long * j / rows)
        for j in range(rows):
            for i in range(cells):
                a = first + j * (cells + 1) + i
                mesh.faces.append((a, a + cells + 1, a + cells + 2, a + 1))
    return mesh


def sleeve(radius, height, around, along):
    """A tube in centimetres with y up, as modelling programs export it; it narrows in the middle."""
    mesh = Mesh("tube in centimetres, y up, no texture coordinates")
    for j in range(along + 1):
        s = j / along
        r = radius * (1 - 0.18 * math.sin(math.pi * s))
        for i in range(around):
            angle = 2 * math.pi * i / around
            mesh.vertex(r * math.cos(angle), height * (1 - s), r * math.sin(angle))
    for j in range(along):
        for i in range(around):
            k = (i + 1) % around
            mesh.faces.append((j * around + i, j * around + k, (j + 1) * around + k, (j + 1) * around + i))
    return mesh


if __name__ == "__main__":
    disc(0.5, 20, 10).write("disc.obj")
    leaf(0.025, 0.42).write("leaf.obj")
    patchwork(40, 1.0).write("patchwork.obj")
    pennants(5, 0.16, 0.8, 8).write("pennants.obj")
    sleeve(14, 60, 56, 44).write("sleeve.obj")
