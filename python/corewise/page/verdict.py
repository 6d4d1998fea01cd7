"""Section: the answer first. Does it matter, by how much, did it help, what does that rest on."""

from __future__ import annotations

import shlex
from typing import Any

from corewise.nouns.tune_result import TuneResult
from corewise.statistics import LEAST_REPEATS

TITLE = "Verdict"
# Whether placement matters, as the measurement answers it; the box has the answer's colour.
MEASURED = {
    "best is faster": "yes",
    "default is faster": "no",
    "default is best": "no",
    "no difference": "no",
    "no messages": "no",
    "too short to tell": "unsure",
}


def context(result: TuneResult) -> dict[str, Any]:
    """What the template shows; every percentage comes with its formula."""
    started = [run for run in result.runs if run.has_processes]
    found = result.headline
    return {
        "matters": MEASURED.get(found.conclusion, result.advice.matters),
        "headline": found,
        "predicted": result.advice.gain,
        "predicted_of": result.advice.gain_of,
        "predicted_formula": result.advice.gain_formula,
        "predicted_from": result.predicted_from,
        "measured": result.gain,
        "same_as": result.same_as.get("best"),
        "least_repeats": LEAST_REPEATS,
        "settings": shlex.join(result.settings),
        "settings_gain": result.settings_gain,
        "verified": result.verified,
        "n_wrong": sum(not rank.ok for run in started for rank in run.ranks),
        "n_ranks": sum(len(run.ranks) for run in started),
        "n_asked": sum(rank.os_pus_wanted is not None for run in started for rank in run.ranks),
        "n_runs": len(started),
        "was_traced": result.traced is not None,
        "failures": result.failures,
        "n_failed": sum(run.exit_code != 0 for run in started),
        "n_unknown": sum(run.verified is None for run in started),
        "offer_spread": result.advice.offer_spread,
        "rests_on": _rests_on(result),
        "notes": result.notes,
    }


def _rests_on(result: TuneResult) -> list[tuple[str, str]]:
    """(what, where it comes from) for each thing the verdict needs."""
    traced = "measured, traced in one run of the program"
    if not result.profile.complete:
        traced += "; the profile is incomplete"
    rows = [("Traffic", traced)]
    by_source: dict[str, list[str]] = {}
    for level in result.machine.levels:
        by_source.setdefault(level.source, []).append(level.name)
    rows += [(f"Latency and bandwidth: {', '.join(names)}", source) for source, names in by_source.items()]
    sources = sorted({run.source for run in result.runs})
    rows.append(("Run times", ", ".join(sources) if sources else "none: the placements were not run"))
    return rows
