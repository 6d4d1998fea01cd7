"""The figures of a study, as its file describes them, with points from the paper."""

from __future__ import annotations

from dataclasses import dataclass

from corewise.errors import did_you_mean
from corewise.plugin.documents import Table

from corewise_laboratory.studies.claims import run_named
from corewise_laboratory.studies.formula import Formula

KINDS = ("bars", "curves", "link-curves", "scatter")


@dataclass(frozen=True)
class PaperPoint:
    """A number from the paper for a figure; `source` is where the paper has it."""

    panel: str
    x: str
    series: str
    value: float
    source: str


@dataclass(frozen=True)
class StudyFigure:
    """A figure; `name` is its number in the paper.

    Rows of `runs` with the labels `where` are grouped by the axes of `panel`, `x` and `series`, and `value`
    is computed for each group. `label` is quantity and unit. A scatter plot compares two labels of `axis`:
    `ends` has the one on the x axis, then the one on the y axis.
    """

    name: str
    runs: str
    kind: str
    where: dict[str, list[str]]
    panel: list[str]
    x: list[str]
    series: list[str]
    value: Formula
    label: str
    axis: str
    ends: tuple[str, str]
    paper: list[PaperPoint]


def read_figure(table: Table, axes_of_runs: dict[str, list[str]]) -> StudyFigure:
    """Reads an entry of [[figures]]; raises InputError with the wrong key."""
    kind = table.get("kind", str)
    if kind not in KINDS:
        raise table.error("kind", kind, f"one of {', '.join(KINDS)}{did_you_mean(kind, KINDS)}")
    known = ("figure", "runs", "kind", "where", "panel", "x", "series", "value", "label", "paper")
    table.refuse_others((*known, *(("axis", "right", "up") if kind == "scatter" else ())))
    runs = run_named(table, list(axes_of_runs))
    axes = axes_of_runs[runs]

    def named(key: str) -> list[str]:
        names = table.texts(key, [])
        for name in names:
            if name not in axes:
                raise table.error(key, name, f"an axis ({', '.join(axes)}){did_you_mean(name, axes)}")
        return names

    with table.building("value"):
        value = Formula.read(table.get("value", str, "t()"))
    where = table.table("where", {})
    scatter = kind == "scatter"
    return StudyFigure(
        name=table.get("figure", str),
        runs=runs,
        kind=kind,
        where={axis: where.texts(axis) for axis in where.values},
        panel=named("panel"),
        x=named("x"),
        series=named("series"),
        value=value,
        label=table.get("label", str, "time (s)"),
        axis=table.get("axis", str) if scatter else "",
        ends=(table.get("right", str), table.get("up", str)) if scatter else ("", ""),
        paper=[_paper_point(point) for point in table.tables("paper", [])],
    )


def _paper_point(table: Table) -> PaperPoint:
    table.refuse_others(("panel", "x", "series", "value", "source"))
    return PaperPoint(
        panel=table.get("panel", str, ""),
        x=table.get("x", str, ""),
        series=table.get("series", str, ""),
        value=table.number("value"),
        source=table.get("source", str),
    )
