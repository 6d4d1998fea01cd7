"""Result rows of a study: labels by axis and numbers by column, and functions of columns for claims."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Labels = str | Sequence[str]
Column = NDArray[np.float64]


class MissingValue(Exception):
    """A row or number is missing, so that a claim can't be decided."""


@dataclass(frozen=True)
class Row:
    """A result: `labels` by axis identify it, `values` are numbers by column, None if missing.

    Times are in s, sizes in bytes.
    """

    labels: dict[str, str]
    values: Mapping[str, float | None]


class Rows:
    """Rows in the order of the runs. Called with a column, they return its numbers as an array."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = list(rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __call__(self, column: str, **labels: Labels) -> Column:
        """The numbers of a column in the rows with these labels; raises MissingValue."""
        found = [row.values.get(column) for row in self.where(**labels)]
        if not found or None in found:
            raise MissingValue(f"a number of {column} is missing" if found else f"no row for {column}")
        return np.array(found, dtype=np.float64)

    def where(self, **labels: Labels) -> Rows:
        """The rows that have, on each axis, the label or one of several labels."""
        wanted = {axis: [names] if isinstance(names, str) else names for axis, names in labels.items()}
        return Rows(
            [row for row in self if all(row.labels.get(axis) in names for axis, names in wanted.items())]
        )

    def labels(self, axis: str) -> list[str]:
        """The different labels of an axis, in order."""
        return list(dict.fromkeys(row.labels[axis] for row in self if axis in row.labels))

    def groups(self, *axes: str) -> dict[tuple[str, ...], Rows]:
        """Groups of rows with the same labels on `axes`, in order, without rows that lack an axis."""
        groups: dict[tuple[str, ...], list[Row]] = {}
        for row in self:
            if all(axis in row.labels for axis in axes):
                groups.setdefault(tuple(row.labels[axis] for axis in axes), []).append(row)
        return {labels: Rows(rows) for labels, rows in groups.items()}

    def per(self, *axes: str) -> list[Rows]:
        """The groups of groups(), without their labels; raises MissingValue if there is none."""
        found = list(self.groups(*axes).values())
        if not found:
            raise MissingValue("no row to judge it by")
        return found


def spearman(left: np.ndarray, right: np.ndarray) -> float:
    """Spearman's rank correlation; equal values get the mean of their ranks."""
    ranks = np.array([_mean_ranks(values) for values in (left, right)])
    if (np.ptp(ranks, axis=1) == 0).any():
        raise MissingValue("all values are equal")
    return float(np.corrcoef(ranks)[0, 1])


def _mean_ranks(values: np.ndarray) -> np.ndarray:
    _, where, counts = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[where]


def least_wrong(ratios: np.ndarray, impacts: np.ndarray, below: float, at_least: float) -> float:
    """The fraction of cases that the best threshold on `ratios` classifies wrong.

    Expected is an impact of at least `at_least` up to the threshold, and below `below` above it. Cases with
    an impact between both are left out.
    """
    decided = (impacts < below) | (impacts >= at_least)
    ratios, matters = ratios[decided], impacts[decided] >= at_least
    if not len(ratios):
        raise MissingValue("no case is decided")
    thresholds = [-np.inf, *ratios]
    return float(min(np.mean((ratios <= threshold) != matters) for threshold in thresholds))
