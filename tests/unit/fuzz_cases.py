"""Damaged files, made from valid files by a seeded generator: the same seed gives the same bytes."""

from __future__ import annotations

import io
import json
import random
import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from corewise.machines import load
from corewise.model import Assignment
from corewise.nouns.placement import Placement
from profile_cases import two_phase_profile
from report_cases import REPEATS, tune_result
from sources import ROOT

SQUARE = np.array([[0, 800, 0], [800, 0, 16], [0, 16, 0]], np.uint64)
MACHINE = "synthetic:2:pack:2 core:2 pu:1"

NUMBERS = (
    *(b"0", b"-1", b"1000000000", b"2147483648", b"4294967296", b"1000000000000000000", b"9" * 30),
    *(b"9" * 5000, b"0.5", b"1e308", b"1e999", b"nan", b"-inf", b"0x" + b"f" * 5000, b"1_000", b"", b"x"),
)
VALUES = (
    *(None, True, -1, 0.5, 10**9, 2**31, 2**63, 10**18, 1e308, "", "x", "\ud800", "\0", "a\nb"),
    *([], {}, [[]], [None], ["x"], [10**18], {"a": 1}, [[[[[0]]]]], "x" * 10_000),
)


@dataclass(frozen=True)
class Format:
    """A file format: valid files, and the command that reads one (FILE stands for it).

    `name` is the name of the damaged file. If it contains a folder, FILE is that folder.
    """

    name: str
    command: list[str]
    sound: Callable[[], list[bytes]]


def damaged(form: str, number: int) -> bytes:
    """The `number`-th damaged file of a format: a valid file with one to three kinds of damage."""
    rng = random.Random(f"{form} {number}")
    content = rng.choice(FORMATS[form].sound())
    for _ in range(rng.randint(1, 3)):
        content = rng.choice(DAMAGES)(rng, content)
    return content


def _bits(rng: random.Random, content: bytes) -> bytes:
    changed = bytearray(content)
    for _ in range(rng.randint(1, 16) if changed else 0):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _head_bits(rng: random.Random, content: bytes) -> bytes:
    """Flips bits in the first 512 bytes, where binary formats have sizes and counts."""
    return _bits(rng, content[:512]) + content[512:]


def _piece(rng: random.Random, content: bytes) -> slice:
    first = rng.randint(0, len(content))
    return slice(first, min(len(content), first + rng.choice((1, 8, 64, 512, 4096))))


def _cut(rng: random.Random, content: bytes) -> bytes:
    return content[: rng.randint(0, len(content))]


def _removed(rng: random.Random, content: bytes) -> bytes:
    piece = _piece(rng, content)
    return content[: piece.start] + content[piece.stop :]


def _repeated(rng: random.Random, content: bytes) -> bytes:
    piece = _piece(rng, content)
    return content[: piece.stop] + content[piece] * rng.choice((1, 2, 50)) + content[piece.stop :]


def _noise(rng: random.Random, content: bytes) -> bytes:
    piece = _piece(rng, content)
    return content[: piece.start] + rng.randbytes(piece.stop - piece.start) + content[piece.stop :]


def _swapped(rng: random.Random, content: bytes) -> bytes:
    """Swaps the byte order of all numbers of 2, 4 or 8 bytes."""
    size = rng.choice((2, 4, 8))
    whole = len(content) // size * size
    words = np.frombuffer(content[:whole], np.dtype(f"u{size}")).byteswap().tobytes()
    return words + content[whole:]


def _number(rng: random.Random, content: bytes) -> bytes:
    numbers = list(re.finditer(rb"\d+(\.\d+)?", content[: 2**16]))
    if not numbers:
        return content
    at = rng.choice(numbers)
    return content[: at.start()] + rng.choice(NUMBERS) + content[at.end() :]


def _line_twice(rng: random.Random, content: bytes) -> bytes:
    """Inserts a copy of a line (a key, a header or a row) in another place."""
    lines = content.split(b"\n")
    lines.insert(rng.randint(0, len(lines)), rng.choice(lines))
    return b"\n".join(lines)


def _nested(rng: random.Random, content: bytes) -> bytes:
    at = rng.randint(0, len(content))
    opening = rng.choice((b"[", b'{"a":', b"<object>", b"[[a]]\n", b"a."))
    return content[:at] + opening * 100_000 + content[at:]


def _value(rng: random.Random, content: bytes) -> bytes:
    """In JSON: a value of another type, a missing key or an unknown key."""
    try:
        place = document = json.loads(content)
    except (ValueError, RecursionError):
        return _number(rng, content)
    if not isinstance(document, dict | list) or not document:
        return content
    while True:
        key = rng.choice(sorted(place)) if isinstance(place, dict) else rng.randrange(len(place))
        if not isinstance(place[key], dict | list) or not place[key] or rng.random() < 0.25:
            break
        place = place[key]
    if rng.random() < 0.2:
        del place[key]
    else:
        place[key] = rng.choice(VALUES)
    return json.dumps(document).encode()


def _empty(rng: random.Random, content: bytes) -> bytes:
    return rng.choice((b"", b"\n", b"\0", b"\xef\xbb\xbf", b"null", b"[]", b"{}"))


DAMAGES = (
    *(_bits, _head_bits, _cut, _removed, _repeated, _noise, _swapped),
    *(_number, _number, _number, _line_twice, _nested, _value, _value, _value, _empty),
)


def _files(*patterns: str) -> list[bytes]:
    found = [path.read_bytes() for pattern in patterns for path in sorted(ROOT.glob(pattern))]
    assert found, patterns
    return found


def _npz() -> list[bytes]:
    contents = []
    for save in (np.savez, np.savez_compressed):
        for kind in (np.uint64, ">u4", float):
            file = io.BytesIO()
            save(file, bytes=SQUARE.astype(kind), msgs=(SQUARE > 0).astype(kind))
            contents.append(file.getvalue())
    return contents


def _tune() -> dict:
    return tune_result(times_s=REPEATS, wrong=(3,)).to_json()


def _placements() -> list[bytes]:
    machine = load(MACHINE)
    placements = (Assignment.from_cores([0, 5, 2]), Assignment.from_core_lists([[0, 1], [2], [6, 7]]))
    return [json.dumps(Placement.of(p, machine).to_json(), indent=1).encode() for p in placements]


SHOW = ["show", "FILE", "--json", "--ranks-per-node", "2"]


def _with_devices() -> bytes:
    return two_phase_profile().devices(0, {"CUDA_VISIBLE_DEVICES": "0"}, "nvidia0").content()


FORMATS = {
    "hwloc XML": Format(
        "node.xml", ["topo", "--machine", "FILE", "--json"], lambda: _files("fixtures/topologies/*.xml")
    ),
    "machine": Format(
        "m.toml", ["topo", "--machine", "FILE"], lambda: _files("python/corewise/machines/*.toml")
    ),
    "Matrix Market": Format(
        "m.mtx",
        SHOW,
        lambda: [
            b"%%MatrixMarket matrix coordinate integer general\n% a\n3 3 3\n1 2 800\n2 1 800\n3 2 16\n",
            b"%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n",
        ],
    ),
    "METIS": Format("m.graph", SHOW, lambda: [b"3 2 001\n2 800\n1 800 3 16\n2 16\n", b"3 2\n2\n1 3\n2\n"]),
    "Open MPI monitoring": Format(
        "job.0.prof",
        SHOW,
        lambda: [
            b"# POINT TO POINT\nE\t0\t1\t800 bytes\t3 msgs sent\t0,0,3\n"
            b"I\t0\t2\t16 bytes\t1 msgs sent\n"
        ],
    ),
    "NumPy archive": Format("m.npz", SHOW, _npz),
    "placement": Format(
        "p.json", ["score", "FILE", "square.txt", "--machine", MACHINE, "--json"], _placements
    ),
    "rank order": Format(
        "MPICH_RANK_ORDER.Grid",
        ["score", "FILE", "square.txt", "--machine", MACHINE, "--json"],
        lambda: [b"# grid_order -R -c 1,2\n0,2\n1\n", b"0-1, 2\n"],
    ),
    "rankfile": Format(
        "rankfile",
        ["score", "FILE", "square.txt", "--machine", MACHINE, "--json"],
        lambda: [
            b"# two nodes\nrank 0=n0 slot=0\nrank 1=me@n1 slot=0:0-1\nrank 2=n0 slot=0:*;1\n",
            b"rank 2=+n1 slot=1\n/* last\n*/ rank 0=+n0 slots=0\nrank 1=+n0 slot=1 // end\n",
        ],
    ),
    "profile": Format(
        "profile/vm-51a99735.cwprof", SHOW, lambda: _files("fixtures/profiles/ring/*.cwprof")
    ),
    "profile of version 2": Format("profile/n0.cwprof", SHOW, lambda: [_with_devices()]),
    "run": Format(
        "run.json",
        ["report", "FILE", "-o", "page.html"],
        lambda: [json.dumps(_tune()["candidates"][0]["runs"][0], indent=1).encode()],
    ),
    "text square": Format("m.txt", SHOW, lambda: [b"0 800 0\n800 0 16\n0 16 0\n"]),
    "tune": Format(
        "tune.json",
        ["report", "FILE", "-o", "page.html"],
        lambda: [json.dumps(_tune(), indent=1).encode()],
    ),
}  # fmt: skip
