"""The figures that a sweep's specification asks for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from corewise.errors import did_you_mean
from corewise.plugin.documents import Table

KINDS = ("bars", "scatter")


@dataclass(frozen=True)
class Bars:
    """Bars in groups: a panel for each value of the sweep's `group_by`, a colour for each of `series`."""

    series: str


@dataclass(frozen=True)
class Scatter:
    """A point for each pair of configurations that differ in `axis` alone: its value `x` right, `y` up."""

    axis: str
    x: str
    y: str
    series: str


Axes = dict[str, dict[str, list[str]]]


def read_figures(tables: list[Table], axes: Axes) -> list[Bars | Scatter]:
    """The [[figures]] of a specification; raises InputError with the key that is wrong."""
    return [_figure(table, axes) for table in tables]


def check_axis(table: Table, key: str, axes: dict[str, Any]) -> str:
    """The axis that `key` names; raises InputError, with the nearest name, where there is none."""
    name: str = table.get(key, str)
    if name not in axes:
        raise table.error(key, name, f"an axis ({', '.join(axes)}){did_you_mean(name, axes)}")
    return name


def check_label(table: Table, key: str, values: dict[str, Any]) -> str:
    """The label at `key`; raises InputError, with the nearest, where an axis has no such value."""
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
