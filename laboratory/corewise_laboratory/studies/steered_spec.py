"""Steered runs in a study's file: a program with two ranks on two cores, the first with protocol work."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import product

from corewise.plugin.documents import Table

from corewise_laboratory.microbench import MICROBENCHES

ORDERS = ("straight", "reversed")
MODES = ("plain", "watched", "steered", "async-progress")
WORKS = ("none", "packets", "load")
OWN_AXES = ("order", "mode")


@dataclass(frozen=True)
class SteeredProgram:
    """A program with two ranks.

    It is the micro-benchmark `bench`, with arguments `command`, or if that is None, the command line
    `command`. Then its output has the numbers: `columns` are patterns with one group by column, including
    `t`. `files` are written to its working directory, and `setup` commands run there first. {AXIS} in words
    and files is replaced by the case's value.
    """

    bench: str | None
    command: list[str]
    files: dict[str, str] = field(default_factory=dict)
    setup: list[list[str]] = field(default_factory=list)
    columns: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class ProtocolWork:
    """The load on the first core: `kind` is one of WORKS; `share` is the fraction of time for "load"."""

    kind: str
    share: float = 0.3


@dataclass(frozen=True)
class SteeredScale:
    """The number of repeats, and the duration of a micro-benchmark, s."""

    repeats: int
    seconds: float


@dataclass(frozen=True)
class SteeredRuns:
    """Every combination of the values in `vary`, `orders` and `modes`.

    Order: with "straight", rank 0 is on the first core, which has protocol work; with "reversed", on the
    second. Mode: "plain" is without corewise, "watched" only observes, "steered" swaps ranks, and
    "async-progress" also starts a progress thread in ranks that need one.
    """

    program: SteeredProgram
    work: ProtocolWork
    family: str
    vary: dict[str, list[str]]
    orders: list[str]
    modes: list[str]
    quick: SteeredScale
    full: SteeredScale

    @property
    def axes(self) -> list[str]:
        """Axes of the result rows."""
        return [*self.vary, *OWN_AXES]

    @property
    def combinations(self) -> list[dict[str, str]]:
        """All combinations of the values in `vary`, by axis."""
        return [dict(zip(self.vary, values, strict=True)) for values in product(*self.vary.values())]


def read_steered_runs(table: Table) -> SteeredRuns:
    """Reads a table of runs; raises InputError with the wrong key."""
    table.refuse_others(
        ("kind", "bench", "arguments", "command", "files", "setup", "columns", "work", "share")
        + ("family", "vary", "orders", "modes", "quick", "full")
    )
    vary = table.table("vary", {})
    return SteeredRuns(
        program=_program(table),
        work=ProtocolWork(
            _word(table, "work", WORKS), table.number("share") if table.holds("share") else 0.3
        ),
        family=table.get("family", str, "openmpi"),
        vary={axis: vary.texts(axis) for axis in vary.values},
        orders=_words(table, "orders", ORDERS),
        modes=_words(table, "modes", MODES),
        quick=_scale(table.table("quick")),
        full=_scale(table.table("full")),
    )


def _program(table: Table) -> SteeredProgram:
    bench = table.get("bench", str, "") or None
    if bench is not None:
        if bench not in MICROBENCHES:
            raise table.error("bench", bench, f"a micro-benchmark ({', '.join(MICROBENCHES)})")
        return SteeredProgram(bench, table.texts("arguments", []))
    columns = table.table("columns")
    patterns = {name: columns.get(name, str) for name in columns.values}
    for name, pattern in patterns.items():
        if re.compile(pattern).groups != 1:
            raise columns.error(name, pattern, "a pattern with one group")
    if "t" not in patterns:
        raise table.error("columns", list(patterns), "a column t among them")
    files = table.table("files", {})
    return SteeredProgram(
        bench=None,
        command=table.texts("command"),
        files={name: files.get(name, str) for name in files.values},
        setup=[entry.split() for entry in table.texts("setup", [])],
        columns=patterns,
    )


def _word(table: Table, key: str, known: tuple[str, ...]) -> str:
    word: str = table.get(key, str)
    if word not in known:
        raise table.error(key, word, f"one of {', '.join(known)}")
    return word


def _words(table: Table, key: str, known: tuple[str, ...]) -> list[str]:
    words = table.texts(key)
    if not words or any(word not in known for word in words):
        raise table.error(key, words, f"some of {', '.join(known)}")
    return words


def _scale(table: Table) -> SteeredScale:
    table.refuse_others(("repeats", "seconds"))
    return SteeredScale(table.whole("repeats", least=1), table.number("seconds"))
