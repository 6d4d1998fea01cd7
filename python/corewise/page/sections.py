"""Small sections: the command to copy, the machine, the traffic, tables, the timeline, and the origin."""

from __future__ import annotations

from typing import Any

import numpy as np

from corewise.nouns.run import by_key, key_names
from corewise.nouns.timeline import Timeline
from corewise.nouns.tune_result import TuneResult
from corewise.text.escaping import shell_text
from corewise.version import __version__

Shown = dict[str, Any]  # what a template reads


def apply(result: TuneResult) -> Shown | None:
    """The plan, or the commands to make one; None if a command was run, but mapped for another machine."""
    if result.plan:
        return {"plan": result.plan}
    if not result.read_from:
        return None
    of_input = shell_text(result.command[2:])  # corewise report INPUT --machine M
    return {
        "plan": None,
        "commands": [
            f"corewise map {of_input} -o best.json",
            "corewise run --placement best.json -- LAUNCHER ... APP ...",
        ],
    }


def tree(result: TuneResult) -> Shown:
    """The machine; the script draws it with the ranks of each placement."""
    return {"machine": result.machine}


def matrix(result: TuneResult) -> Shown:
    """The totals of the traffic; the script draws the matrix."""
    matrix = result.traffic.folded()
    src, dst, *_ = matrix.columns()
    phases = len(result.traffic.phases)
    n_pairs = int((src != dst).sum())
    return {"matrix": matrix, "n_pairs": n_pairs, "n_phases": phases, "ratio": result.advice.ratio}


def ranks(result: TuneResult) -> Shown:
    """The place of the tables of ranks, pairs and calls, which the script fills."""
    return {}


def timeline(found: Timeline | None, trace: str) -> Shown | None:
    """The times of the calls, most time first; None if no events were recorded.

    `trace` is the name of a file next to the page with all events, "" without one.
    """
    if found is None:
        return None
    times_s = np.subtract(found.ends_s, found.begins_s)
    of_call = np.bincount(found.call, times_s, len(found.calls)).tolist()
    calls = sorted(zip(found.calls, of_call, strict=True), key=lambda call: -call[1])
    return {"timeline": found, "trace": trace, "n_ranks": len(set(found.rank)), "calls": calls}


def provenance(result: TuneResult) -> Shown:
    """Commands, versions, conditions, and what went wrong on the way."""
    ran = by_key(result.runs)
    names = key_names(ran)
    return {
        "command": shell_text(result.command),
        "commands": [(key.label, names[key], shell_text(runs[0].command)) for key, runs in ran.items()],
        "conditions": {"corewise": __version__, "date": result.date} | result.conditions,
        "machine": result.machine,
        "profile": result.profile,
    }
