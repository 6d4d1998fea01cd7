"""Section: the exact command, environment and files that start the program under the best placement."""

from __future__ import annotations

from corewise.files.tune import TuneResult
from corewise.text.any_bytes import shell_text

TITLE = "How to apply it"


def context(result: TuneResult) -> dict | None:
    """None where the result carries no launch plan."""
    if result.plan is None:
        return None
    environment = [f"{name}={shell_text([value])}" for name, value in sorted(result.plan.env.items())]
    return {
        "command": " ".join([*environment, shell_text(result.plan.argv)]),
        "files": sorted(result.plan.files.items()),
        "notes": result.plan.notes,
    }
