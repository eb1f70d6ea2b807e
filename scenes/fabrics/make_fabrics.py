#!/usr/bin/env python3
"""Writes the fabrics of this folder: cycles of bending and shear as the Kawabata system would plot them.

Nobody measured them. Each is made from five or six numbers typical of its kind of fabric, by a law that is not the
one taut fits: a spring, many small friction parts that stick and slip at places of their own, in shear with a grip
that grows with the angle, and the unsteadiness of a plotter. So the fit meets what measurements have: rounded
corners, loops that widen, noise. The same numbers give the same files.
"""

import json
from pathlib import Path

FOLDER = Path(__file__).parent

# Weight [kg/m^2], thickness [m]; per unit of the Kawabata system: spring and friction of bending along warp and weft
# [gf.cm^2/cm], [gf.cm/cm]; spring [gf/(cm.deg)], friction [gf/cm], its growth over 8 degrees, stiffening at 8 degrees.
FABRICS = {
    "cotton": ("100 % cotton, a plain shirting", 0.115, 0.00031, (0.068, 0.028), (0.041, 0.018), (0.78, 0.52, 0.7, 0.4)),
    "wool": ("100 % wool, a light worsted suiting", 0.225, 0.00055, (0.092, 0.020), (0.066, 0.014), (0.52, 0.34, 0.5, 0.2)),
    "polyester_cotton": (
        "65 % polyester, 35 % cotton, a plain shirting", 0.128, 0.00028, (0.081, 0.026), (0.052, 0.017),
        (1.05, 0.70, 0.6, 0.6)),
    "denim": ("100 % cotton denim, a heavy twill", 0.42, 0.00095, (0.41, 0.19), (0.27, 0.13), (2.4, 1.75, 0.5, 2.0)),
    "silk": ("100 % silk, a light plain weave", 0.062, 0.00016, (0.031, 0.0055), (0.018, 0.0035), (0.27, 0.07, 0.6, 0.1)),
}
KINDS = {
    "cotton": "cotton shirting",
    "wool": "worsted wool suiting",
    "polyester_cotton": "shirting of polyester and cotton",
    "denim": "denim of jeans",
    "silk": "light silk of dresses",
}
TABLES = ("wool",)  # written as CSV beside the JSON
WIDE = 100


class Noise:
    """Even numbers between -1 and 1, the same on every machine."""

    def __init__(self, seed):
        self.state = seed

    def __call__(self):
        self.state = (1103515245 * self.state + 12345) % 2**31
        return 2 * self.state / 2**31 - 1


def path(reach, step):
    """From 0 to the reach, to the other side and back to 0."""
    count = round(reach / step)
    places = [*range(count), *range(count, -count, -1), *range(-count, 1)]
    return [round(place * step, 6) for place in places]


def cycle(places, reach, spring, friction, growth, stiffening, slips, seed):
    """Loads along the places; slips: where the first and the last friction part give way."""
    noise = Noise(seed)
    parts = 12
    slip = [slips[0] * (slips[1] / slips[0]) ** (k / (parts - 1)) for k in range(parts)]
    grip = friction / parts
    held = [0.0] * parts
    largest = spring * reach + friction * (1 + growth) + stiffening
    loads, before = [], 0.0
    for place in places:
        limit = grip * (1 + growth * abs(place) / reach)
        for k in range(parts):
            held[k] = max(-limit, min(limit, held[k] + grip / slip[k] * (place - before)))
        before = place
        load = spring * place + sum(held) + stiffening * (place / reach) ** 3
        loads.append(round(load + (0.004 * largest * noise() if place else 0), 5))
    return loads


def measured(fabric, seed):
    """Points by test and direction, in units of the Kawabata system."""
    _, _, _, warp, weft, (spring, friction, growth, stiffening) = fabric
    bends, angles = path(2.5, 0.1), path(8, 0.25)
    return {
        ("bending", "warp"): (bends, cycle(bends, 2.5, *warp, 0, 0, (0.04, 0.7), seed)),
        ("bending", "weft"): (bends, cycle(bends, 2.5, *weft, 0, 0, (0.04, 0.7), seed + 1)),
        ("shear", "warp"): (angles, cycle(angles, 8, spring, friction, growth, stiffening, (0.05, 1.2), seed + 2)),
        ("shear", "weft"): (
            angles, cycle(angles, 8, 0.94 * spring, 0.9 * friction, growth, stiffening, (0.05, 1.2), seed + 3)),
    }


def lines(values, indent):
    """A long list of numbers, broken at the width of the page."""
    rows, row = [], ""
    for k, value in enumerate(values):
        text = json.dumps(value) + (", " if k + 1 < len(values) else "")
        if len(indent) + len(row) + len(text) > WIDE:
            rows.append(row.rstrip())
            row = ""
        row += text
    return ("\n" + indent).join([*rows, row])


def points(units, pair):
    """One measured curve as JSON."""
    return (
        '{\n      "units": "%s",\n      "deformation": [\n        %s\n      ],\n      "load": [\n        %s\n      ]\n    }'
        % (units, lines(pair[0], " " * 8), lines(pair[1], " " * 8))
    )


def write(name, fabric, seed):
    description, density, thickness = fabric[:3]
    curves = measured(fabric, seed)
    if name in TABLES:
        rows = ["test, direction, curvature [1/cm], moment [gf.cm/cm], angle [deg], force [gf/cm]"]
        for (test, direction), pair in curves.items():
            blank = ("{}, {}, {}, {}, , " if test == "bending" else "{}, {}, , , {}, {}").format
            rows += [blank(test, direction, *point).rstrip() for point in zip(*pair)]
        (FOLDER / f"{name}.csv").write_text("\n".join(rows) + "\n")
        bending = shear = '{"file": "%s.csv"}' % name
    else:
        units = {"bending": "gf.cm/cm over 1/cm", "shear": "gf/cm over deg"}
        test = {
            kind: '{\n    "warp": %s,\n    "weft": %s\n  }'
            % tuple(points(units[kind], curves[kind, direction]) for direction in ("warp", "weft"))
            for kind in units
        }
        bending, shear = test["bending"], test["shear"]
    (FOLDER / f"{name}.json").write_text(
        f"""{{
  "taut_fabric": 1,
  "name": "{name}",
  "description": "{description}.",
  "source": "synthetic: typical of {KINDS[name]}; made by make_fabrics.py",
  "density": {density},
  "thickness": {thickness:.5f},
  "bending": {bending},
  "shear": {shear}
}}
"""
    )


def main():
    for number, (name, fabric) in enumerate(FABRICS.items()):
        write(name, fabric, 100 * number + 7)


if __name__ == "__main__":
    main()
