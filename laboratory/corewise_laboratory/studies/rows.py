"""Rows: what the runs of a study come to, whatever their kind; claims and figures look at nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from corewise.plugin.figures import TextTable


@dataclass(frozen=True)
class ResultRow:
    """One point: `labels` say which, by axis; `values` are its numbers by column, None if one is missing.

    Times are in s, sizes in bytes.
    """

    labels: dict[str, str]
    values: Mapping[str, float | None]

    def number(self, column: str) -> float:
        """The value of a column that all rows have."""
        value = self.values[column]
        assert value is not None
        return value

    def to_json(self) -> dict[str, Any]:
        """Labels and values together."""
        return {**self.labels, **self.values}


@dataclass(frozen=True)
class Outcome:
    """What the runs of one name came to.

    `decides`: they are about the paper's machine, so that they decide claims about it; `because` says so in a
    sentence, and why not otherwise. `failed`: a run failed, or
    a binding wasn't the one asked for. `tables` by title and `document` are for people and programs.
    """

    rows: list[ResultRow]
    decides: bool
    because: str
    failed: bool = False
    notes: list[str] = field(default_factory=list)
    tables: dict[str, TextTable] = field(default_factory=dict)
    document: dict[str, Any] = field(default_factory=dict)


def matching(rows: Iterable[ResultRow], wanted: dict[str, list[str]]) -> list[ResultRow]:
    """Rows that have one of the wanted labels on each axis."""
    return [row for row in rows if all(row.labels.get(axis) in labels for axis, labels in wanted.items())]


def grouped(rows: Iterable[ResultRow], axes: list[str]) -> dict[tuple[str, ...], list[ResultRow]]:
    """Rows that agree on all `axes`, in the order in which they come, without those that lack an axis."""
    groups: dict[tuple[str, ...], list[ResultRow]] = {}
    for row in rows:
        if all(axis in row.labels for axis in axes):
            groups.setdefault(tuple(row.labels[axis] for axis in axes), []).append(row)
    return groups
