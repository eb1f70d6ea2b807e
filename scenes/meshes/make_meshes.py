#!/usr/bin/env python3
"""Writes the meshes and point caches of the example scenes into this folder. Run it again after a change."""
import math
import pathlib
import random
import struct

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


def round_table(radius, thickness, sides):
    """A round slab with its top at z = 0 and a rim of three bands, closed by fans."""
    mesh = Mesh("round table top: triangles, top at z = 0")
    bevel = 0.25 * thickness
    rings = []
    for r, z in ((radius - bevel, 0), (radius, -bevel), (radius, bevel - thickness), (radius - bevel, -thickness)):
        angles = [2 * math.pi * k / sides for k in range(sides)]
        rings.append([mesh.vertex(r * math.cos(a), r * math.sin(a), z) for a in angles])
    top, bottom = mesh.vertex(0, 0, 0), mesh.vertex(0, 0, -thickness)
    for k in range(sides):
        m = (k + 1) % sides
        mesh.faces.append((top, rings[0][k], rings[0][m]))
        for upper, lower in zip(rings, rings[1:]):
            mesh.faces += [(upper[k], lower[k], lower[m]), (upper[k], lower[m], upper[m])]
        mesh.faces.append((bottom, rings[3][m], rings[3][k]))
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


def funnel(top, neck, height, spout, wall, around):
    """A funnel around the z axis, closed, faces outwards: the profile of its wall turned about the axis. The spout
    ends at z = 0; spout and cone meet in a rounded throat."""
    mesh = Mesh("funnel: a wall of even thickness, closed, faces outwards")
    slope = math.atan2(top - neck, height - spout)
    bend, steps = 0.04, 8   # radius of the throat, parts of its arc
    low = spout - bend * math.tan(slope / 2)
    # Inside, from the lower edge of the spout to the brim.
    inner = [(neck, low * k / 6) for k in range(6)]
    for k in range(steps + 1):
        angle = slope * k / steps
        inner.append((neck + bend * (1 - math.cos(angle)), low + bend * math.sin(angle)))
    r, z = inner[-1]
    inner += [(r + (top - r) * k / 12, z + (height - z) * k / 12) for k in range(1, 13)]
    # Outside, one thickness of the wall away.
    outer = []
    for k, (r, z) in enumerate(inner):
        a, b = inner[max(k - 1, 0)], inner[min(k + 1, len(inner) - 1)]
        length = math.dist(a, b)
        outer.append((r + wall * (b[1] - a[1]) / length, z - wall * (b[0] - a[0]) / length))
    profile = inner + outer[::-1]
    for r, z in profile:
        for i in range(around):
            angle = 2 * math.pi * i / around
            mesh.vertex(r * math.cos(angle), r * math.sin(angle), z)
    for j in range(len(profile)):
        k = (j + 1) % len(profile)
        for i in range(around):
            m = (i + 1) % around
            a, b, c, d = j * around + i, k * around + i, k * around + m, j * around + m
            mesh.faces += [(a, b, c), (a, c, d)]
    return mesh


def knot(cells, across, length, width, lift):
    """A ribbon laid as a loose overhand knot, in millimetres. Its middle is an open trefoil, drawn in the plane y = 0
    and moved by +-lift along y at its three crossings; its width runs along y. All edges then have the lengths of the flat
    ribbon, nothing but shear differs. Vertices in the order of a grid."""
    mesh = Mesh("ribbon laid as a loose overhand knot, in millimetres; vertices in the order of a grid")
    reach, samples = 2.2, 40000
    times = [reach * (2 * k / samples - 1) for k in range(samples + 1)]
    flat = [(t ** 3 - 3 * t, t ** 4 - 4 * t * t) for t in times]
    way = [0.0]
    for a, b in zip(flat, flat[1:]):
        way.append(way[-1] + math.dist(a, b))
    # Where the drawing crosses itself, in order along it: each strand runs over and under in turn.
    root = math.sqrt(2)
    crossings = [-1 - math.sqrt(3), -math.sqrt(6), 1 - math.sqrt(3), math.sqrt(3) - 1, math.sqrt(6), 1 + math.sqrt(3)]
    marks = [(0.0, 0.0)]
    for n, t in enumerate(crossings):
        marks.append((way[round((t / root / reach + 1) / 2 * samples)], lift if n % 2 == 0 else -lift))
    marks.append((way[-1], 0.0))

    def height(s):
        for (a, ya), (b, yb) in zip(marks, marks[1:]):
            if s <= b:
                q = (s - a) / (b - a)
                return ya + (yb - ya) * q * q * (3 - 2 * q)
        return 0.0

    def laid(size):
        """Corners of an even chain along the curve, the drawing enlarged to a size; and how far the chain falls short."""
        curve = [(size * x, height(s), size * z) for (x, z), s in zip(flat, way)]
        step, points, k = length / cells, [curve[0]], 0
        while len(points) <= cells:
            here = points[-1]
            while k < samples and math.dist(here, curve[k + 1]) < step:
                k += 1
            if k == samples:
                return points, cells + 1 - len(points)
            a, b, low, high = curve[k], curve[k + 1], 0.0, 1.0
            for _ in range(60):
                q = (low + high) / 2
                middle = tuple(u + q * (v - u) for u, v in zip(a, b))
                low, high = (q, high) if math.dist(here, middle) < step else (low, q)
            points.append(middle)
        return points, -math.dist(points[-1], curve[-1]) / step

    low, high = 0.5 * length / way[-1], length / way[-1]
    for _ in range(40):
        size = (low + high) / 2
        if laid(size)[1] > 0:
            low = size
        else:
            high = size
    middle = laid(high)[0]
    for j in range(across + 1):
        for x, y, z in middle:
            mesh.vertex(x, y + width * (j / across - 0.5), z)
    for j in range(across):
        for i in range(cells):
            a = j * (cells + 1) + i
            mesh.faces.append((a, a + 1, a + cells + 2, a + cells + 1))
    return mesh


def jelly(radius, cells):
    """A closed ball on the ground: the faces of a cube of cells x cells quads each, blown up."""
    mesh = Mesh("a ball of quads from the faces of a cube; jelly.pc2 moves it")
    index = {}

    def corner(p):
        if p not in index:
            # Even angles along each side instead of even lengths.
            q = [math.tan(math.pi / 4 * (2 * c / cells - 1)) for c in p]
            length = math.sqrt(sum(c * c for c in q))
            x, y, z = (radius * c / length for c in q)
            index[p] = mesh.vertex(x, y, z + radius)
        return index[p]

    for axis in range(3):
        for side in (0, cells):
            for j in range(cells):
                for i in range(cells):
                    quad = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)]
                    corners = []
                    for u, v in quad if side else reversed(quad):
                        p = [0, 0, 0]
                        p[axis], p[(axis + 1) % 3], p[(axis + 2) % 3] = side, u, v
                        corners.append(corner(tuple(p)))
                    mesh.faces.append(tuple(corners))
    return mesh


def jelly_frames(mesh, radius, rate, seconds):
    """Frames of the jelly: at rest for half a second, then it rises and slumps once a
    second, its volume kept, and turns its top against its foot."""
    frames = []
    for k in range(int(rate * seconds) + 1):
        t = max(0.0, k / rate - 0.5)
        high = 1 + 0.3 * math.sin(2 * math.pi * t) * min(1.0, t)
        turn = 0.8 * math.sin(math.pi * t) * min(1.0, t)
        frame = []
        for x, y, z in mesh.points:
            a = turn * z / (2 * radius)
            wide = 1 / math.sqrt(high)
            frame.append((wide * (x * math.cos(a) - y * math.sin(a)), wide * (x * math.sin(a) + y * math.cos(a)), high * z))
        frames.append(frame)
    return frames


def write_pc2(name, frames):
    """A PC2 point cache with one sample per frame."""
    data = struct.pack("<12siiffi", b"POINTCACHE2\0", 1, len(frames[0]), 0.0, 1.0, len(frames))
    for frame in frames:
        data += b"".join(struct.pack("<3f", *p) for p in frame)
    (FOLDER / name).write_bytes(data)


if __name__ == "__main__":
    disc(0.5, 20, 10).write("disc.obj")
    round_table(0.3, 0.04, 48).write("round_table.obj")
    leaf(0.025, 0.42).write("leaf.obj")
    patchwork(40, 1.0).write("patchwork.obj")
    pennants(5, 0.16, 0.8, 8).write("pennants.obj")
    sleeve(14, 60, 56, 44).write("sleeve.obj")
    funnel(0.32, 0.05, 0.18, 0.1, 0.012, 72).write("funnel.obj")
    knot(300, 6, 1500, 30, 20).write("knot.obj")
    ball = jelly(0.2, 8)
    ball.write("jelly.obj")
    write_pc2("jelly.pc2", jelly_frames(ball, 0.2, 10, 3))
