"""Section: how all of this was obtained."""

from __future__ import annotations

from typing import Any

from corewise import __version__
from corewise.nouns.run import by_key, key_names
from corewise.nouns.tune_result import TuneResult
from corewise.text.any_bytes import shell_text

TITLE = "How this was obtained"


def context(result: TuneResult) -> dict[str, Any]:
    """Commands, versions, conditions, and what went wrong on the way."""
    ran = by_key(result.runs)
    names = key_names(ran)
    profile = result.profile
    return {
        "command": shell_text(result.command),
        "commands": [
            {"label": key.label, "name": names[key], "text": shell_text(repeats[0].command)}
            for key, repeats in ran.items()
        ],
        "conditions": {"corewise": __version__, "date": result.date} | result.conditions,
        "machine": result.machine,
        "complete": profile.complete,
        "faults": profile.faults,
    }
