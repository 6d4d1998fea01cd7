"""Formats tables in aligned columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class TextTable:
    """`heads` start with their alignment, `<` or `>`; `notes` are sentences."""

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: list[str] = field(default_factory=list)


def text_table(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a table below an empty line and a title; empty without rows.

    Each head starts with its column's alignment, `<` or `>`.
    """
    if not rows:
        return []
    names = [head[1:] for head in heads]
    widths = [max(len(row[i]) for row in [names, *rows]) for i in range(len(heads))]
    lines = [
        "  ".join(f"{cell:{head[0]}{width}}" for cell, head, width in zip(row, heads, widths, strict=True))
        for row in [names, *rows]
    ]
    return ["", title, *(f"  {line}".rstrip() for line in lines)]
