"""Section: a table of texts with sentences on how to read it; a page may hold several."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class TextTable:
    """`heads` start with their alignment, `<` or `>`, as text_table has them; `notes` are sentences."""

    heads: list[str]
    rows: list[list[str]]
    notes: list[str] = field(default_factory=list)


def context(table: TextTable) -> dict[str, Any]:
    """What the template takes."""
    heads = [{"name": head[1:], "number": head[0] == ">"} for head in table.heads]
    return {"heads": heads, "rows": table.rows, "notes": table.notes}
