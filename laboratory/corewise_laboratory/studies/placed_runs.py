"""Placed runs in a study's file: patterns or stored matrices on machines, with several placements."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import Any

from corewise.errors import did_you_mean
from corewise.plugin.documents import Table

from corewise_laboratory.pattern_steps import STEPS
from corewise_laboratory.studies.formula import Formula
from corewise_laboratory.studies.time_models import TIME_MODELS

# Keys of a case that are not arguments of its pattern.
_KEYS = ("machine", "figures", "pattern", "matrix", "ranks", "compute_s")
_ARGUMENTS = ("size", "ranks_per_node", "intra_node", "ratio")


@dataclass(frozen=True)
class PlacedCase:
    """Traffic on a machine, from a `pattern` with arguments or a `stored` input; one of the two is "".

    `values` are arguments and labels by axis. `machine` is a preset's name, with a suffix from `figures` if
    there are presets with other sources of figures. `compute_s` is a formula for the computation of each
    rank, from the numbers in `values`.
    """

    machine: str
    pattern: str
    stored: str
    values: dict[str, Any]
    compute_s: Formula | None

    @property
    def labels(self) -> dict[str, str]:
        """Labels of its rows, by axis."""
        return {axis: str(value) for axis, value in self.values.items()}


@dataclass(frozen=True)
class Placing:
    """How to place each case: with a solver, or the mean of `draws` random placements, by engine.

    Random placements imitate unbound ranks: each rank is on its node in block order, but on a random core.
    """

    solver: str
    objective: str | None
    worst: bool
    draws: dict[str, int]


@dataclass(frozen=True)
class PlacedRuns:
    """Times are averaged over `samples` random patterns, by engine. Several engines become an axis."""

    samples: dict[str, int]
    placings: dict[str, Placing]
    cases: list[PlacedCase] = field(default_factory=list)

    @property
    def engines(self) -> list[str]:
        """In the order of the file."""
        return list(self.samples)

    @property
    def axes(self) -> list[str]:
        """Axes of the result rows."""
        engine = ["engine"] if len(self.engines) > 1 else []
        return list(
            dict.fromkeys(["placement", *engine, *(axis for case in self.cases for axis in case.values)])
        )


def read_placed_runs(table: Table) -> PlacedRuns:
    """Reads a table of runs; raises InputError with the wrong key."""
    table.refuse_others(("kind", "engine", "samples", "placements", "cases"))
    several = isinstance(table.values.get("engine"), list)
    engines = table.texts("engine") if several else [table.get("engine", str)]
    for engine in engines:
        if engine not in TIME_MODELS:
            near = did_you_mean(str(engine), TIME_MODELS)
            raise table.error("engine", engine, f"one of {', '.join(TIME_MODELS)}{near}")
    placings = table.table("placements")
    return PlacedRuns(
        samples=_by_engine(table, "samples", engines),
        placings={label: _placing(placings.table(label), engines) for label in placings.values},
        cases=[case for cell in table.tables("cases") for case in _cases(cell)],
    )


def _by_engine(table: Table, key: str, engines: list[str]) -> dict[str, int]:
    """One number for all engines, by default 1, or a table of one for each."""
    if not isinstance(table.values.get(key), dict):
        return dict.fromkeys(engines, table.whole(key, least=1, default=1))
    by_engine = table.table(key)
    by_engine.refuse_others(engines)
    return {engine: by_engine.whole(engine, least=1) for engine in engines}


def _filled(table: Table, key: str, labels: dict[str, Any]) -> str:
    """The value of `key` with labels for each {AXIS}; raises InputError for other braces."""
    text: str = table.get(key, str)
    try:
        return text.format(**labels)
    except (KeyError, ValueError, IndexError) as error:
        known = ", ".join(f"{{{axis}}}" for axis in labels)
        raise table.error(key, text, f"braces around {known}") from error


def _placing(table: Table, engines: list[str]) -> Placing:
    table.refuse_others(("solver", "objective", "worst", "draws"))
    return Placing(
        solver=table.get("solver", str, "random" if table.holds("draws") else None),
        objective=table.get("objective", str, "") or None,
        worst=table.get("worst", bool, False),
        draws=_by_engine(table, "draws", engines) if table.holds("draws") else {},
    )


def _cases(table: Table) -> list[PlacedCase]:
    """A case for each combination of values that are lists."""
    own = [key for key in table.values if key not in _KEYS and key not in _ARGUMENTS]
    given = {key: table.values[key] for key in table.values if key not in ("matrix", "compute_s")}
    endings = table.table("figures", {"": ""}).values
    if "figures" in given:
        given["figures"] = list(endings)
    named = [key for key in ("pattern", "matrix") if table.holds(key)]
    if len(named) != 1:
        raise table.error("pattern", given.get("pattern", ""), "either a pattern or a matrix")
    for pattern in _listed(given.get("pattern", [])):
        if pattern not in STEPS:
            near = did_you_mean(str(pattern), STEPS)
            raise table.error("pattern", pattern, f"one of {', '.join(STEPS)}{near}")
    for key in [*own, "machine"]:
        if not isinstance(given.get(key), str | list):
            raise table.error(key, given.get(key), "a label, or a list of them")
    lists = [_listed(value) for value in given.values()]
    compute_s = Formula.read(table.get("compute_s", str)) if table.holds("compute_s") else None
    cases = []
    for values in itertools.product(*lists):
        labels = dict(zip(given, values, strict=True))
        cases.append(
            PlacedCase(
                machine=f"{labels['machine']}{endings[labels.get('figures', '')]}",
                pattern=labels.get("pattern", ""),
                stored=_filled(table, "matrix", labels) if table.holds("matrix") else "",
                values=labels,
                compute_s=compute_s,
            )
        )
    return cases


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
