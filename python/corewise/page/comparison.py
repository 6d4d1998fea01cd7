"""Section: the placements side by side, by every objective and by measured time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import Any

from corewise.model import ObjectiveInfo, objectives
from corewise.nouns.advice import MeasuredGain
from corewise.nouns.scores import Scores
from corewise.nouns.tune_result import TuneResult, times_of
from corewise.page.links import link_name
from corewise.text.quantities import percent_text, seconds_text, value_text
from corewise.text.table import TextTable

NOT_FORMED = "\N{EN DASH}"

Ratios = tuple[str, str]  # gain = 1 - best / default; improvement = worst / best - 1 (SMP-CMP paper)
NO_RATIOS = (NOT_FORMED, NOT_FORMED)


def shown(result: TuneResult) -> dict[str, Any]:
    """One row for each time and objective, one column for each placement."""
    scores = {candidate.label: candidate.scores for candidate in result.candidates}
    timed = _time_rows(result)
    return shown_scores(scores, result.objective, lambda index: link_name(result.machine, index), timed)


def shown_scores(
    scores: Mapping[str, Scores],
    objective: str,
    link: Callable[[int], str],
    timed: Sequence[Sequence[str]] = (),
) -> dict[str, Any]:
    """The same from `scores` by label; `link(index)` names the links into the machine's levels[index].

    An objective is left out if the machine lacks the figures or the levels for it.
    """
    known = [info for info in objectives() if all(of.get(info.name) for of in scores.values())]
    rows = [*timed, *(row for info in known for row in _score_rows(scores, info, link))]
    heads = ["<what", *(f">{label}" for label in scores), ">gain", ">improvement"]
    sentences = {info.name: info.sentence for info in known}
    return {"objective": objective, "table": TextTable(heads, rows), "sentences": sentences}


def _score_rows(
    of_all: Mapping[str, Scores], info: ObjectiveInfo, link: Callable[[int], str]
) -> list[list[str]]:
    """A row; for a list one for each level, top down, without the links of single cores."""
    scores = {label: of_placement[info.name] for label, of_placement in of_all.items()}
    cells = [[value_text(value, info.unit) for value in values] for values in scores.values()]
    if not info.is_list:
        ratios = _ratios({label: values[0] for label, values in scores.items()})
        name = "time, estimated, of transfer alone" if info.name == "time" else info.name
        return [[name, *(values[0] for values in cells), *ratios]]
    lines = [link(index) for index in range(len(scores["best"]), 0, -1)]
    first = (_order_text(scores, "default", lines), _order_text(scores, "worst", lines))
    return [
        [f"{info.name}, {line}", *(values[at] for values in cells), *(("", "") if at else first)]
        for at, line in enumerate(lines)
    ]


def _order_text(scores: dict[str, list[float]], other: str, lines: list[str]) -> str:
    """Which of best and `other` has the lower list, and the first value that differs."""
    if other not in scores:
        return NOT_FORMED
    for line, of_best, of_other in zip(lines, scores["best"], scores[other], strict=True):
        if of_best != of_other:
            return f"{'best' if of_best < of_other else other} is lower, by {line}"
    return f"best and {other} are equal"


def _time_rows(result: TuneResult) -> list[list[str]]:
    """Median times of the repeats, a row for each source, because sources must not be pooled."""
    rows = []
    for source in dict.fromkeys(run.source for run in result.runs):
        times_s = {candidate.label: candidate.times_s(source) for candidate in result.candidates}
        medians_s = {label: median(values) for label, values in times_s.items() if values}
        absent = {label: _absent(result, label, source) for label in times_s}
        cells = [seconds_text(medians_s[label]) if label in medians_s else absent[label] for label in times_s]
        if medians_s:
            ratios = _paired_ratios(result) if source == "measured" else _ratios(medians_s)
            rows.append([f"{source} time", *cells, *ratios])
    as_written_s = times_of(result.as_written, "measured")
    if as_written_s:
        others = [NOT_FORMED for _ in result.candidates[1:]]
        name = "measured time, your command as you wrote it"
        rows.append([name, seconds_text(median(as_written_s)), *others, *NO_RATIOS])
    return rows


def _absent(result: TuneResult, label: str, source: str) -> str:
    """Why a placement has no time from that source."""
    if label in result.same_as:
        return f"as {result.same_as[label]}: same masks"
    return "failed" if any((run.label, run.source) == (label, source) for run in result.runs) else "not run"


def _paired_ratios(result: TuneResult) -> Ratios:
    """The ratios of measured times, from pairs of runs; the gain is that of the verdict."""
    worst = next((candidate.runs for candidate in result.candidates if candidate.label == "worst"), [])
    over_worst = result.gain_over("best", worst)
    return (
        _measured_text(result.gain, result.gain.expected) if result.gain else NOT_FORMED,
        _measured_text(over_worst, -over_worst.expected) if over_worst else NOT_FORMED,
    )


def _measured_text(gain: MeasuredGain, value: float) -> str:
    return f"{percent_text(value)}{'' if gain.excludes_zero else ', not distinguishable'}"


def _ratios(value_of: dict[str, float]) -> Ratios:
    default, best, worst = (value_of.get(label) for label in ("default", "best", "worst"))
    return (
        percent_text(1 - best / default) if default and best is not None else NOT_FORMED,
        percent_text(worst / best - 1) if best and worst is not None else NOT_FORMED,
    )
