"""Section: the estimates of a sweep, one row a configuration."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

TITLE = "Estimates"


def context(heads: Sequence[str], rows: Sequence[Sequence[str]], notes: Sequence[str]) -> dict[str, Any]:
    """`heads` start with their alignment, `<` or `>`; cells and notes are texts for people."""
    return {
        "heads": [{"name": head[1:], "number": head[0] == ">"} for head in heads],
        "rows": rows,
        "notes": notes,
    }
