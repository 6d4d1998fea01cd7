"""Section: the tables of the page's data (ranks, pairs, calls, ...); the script shows all rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from corewise.nouns.page_data import Kind, PageTable
from corewise.page.tables import Head
from corewise.text.quantities import bytes_text, percent_text, seconds_text

TITLE = "Ranks and pairs"
MOST_ROWS = 32  # without the script


@dataclass(frozen=True)
class Shown:
    """The first rows of a table as text, and how many more it has."""

    name: str
    title: str
    heads: list[Head]
    rows: list[list[str]]
    n_left: int


@dataclass(frozen=True)
class Context:
    """What the template shows."""

    tables: list[Shown]


def context(tables: Sequence[PageTable]) -> Context | None:
    """The first rows of each table; None without tables."""
    return Context([_shown(table) for table in tables]) if tables else None


def _shown(table: PageTable) -> Shown:
    n_rows = min(MOST_ROWS, table.n_rows)
    heads = [Head(column.name, column.kind not in ("place", "text")) for column in table.columns]
    rows = [[_text(column.kind, column.values[row]) for column in table.columns] for row in range(n_rows)]
    return Shown(table.name, table.title, heads, rows, table.n_rows - n_rows)


def _text(kind: Kind, value: str | float) -> str:
    if isinstance(value, str):
        return value
    if kind == "count":
        return f"{value:,.0f}"
    texts = {"bytes": bytes_text, "seconds": seconds_text, "share": percent_text}
    return texts[kind](value) if kind in texts else f"{value:.0f}"
