#!/usr/bin/env python3
"""Checks what a machine can check about the house: who includes whom, sizes, names, printing.

Rooms of src/taut stand on rungs; a room includes itself and rooms on rungs to its left, never a
neighbour on its own rung. Errors fail the check, warnings are only told.

    tools/check_layers.py [ROOT]      exit status 0 good, 1 errors found, 2 no taut source tree
"""

import re
import sys
from pathlib import Path
from typing import NamedTuple

RUNGS = (
    ("base",),
    ("linalg", "elements"),
    ("mesh", "nurbs"),
    ("model",),
    ("forces", "constraints", "collision"),
    ("integrators", "filters"),
    ("sim",),
    ("io",),
    ("scene",),
)
RUNG_OF = {room: rung for rung, rooms in enumerate(RUNGS) for room in rooms}

CODE_FOLDERS = ("src", "apps", "examples", "tests", "benchmarks")
CODE_SUFFIXES = (".hpp", ".cpp")
SKIPPED_FOLDERS = ("node_modules", "dist", "build")
MAX_LINES = {".hpp": 150, ".cpp": 400}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^">]+)[">]')
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
BAD_FILE_NAME = re.compile(r"(^|_)(utils?|helpers?|managers?|handlers?)(_|$)", re.IGNORECASE)
BAD_TYPE_NAME = re.compile(r"\b(?:class|struct|enum(?:\s+class)?|using|concept)\s+"
                           r"(\w*(?:Utils?|Helpers?|Managers?|Handlers?))\b")
BAD_NAMESPACE = re.compile(r"\bnamespace\s+(?:\w+::)*(utils?|helpers?)\b", re.IGNORECASE)
PRINTS = re.compile(r"\bstd::(cout|cerr|clog)\b|\b(v?printf|puts|putchar|perror)\s*\("
                    r"|\b(?:v?fprintf|fputs|fputc|fwrite)\s*\([^;]*\b(stdout|stderr)\b"
                    r'|\bfmt::print(ln)?\s*\(\s*("|stdout|stderr|FMT_STRING)|\bstd::print(ln)?\s*\(')
EXITS = re.compile(r"(?<![\w.>])(?:std::|::)?(exit|_exit|_Exit|quick_exit|abort|terminate)\s*\(")

# Comments, string and character literals; a quote between digits separates thousands.
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|R"([^()\\ ]{0,16})\(.*?\)\1"|"(?:\\.|[^"\\\n])*"'
                   r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'", re.DOTALL)


class Finding(NamedTuple):
    path: str
    line: int
    kind: str  # "error" or "warning"
    text: str

    def __str__(self):
        return f"{self.path}:{self.line}: {self.kind}: {self.text}"


def bare_code(text):
    """The text with comments blanked and literals emptied; line numbers stay."""

    def blank(match):
        token = match.group(0)
        newlines = "\n" * token.count("\n")
        return " " + newlines if token.startswith("/") else '""' + newlines

    return TOKEN.sub(blank, text)


def room_of(path):
    """The room of a file in src/taut, or None for the umbrella header and files elsewhere."""
    parts = path.parts
    return parts[2] if len(parts) > 3 and parts[:2] == ("src", "taut") else None


def include_error(path, target):
    """What is wrong with `path` including `target`, or None."""
    in_library = path.parts[:2] == ("src", "taut")
    if ".." in Path(target).parts:
        return f'include "{target}" climbs out of its folder; write the path from taut/'
    if not target.startswith("taut/"):
        return None
    room = room_of(path)
    parts = target.split("/")
    other = parts[1] if len(parts) > 2 else None
    if not in_library or room is None:
        return None
    if other is None:
        return f'"{target}" is for users of the library; include the room\'s own header'
    if other not in RUNG_OF:
        return f"includes room '{other}', which is on no rung"
    if room not in RUNG_OF:
        return f"room '{room}' is on no rung; give it one in tools/check_layers.py"
    if other == room or RUNG_OF[other] < RUNG_OF[room]:
        return None
    if RUNG_OF[other] == RUNG_OF[room]:
        return f"{room} includes {other}, its neighbour on the same rung"
    return f"{room} includes {other}, which stands to its right"


def check_includes(path, lines):
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        bracket, target = match.groups()
        problem = include_error(path, target)
        if problem is None and path.parts[:2] == ("src", "taut"):
            if bracket == '"' and not target.startswith("taut/") and ".." not in target:
                problem = f'include "{target}" must be written from taut/'
            if target == "iostream":
                problem = "the library does not print; <iostream> has no use here"
        if problem:
            yield Finding(str(path), number, "error", problem)


def check_names(path, code_lines):
    if BAD_FILE_NAME.search(path.stem):
        yield Finding(str(path), 1, "error", "file name says nothing about what is inside")
    for number, line in enumerate(code_lines, 1):
        for pattern in (BAD_TYPE_NAME, BAD_NAMESPACE):
            match = pattern.search(line)
            if match:
                yield Finding(str(path), number, "error",
                              f"name '{match.group(1)}' says nothing about what the thing does")


def check_quiet(path, code_lines):
    if path.parts[:2] != ("src", "taut"):
        return
    for number, line in enumerate(code_lines, 1):
        match = PRINTS.search(line)
        if match:
            yield Finding(str(path), number, "error", f"the library never prints: {match.group(0).strip()}")
        match = EXITS.search(line)
        if match:
            yield Finding(str(path), number, "error", f"the library never exits: {match.group(1)}()")


def check_text(path, lines):
    for number, line in enumerate(lines, 1):
        match = UNFINISHED.search(line)
        if match:
            yield Finding(str(path), number, "error", f"unfinished business: {match.group(1)}")


def check_size(path, lines):
    limit = MAX_LINES[path.suffix]
    if len(lines) > limit and path.parts[0] != "tests":
        yield Finding(str(path), len(lines), "warning", f"{len(lines)} lines, at most {limit} wanted")


def check_file(root, path):
    """All findings of one C++ file; `path` is relative to `root`."""
    text = (root / path).read_text(encoding="utf-8", errors="replace")
    lines = text.splitlines()
    code_lines = bare_code(text).splitlines()
    yield from check_includes(path, lines)
    yield from check_names(path, code_lines)
    yield from check_quiet(path, code_lines)
    yield from check_text(path, lines)
    yield from check_size(path, lines)


def source_files(root):
    for folder in CODE_FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            relative = path.relative_to(root)
            if path.suffix in CODE_SUFFIXES and not set(relative.parts) & set(SKIPPED_FOLDERS):
                yield relative


def check_tree(root):
    """All findings of a source tree, in file order."""
    return [finding for path in source_files(root) for finding in check_file(root, path)]


def main(arguments):
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent
    if not (root / "src" / "taut").is_dir():
        print(f"check_layers: no src/taut under {root}", file=sys.stderr)
        return 2
    findings = check_tree(root)
    for finding in findings:
        print(finding)
    errors = sum(finding.kind == "error" for finding in findings)
    print(f"check_layers: {errors} errors, {len(findings) - errors} warnings")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
