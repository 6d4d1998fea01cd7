"""Section: a table of texts with notes; a page may have several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from corewise.text.table import TextTable


@dataclass(frozen=True)
class Head:
    """The heading of a column; columns of numbers are aligned right."""

    name: str
    number: bool


@dataclass(frozen=True)
class Context:
    """What the template shows."""

    heads: list[Head]
    rows: Sequence[Sequence[str]]
    notes: list[str]


def context(table: TextTable) -> Context:
    """Separates each heading from its alignment."""
    heads = [Head(head[1:], head[0] == ">") for head in table.heads]
    return Context(heads, table.rows, table.notes)
