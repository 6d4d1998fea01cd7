"""What a study of steering runs: a program of two ranks on two cores, one of which has protocol work."""

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
    """A program that runs as two ranks.

    `bench` is a micro-benchmark, None for a `command` line, whose numbers are read from what it prints:
    `columns` are patterns with one group, by column, `t` among them. `files` are written where it starts, and
    the `setup` commands run there before. {AXIS} in words and files stands for the case's value.
    """

    bench: str | None
    command: list[str]
    files: dict[str, str] = field(default_factory=dict)
    setup: list[list[str]] = field(default_factory=list)
    columns: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class ProtocolWork:
    """What the first of the two cores does in addition to its rank: one of WORKS; `share` is of `load`."""

    kind: str
    share: float = 0.3


@dataclass(frozen=True)
class SteeredScale:
    """How often each run is repeated, and for how long a micro-benchmark runs, s."""

    repeats: int
    seconds: float


@dataclass(frozen=True)
class SteeredRuns:
    """Every combination of the values in `vary`, in both `orders` of the ranks on the two cores.

    straight: rank 0 on the first core, which has the protocol work; reversed: on the second. Modes: plain is
    without corewise, watched observes and swaps nothing, steered swaps, async-progress also lets a thread of
    a rank make progress where that is missing.
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
        """Those of its rows."""
        return [*self.vary, *OWN_AXES]

    @property
    def combinations(self) -> list[dict[str, str]]:
        """Values by axis, in order."""
        return [dict(zip(self.vary, values, strict=True)) for values in product(*self.vary.values())]


def read_steered_runs(table: Table) -> SteeredRuns:
    """The table of such runs; raises InputError with the key that is wrong."""
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
