"""Results of any kind of runs as rows, on which claims and figures are based."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from corewise.plugin.figures import TextTable


@dataclass(frozen=True)
class ResultRow:
    """A result: `labels` by axis identify it, `values` are numbers by column, None if missing.

    Times are in s, sizes in bytes.
    """

    labels: dict[str, str]
    values: Mapping[str, float | None]

    def number(self, column: str) -> float:
        """The value of a column, which must not be missing."""
        value = self.values[column]
        assert value is not None
        return value

    def to_json(self) -> dict[str, Any]:
        """Labels and values in one object."""
        return {**self.labels, **self.values}


@dataclass(frozen=True)
class Outcome:
    """The results of runs with one name.

    `decides` is whether they can decide claims about the paper's machine, and `because` is the reason.
    `failed` is whether a run failed or had another binding than the wanted one. `tables`, by title, are for
    people; `document` is for programs.
    """

    rows: list[ResultRow]
    decides: bool
    because: str
    failed: bool = False
    notes: list[str] = field(default_factory=list)
    tables: dict[str, TextTable] = field(default_factory=dict)
    document: dict[str, Any] = field(default_factory=dict)


def matching(rows: Iterable[ResultRow], wanted: dict[str, list[str]]) -> list[ResultRow]:
    """Rows that have, on each axis of `wanted`, one of its labels."""
    return [row for row in rows if all(row.labels.get(axis) in labels for axis, labels in wanted.items())]


def grouped(rows: Iterable[ResultRow], axes: list[str]) -> dict[tuple[str, ...], list[ResultRow]]:
    """Groups of rows with the same labels on `axes`, in order, without rows that lack an axis."""
    groups: dict[tuple[str, ...], list[ResultRow]] = {}
    for row in rows:
        if all(axis in row.labels for axis in axes):
            groups.setdefault(tuple(row.labels[axis] for axis in axes), []).append(row)
    return groups
