"""Section: a table of texts with sentences on how to read it; a page may hold several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from corewise.text.table import TextTable


@dataclass(frozen=True)
class Head:
    """Of a column: one of numbers is aligned right."""

    name: str
    number: bool


@dataclass(frozen=True)
class Context:
    """What the template takes."""

    heads: list[Head]
    rows: Sequence[Sequence[str]]
    notes: list[str]


def context(table: TextTable) -> Context:
    """The heads with their alignment apart."""
    heads = [Head(head[1:], head[0] == ">") for head in table.heads]
    return Context(heads, table.rows, table.notes)
