"""The figures in a sweep's specification."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from corewise.errors import did_you_mean
from corewise.plugin.documents import Table

KINDS = ("bars", "scatter")


@dataclass(frozen=True)
class Bars:
    """Groups of bars: a panel per label of the sweep's `group_by`, a colour per label of `series`."""

    series: str


@dataclass(frozen=True)
class Scatter:
    """A point for each pair of configurations that differ only in `axis`, with labels `x` and `y`."""

    axis: str
    x: str
    y: str
    series: str


Axes = dict[str, dict[str, list[str]]]


def read_figures(tables: list[Table], axes: Axes) -> list[Bars | Scatter]:
    """Reads [[figures]]; raises InputError with the wrong key."""
    return [_figure(table, axes) for table in tables]


def check_axis(table: Table, key: str, axes: dict[str, Any]) -> str:
    """The axis that is the value of `key`; raises InputError for another value."""
    name: str = table.get(key, str)
    if name not in axes:
        raise table.error(key, name, f"an axis ({', '.join(axes)}){did_you_mean(name, axes)}")
    return name


def check_label(table: Table, key: str, values: dict[str, Any]) -> str:
    """The label that is the value of `key`; raises InputError if it is not in `values`."""
    label = str(table.values.get(key, ""))
    if label not in values:
        raise table.error(key, label, f"one of {', '.join(values)}{did_you_mean(label, values)}")
    return label


def _figure(table: Table, axes: Axes) -> Bars | Scatter:
    kind = table.get("kind", str)
    if kind not in KINDS:
        raise table.error("kind", kind, f"{' or '.join(KINDS)}{did_you_mean(kind, KINDS)}")
    if kind == "bars":
        table.refuse_others(("kind", "series"))
        return Bars(check_axis(table, "series", axes))
    table.refuse_others(("kind", "axis", "x", "y", "series"))
    axis = check_axis(table, "axis", axes)
    x, y = (check_label(table, key, axes[axis]) for key in ("x", "y"))
    series = check_axis(table, "series", axes)
    if series == axis:
        raise table.error("series", series, f"another axis than '{axis}', whose values are x and y")
    return Scatter(axis, x, y, series)
