"""The improvement by the best placement, and what the studies of this paper share."""

from __future__ import annotations

from corewise_laboratory.studies.rows import Column, Labels, Rows
from corewise_laboratory.studies.study import Figure

MACHINES = ["draco", "jaguar-xt5"]


def improvement(rows: Rows, **labels: Labels) -> Column:
    """t_worst / t_best - 1 of each case."""
    return rows("t", placement="worst", **labels) / rows("t", placement="best", **labels) - 1


def least_improvement(rows: Rows) -> float:
    """The least improvement of all cases."""
    return float(improvement(rows).min())


def greatest_improvement(rows: Rows) -> float:
    """The greatest improvement of all cases."""
    return float(improvement(rows).max())


def single_improvement(rows: Rows) -> float:
    """The improvement of the only case."""
    return float(improvement(rows).item())


def improvement_figure(name: str, x: str, series: list[str], panel: list[str]) -> Figure:
    """Improvements as bars."""
    return Figure(name, [x], series, panel, improvement, "t_worst / t_best - 1")
