"""Draws the figures of a study from its rows, with points from the paper."""

from __future__ import annotations

from collections.abc import Mapping

from corewise.plugin.figures import link_curves
from corewise.statistics import Interval

from corewise_laboratory.plots import png
from corewise_laboratory.plots.interval_bars import interval_bars_png
from corewise_laboratory.plots.scatter import Point, scatter_png
from corewise_laboratory.plots.value_curves import value_curves_png
from corewise_laboratory.studies.figure_spec import StudyFigure
from corewise_laboratory.studies.formula import MissingValue
from corewise_laboratory.studies.result import Verdict
from corewise_laboratory.studies.rows import Outcome, ResultRow, grouped, matching
from corewise_laboratory.studies.study_file import Study

PAPER = "paper: "

# [panel][x][series]; None if a number is missing.
Grid = dict[str, dict[str, dict[str, Interval | None]]]


def draw_study(study: Study, outcomes: Mapping[str, Outcome], verdicts: list[Verdict]) -> dict[str, bytes]:
    """PNG files by name: figures whose runs have rows, and claims with a number of the paper and ours."""
    drawn = {}
    for number, figure in enumerate(study.figures, start=1):
        rows = matching(outcomes[figure.runs].rows, figure.where) if figure.runs in outcomes else []
        if rows:
            drawn[f"figure-{number}.png"] = _draw(study, figure, rows)
    compared = claims_compared(verdicts)
    if compared:
        title = f"{study.name}: claims compared with the paper"
        drawn["claims.png"] = interval_bars_png(compared, "the claim's formula", title)
    return drawn


def _draw(study: Study, figure: StudyFigure, rows: list[ResultRow]) -> bytes:
    title = f"{study.name}: figure {figure.name}"
    if figure.kind == "scatter":
        right, up = (f"{figure.label}, {figure.axis}: {end}" for end in figure.ends)
        return scatter_png(scatter_points(figure, rows), right, up, title)
    if figure.kind == "link-curves":
        return png(link_curves(_link_points(figure, rows), title))
    grid = grid_of(figure, rows)
    if figure.kind == "bars":
        return interval_bars_png(grid, figure.label, title)
    return value_curves_png(_curves(grid), " ".join(figure.x), figure.label, title)


def grid_of(figure: StudyFigure, rows: list[ResultRow]) -> Grid:
    """The values of bars or curves; the paper's points are separate series."""
    axes = [*figure.panel, *figure.x, *figure.series]
    several = {axis for axis in axes if len({row.labels.get(axis) for row in rows}) > 1}
    grid: Grid = {}
    for group in grouped(rows, axes).values():
        labels = group[0].labels
        panel, x = (_joined(labels, names, several) for names in (figure.panel, figure.x))
        series = _joined(labels, figure.series, set(figure.series)) or "ours"
        grid.setdefault(panel, {}).setdefault(x, {})[series] = value_of(figure, group)
    for point in figure.paper:
        value = Interval(point.value, point.value, point.value, 1)
        bars = grid.setdefault(point.panel, {}).setdefault(point.x, {})
        bars[f"{PAPER}{point.series}".removesuffix(": ")] = value
    return grid


def value_of(figure: StudyFigure, group: list[ResultRow]) -> Interval | None:
    """The value of a group; with the row's interval if it is the time of a single row."""
    try:
        value = float(figure.value.value(group))
    except MissingValue:
        return None
    numbers = group[0].values
    low, high = numbers.get("low"), numbers.get("high")
    if len(group) == 1 and value == numbers.get("t") and low is not None and high is not None:
        return Interval(low, value, high, 1)
    return Interval(value, value, value, 1)


def scatter_points(figure: StudyFigure, rows: list[ResultRow]) -> dict[str, list[Point]]:
    """Pairs of rows that differ only in the figure's axis and have values, by series."""
    others = [axis for axis in rows[0].labels if axis != figure.axis]
    several = {axis for axis in others if len({row.labels[axis] for row in rows}) > 1}
    found: dict[str, list[Point]] = {}
    for group in grouped(rows, others).values():
        by_end = {row.labels[figure.axis]: value_of(figure, [row]) for row in group}
        x, y = (by_end.get(end) for end in figure.ends)
        if x and y:
            labels = group[0].labels
            rest = [axis for axis in others if axis not in figure.series]
            point = Point(x, y, _joined(labels, rest, several))
            found.setdefault(_joined(labels, figure.series, set(figure.series)), []).append(point)
    return found


def claims_compared(verdicts: list[Verdict]) -> Grid:
    """A panel for each claim with a number from the paper and numbers of one or several readings."""
    panels: Grid = {}
    for verdict in verdicts:
        several = verdict.ours if isinstance(verdict.ours, list) else []
        ours = dict(zip(verdict.readings, several, strict=False)) or {"": verdict.ours}
        bars = {"paper": verdict.paper} | {
            f"ours, {name}".removesuffix(", "): of for name, of in ours.items()
        }
        if all(isinstance(value, int | float) for value in bars.values()):
            panels[verdict.id] = {"": {name: Interval(of, of, of, 1) for name, of in bars.items()}}
    return panels


def _joined(labels: dict[str, str], axes: list[str], several: set[str]) -> str:
    """The labels of axes that are in `several`; numbers with their axis, unless there is only one."""
    kept = [axis for axis in axes if axis in several]
    if len(kept) == 1 and len(axes) == 1:
        return labels[kept[0]]
    return ", ".join(f"{axis} {labels[axis]}" if labels[axis].isdecimal() else labels[axis] for axis in kept)


def _curves(grid: Grid) -> dict[str, dict[str, list[tuple[str, float]]]]:
    """[panel][series], points (x, value) without missing values."""
    panels: dict[str, dict[str, list[tuple[str, float]]]] = {}
    for panel, by_x in grid.items():
        for x, values in by_x.items():
            for series, value in values.items():
                if value is not None:
                    panels.setdefault(panel, {}).setdefault(series, []).append((x, value.expected))
    return panels


def _link_points(
    figure: StudyFigure, rows: list[ResultRow]
) -> dict[str, list[tuple[int, float, float, float]]]:
    return {
        ", ".join(key): [
            (int(row.number("size")), row.number("t"), row.number("low"), row.number("high")) for row in group
        ]
        for key, group in grouped(rows, figure.series).items()
    }
