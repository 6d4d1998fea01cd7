"""Section: the exact command, environment and files that start the program under the best placement."""

from __future__ import annotations

from typing import Any

from corewise.nouns.tune_result import TuneResult

TITLE = "How to apply it"


def context(result: TuneResult) -> dict[str, Any] | None:
    """None where the result carries no launch plan."""
    if result.plan is None:
        return None
    return {
        "command": result.plan.command_text,
        "files": sorted(result.plan.files.items()),
        "notes": result.plan.notes,
    }
