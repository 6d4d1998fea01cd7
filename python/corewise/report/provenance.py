"""Section: how all of this was obtained."""

from __future__ import annotations

import shlex

from corewise import __version__
from corewise.files.tune import TuneResult

TITLE = "How this was obtained"


def context(result: TuneResult) -> dict:
    """Commands, versions, conditions, and what went wrong on the way."""
    ran = [candidate for candidate in result.candidates if candidate.runs]
    commands = {candidate.label: shlex.join(candidate.runs[0].command) for candidate in ran}
    profile = result.profile
    return {
        "command": shlex.join(result.command),
        "commands": commands,
        "conditions": {"corewise": __version__, "date": result.date} | result.conditions,
        "machine": result.machine,
        "complete": profile.complete,
        "faults": list(profile.faults),
    }
