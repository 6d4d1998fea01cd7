"""Arranges a sweep's estimates for figures, which corewise_laboratory.plots draws."""

from __future__ import annotations

from itertools import count
from typing import Any

from corewise.statistics import Interval

from corewise_laboratory.plots.interval_bars import Panels, interval_bars_png
from corewise_laboratory.plots.scatter import Point, scatter_png
from corewise_laboratory.sweep.figure_spec import Bars, Scatter
from corewise_laboratory.sweep.spec import SweepSpec
from corewise_laboratory.sweep.summary import ConfigurationResult


def draw_figures(spec: SweepSpec, rows: list[ConfigurationResult]) -> dict[str, bytes]:
    """PNG files by name, in the order of the specification: bars.png, scatter.png, bars-2.png, ..."""
    drawn: dict[str, bytes] = {}
    for figure in spec.figures:
        kind = "bars" if isinstance(figure, Bars) else "scatter"
        names = (f"{kind}.png" if number == 1 else f"{kind}-{number}.png" for number in count(1))
        name = next(name for name in names if name not in drawn)
        drawn[name] = _bars(spec, figure, rows) if isinstance(figure, Bars) else _scatter(spec, figure, rows)
    return drawn


def _bars(spec: SweepSpec, figure: Bars, rows: list[ConfigurationResult]) -> bytes:
    title = f"{spec.name}: {spec.protocol.estimate} by {figure.series}"
    return interval_bars_png(bar_panels(spec, figure, rows), _value_label(spec), title)


def bar_panels(spec: SweepSpec, figure: Bars, rows: list[ConfigurationResult]) -> Panels:
    """Panels by `group_by`, and groups of bars by all axes except this and the series."""
    panels: dict[str, dict[str, dict[str, Interval | None]]] = {}
    for row in rows:
        values = row.configuration.values
        panel = (
            f"{spec.group_by} {values[spec.group_by]}"
            if spec.group_by and spec.group_by != figure.series
            else ""
        )
        group = _others(spec, row, {spec.group_by, figure.series})
        panels.setdefault(panel, {}).setdefault(group, {})[values[figure.series]] = row.interval
    return panels


def _scatter(spec: SweepSpec, figure: Scatter, rows: list[ConfigurationResult]) -> bytes:
    x_label, y_label = (f"{_value_label(spec)}, {figure.axis}: {end}" for end in (figure.x, figure.y))
    return scatter_png(scatter_points(spec, figure, rows), x_label, y_label, spec.name)


def scatter_points(
    spec: SweepSpec, figure: Scatter, rows: list[ConfigurationResult]
) -> dict[str, list[Point]]:
    """Pairs of measured configurations that differ only in the figure's axis, by series."""
    by_rest: dict[tuple[Any, ...], dict[str, ConfigurationResult]] = {}
    for row in rows:
        values = row.configuration.values
        rest = tuple(label for axis, label in values.items() if axis != figure.axis)
        by_rest.setdefault(rest, {})[values[figure.axis]] = row
    series: dict[str, list[Point]] = {}
    for pair in by_rest.values():
        x, y = pair.get(figure.x), pair.get(figure.y)
        if x and y and x.interval and y.interval:
            points = series.setdefault(x.configuration.values[figure.series], [])
            points.append(Point(x.interval, y.interval, _others(spec, x, {figure.axis, figure.series})))
    return series


def _others(spec: SweepSpec, row: ConfigurationResult, left_out: set[str | None]) -> str:
    """Labels of the axes with several values, except `left_out`; numbers with the axis' name."""
    labels = [
        f"{axis} {label}" if label.isdecimal() else label
        for axis, label in row.configuration.values.items()
        if axis not in left_out and len(spec.axes[axis]) > 1
    ]
    return ", ".join(labels)


def _value_label(spec: SweepSpec) -> str:
    if spec.measure.unit == "s":
        return "time (s)"
    return f"{spec.measure.column or 'value'} ({spec.measure.unit})"
