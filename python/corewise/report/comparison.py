"""Section: the placements side by side, by every objective and by the clock."""

from __future__ import annotations

from statistics import median

from corewise.files.tune import TuneResult
from corewise.model import objectives
from corewise.report.links import link_name
from corewise.text.quantities import seconds_text, value_text

TITLE = "Default, best and worst"


def context(result: TuneResult) -> dict:
    """One row an objective, one column a placement; gains only where a score is a single number."""
    return {
        "labels": [candidate.label for candidate in result.candidates],
        "objective": result.objective,
        "rows": [_score_row(result, info) for info in objectives() if _scored(result, info.name)],
        "timed": _time_rows(result),
    }


def _scored(result: TuneResult, name: str) -> bool:
    """False where the machine has no figures for an objective, or no levels that it could count."""
    return all(candidate.scores.get(name) for candidate in result.candidates)


def _score_row(result: TuneResult, info) -> dict:
    scores = {candidate.label: candidate.scores[info.name] for candidate in result.candidates}
    n_values = len(next(iter(scores.values())))
    return {
        "name": info.name,
        "sentence": info.sentence,
        "lines": _level_names(result.machine, n_values) if info.is_list else [],
        "cells": [[value_text(value, info.unit) for value in values] for values in scores.values()],
    } | _ratios({label: values[0] for label, values in scores.items() if not info.is_list and values})


def _level_names(machine, n_values: int) -> list[str]:
    """Names of a list's values, top down; the last is the second class of links: cores' own are left out."""
    return [link_name(machine, index) for index in range(n_values, 0, -1)]


def _time_rows(result: TuneResult) -> list[dict]:
    """Median times of the repeats, a row for each source that has any: sources are never pooled."""
    rows = []
    for source in dict.fromkeys(run.source for run in result.runs):
        times_s = {candidate.label: candidate.wall_s(source) for candidate in result.candidates}
        medians_s = {label: median(values) for label, values in times_s.items() if values}
        tried = {run.label for run in result.runs if run.source == source}
        absent = {label: "failed" if label in tried else "not run" for label in times_s}
        cells = [seconds_text(medians_s[label]) if label in medians_s else absent[label] for label in times_s]
        if medians_s:
            rows.append({"source": source, "cells": cells} | _ratios(medians_s))
    return rows


def _ratios(value_of: dict[str, float]) -> dict:
    """gain = 1 - best / default; improvement = worst / best - 1 (SMP-CMP paper). None where not formed."""
    default, best, worst = (value_of.get(label) for label in ("default", "best", "worst"))
    return {
        "gain": 1 - best / default if default and best is not None else None,
        "improvement": worst / best - 1 if best and worst is not None else None,
    }
