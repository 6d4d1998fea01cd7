"""Section: the answer: does placement matter, by how much, did it help, and the evidence."""

from __future__ import annotations

import shlex
from typing import Any

from corewise.nouns.tune_result import TuneResult
from corewise.statistics import LEAST_REPEATS

# Whether placement matters, by the measured conclusion; determines the colour of the box.
MEASURED = {
    "best is faster": "yes",
    "default is faster": "no",
    "default is best": "no",
    "no difference": "no",
    "no messages": "no",
    "too short to tell": "unsure",
}


def shown(result: TuneResult) -> dict[str, Any]:
    """The verdict; the counts are of runs that started processes, and of all their ranks."""
    started = [run for run in result.runs if run.has_processes]
    ranks = [rank for run in started for rank in run.ranks]
    found = result.headline
    return {
        "result": result,
        "matters": MEASURED.get(found.conclusion, result.advice.matters),
        "headline": found,
        "advice": result.advice,
        "predicted_from": result.predicted_from,
        "settings": shlex.join(result.settings),
        "rests_on": _rests_on(result),
        "least_repeats": LEAST_REPEATS,
        "n_runs": len(started),
        "n_failed": sum(run.exit_code != 0 for run in started),
        "n_unknown": sum(run.verified is None for run in started),
        "n_ranks": len(ranks),
        "n_wrong": sum(not rank.ok for rank in ranks),
        "n_asked": sum(run.n_asked for run in started),
        "n_runs_asked": sum(run.n_asked > 0 for run in started),
    }


def _rests_on(result: TuneResult) -> list[tuple[str, str]]:
    """(data, its source) for all data that the verdict uses."""
    traced = (
        f"read from {result.read_from}" if result.read_from else "measured, traced in one run of the program"
    )
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
