"""Kind `links`: the time of a message by size on links of machines, from their machine files."""

from __future__ import annotations

from dataclasses import dataclass

import corewise
from corewise.errors import InputError
from corewise.model import LinkFigures
from corewise.plugin.documents import Table

from corewise_laboratory.studies.kinds.kind import Kind, Runs, StudyOptions
from corewise_laboratory.studies.rows import Outcome, ResultRow


@dataclass(frozen=True)
class LinkCurve:
    """A level of a machine (M as on the command line); `link` is its label in figures and claims."""

    link: str
    machine: str
    level: str


@dataclass(frozen=True)
class LinksSpec:
    """`sizes_bytes` are for machine files without a curve."""

    sizes_bytes: list[int]
    curves: list[LinkCurve]

    axes = ("link", "size")


def _read(table: Table) -> LinksSpec:
    table.refuse_others(("kind", "sizes", "curves"))
    curves = []
    for entry in table.tables("curves"):
        entry.refuse_others(("link", "machine", "level"))
        curves.append(LinkCurve(*(entry.get(key, str) for key in ("link", "machine", "level"))))
    return LinksSpec(table.whole_numbers("sizes"), curves)


def _run(runs: Runs, options: StudyOptions) -> Outcome:
    options.tell("reading the machines' link figures")
    spec: LinksSpec = runs.spec
    rows = [row for curve in spec.curves for row in _rows(curve, _figures(curve), spec.sizes_bytes)]
    sources = {curve.link: _figures(curve).source for curve in spec.curves}
    return Outcome(
        rows=rows,
        decides=True,
        because="from the machine file's latency and bandwidth",
        notes=[f"{link}: {source}." for link, source in sources.items()],
        document={"rows": [row.to_json() for row in rows], "sources": sources},
    )


def _figures(curve: LinkCurve) -> LinkFigures:
    machine = corewise.machine(curve.machine)
    for level in machine.levels:
        if curve.level in level.names:
            return level.link
    names = ", ".join(level.name for level in machine.levels)
    raise InputError(f"{curve.machine} has no level '{curve.level}'; expected one of {names}")


def _rows(curve: LinkCurve, figures: LinkFigures, sizes_bytes: list[int]) -> list[ResultRow]:
    """The file's curve, else times by latency and bandwidth for the given sizes."""
    assumed = [(size, figures.latency_s + size / figures.bandwidth_bytes_per_s) for size in sizes_bytes]
    points = figures.curve or [(size, time_s, time_s, time_s) for size, time_s in assumed]
    constant = {"latency_s": figures.latency_s, "bandwidth_bytes_per_s": figures.bandwidth_bytes_per_s}
    return [
        ResultRow(
            {"link": curve.link, "size": str(size)},
            {"size": float(size), "t": time_s, "low": low_s, "high": high_s} | constant,
        )
        for size, time_s, low_s, high_s in points
    ]


KIND = Kind(
    name="links",
    sentence="time of one message by its size, from machine files: their curves, or latency and bandwidth",
    starts=False,
    read=_read,
    run=_run,
    source_of=lambda _: "computed",
)
