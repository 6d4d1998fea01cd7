"""Draws the figures of a study from its rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from corewise.statistics import Interval

from corewise_laboratory.plots.interval_bars import interval_bars_png
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
            title = f"{judged.study.name}: figure {figure.name}"
            drawn[f"figure-{number}.png"] = interval_bars_png(grid_of(figure, rows), figure.label, title)
    return drawn


def grid_of(figure: Figure, rows: Rows) -> Grid:
    """The values of the bars."""
    grid: Grid = {}
    for group in rows.groups(*figure.panel, *figure.x, *figure.series).values():
        panel, x, series = (_label(group, axes) for axes in (figure.panel, figure.x, figure.series))
        grid.setdefault(panel, {}).setdefault(x, {})[series or "ours"] = _value(figure, group)
    return grid


def _label(group: Rows, axes: Sequence[str]) -> str:
    """The labels of a group on axes; numbers with their axis, unless there is only one."""
    labels = {axis: group.labels(axis)[0] for axis in axes}
    named = len(labels) > 1
    return ", ".join(f"{axis} {one}" if named and one.isdecimal() else one for axis, one in labels.items())


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
