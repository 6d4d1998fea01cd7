"""Draws the figures of a study from its rows."""

from __future__ import annotations

import numpy as np
from corewise.statistics import Interval

from corewise_laboratory.plots.interval_bars import interval_bars_png
from corewise_laboratory.plots.value_curves import value_curves_png
from corewise_laboratory.studies.rows import MissingValue, Rows
from corewise_laboratory.studies.study import Figure, Judged

# [panel][x][series]; None if a number is missing.
Grid = dict[str, dict[str, dict[str, Interval | None]]]


def draw_study(judged: Judged) -> dict[str, bytes]:
    """PNG files by name: the figures whose runs have rows."""
    drawn = {}
    for number, figure in enumerate(judged.study.figures, start=1):
        outcome = judged.outcomes.get(judged.study.runs_of(figure))
        rows = outcome.rows.where(**figure.where) if outcome else Rows([])
        if len(rows):
            drawn[f"figure-{number}.png"] = _draw(figure, rows, f"{judged.study.name}: figure {figure.name}")
    return drawn


def _draw(figure: Figure, rows: Rows, title: str) -> bytes:
    grid = grid_of(figure, rows)
    if figure.kind == "bars":
        return interval_bars_png(grid, figure.label, title)
    curves: dict[str, dict[str, list[tuple[str, float]]]] = {}
    for panel, by_x in grid.items():
        for x, bars in by_x.items():
            for series, value in bars.items():
                if value is not None:
                    curves.setdefault(panel, {}).setdefault(series, []).append((x, value.expected))
    return value_curves_png(curves, " ".join(figure.x), figure.label, title)


def grid_of(figure: Figure, rows: Rows) -> Grid:
    """The values of bars or curves."""
    grid: Grid = {}
    for labels, group in rows.groups(*figure.panel, *figure.x, *figure.series).items():
        names = iter(labels)
        panel, x, series = (
            ", ".join(
                f"{axis} {name}" if name.isdecimal() and len(axes) > 1 else name for axis, name in of_axes
            )
            for axes, of_axes in (
                (axes, [(axis, next(names)) for axis in axes])
                for axes in (figure.panel, figure.x, figure.series)
            )
        )
        grid.setdefault(panel, {}).setdefault(x, {})[series or "ours"] = _value(figure, group)
    return grid


def _value(figure: Figure, group: Rows) -> Interval | None:
    """The value of a group; with the row's interval if it is the time of a single row."""
    try:
        value = float(np.asarray(figure.value(group)).item())
    except (MissingValue, ZeroDivisionError):
        return None
    if len(group) == 1:
        (row,) = group
        low, high = row.values.get("low"), row.values.get("high")
        if value == row.values.get("t") and low is not None and high is not None:
            return Interval(low, value, high, 1)
    return Interval(value, value, value, 1)
