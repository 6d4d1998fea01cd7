"""Section: the placements side by side, by every objective and by measured time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from corewise.model import ObjectiveInfo, objectives
from corewise.nouns.gain import MeasuredGain
from corewise.nouns.scores import Scores
from corewise.nouns.tune_result import TuneResult, times_of
from corewise.page.links import link_name
from corewise.text.quantities import percent_text, seconds_text, value_text

TITLE = "Default, best and worst"
NOT_FORMED = "\N{EN DASH}"


# What a row includes, if that is easily misunderstood.
COVERS = {"time": "estimated, of transfer alone"}


@dataclass(frozen=True)
class Ratios:
    """gain = 1 - best / default; improvement = worst / best - 1 (SMP-CMP paper).

    A measured ratio is "not distinguishable" if its interval contains 0.
    """

    gain: str = NOT_FORMED
    improvement: str = NOT_FORMED


@dataclass(frozen=True)
class ScoreRow:
    """An objective: `cells` [placement][line]; `lines` names the values of a list."""

    name: str
    covers: str
    sentence: str
    lines: list[str]
    cells: list[list[str]]
    ratios: Ratios


@dataclass(frozen=True)
class TimeRow:
    """The median time of each placement."""

    name: str
    cells: list[str]
    ratios: Ratios


@dataclass(frozen=True)
class Context:
    """What the template shows."""

    labels: list[str]
    objective: str
    rows: list[ScoreRow]
    timed: Sequence[TimeRow] = ()


def context(result: TuneResult) -> Context:
    """One row for each objective, one column for each placement."""
    scores = {candidate.label: candidate.scores for candidate in result.candidates}
    timed = _time_rows(result)
    return context_of_scores(scores, result.objective, lambda index: link_name(result.machine, index), timed)


def context_of_scores(
    scores: Mapping[str, Scores], objective: str, link: Callable[[int], str], timed: Sequence[TimeRow] = ()
) -> Context:
    """The same from `scores` by label; `link(index)` names the links into the machine's levels[index]."""
    rows = [_score_row(scores, info, link) for info in objectives() if _scored(scores, info.name)]
    return Context(list(scores), objective, rows, timed)


def _scored(scores: Mapping[str, Scores], name: str) -> bool:
    """False if the machine lacks the figures or the levels for an objective."""
    return all(of_placement.get(name) for of_placement in scores.values())


def _score_row(of_all: Mapping[str, Scores], info: ObjectiveInfo, link: Callable[[int], str]) -> ScoreRow:
    scores = {label: of_placement[info.name] for label, of_placement in of_all.items()}
    # Top down, without the links of single cores.
    lines = [link(index) for index in range(len(scores["best"]), 0, -1)] if info.is_list else []
    cells = [[value_text(value, info.unit) for value in values] for values in scores.values()]
    if info.is_list:
        ratios = Ratios(_order_text(scores, "default", lines), _order_text(scores, "worst", lines))
    else:
        ratios = _ratios({label: values[0] for label, values in scores.items()})
    return ScoreRow(info.name, COVERS.get(info.name, ""), info.sentence, lines, cells, ratios)


def _order_text(scores: dict[str, list[float]], other: str, lines: list[str]) -> str:
    """Which of best and `other` has the lower list, and the first value that differs."""
    if other not in scores:
        return NOT_FORMED
    for line, of_best, of_other in zip(lines, scores["best"], scores[other], strict=True):
        if of_best != of_other:
            return f"{'best' if of_best < of_other else other} is lower, by {line}"
    return f"best and {other} are equal"


def _time_rows(result: TuneResult) -> list[TimeRow]:
    """Median times of the repeats, a row for each source, because sources must not be pooled."""
    rows = []
    for source in dict.fromkeys(run.source for run in result.runs):
        times_s = {candidate.label: candidate.times_s(source) for candidate in result.candidates}
        medians_s = {label: median(values) for label, values in times_s.items() if values}
        absent = {label: _absent(result, label, source) for label in times_s}
        cells = [seconds_text(medians_s[label]) if label in medians_s else absent[label] for label in times_s]
        if medians_s:
            ratios = _paired_ratios(result) if source == "measured" else _ratios(medians_s)
            rows.append(TimeRow(f"{source} time", cells, ratios))
    as_written_s = times_of(result.as_written, "measured")
    if as_written_s:
        cells = [seconds_text(median(as_written_s)), *[NOT_FORMED for _ in result.candidates[1:]]]
        rows.append(TimeRow("measured time, your command as you wrote it", cells, Ratios()))
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
    return Ratios(
        _measured_text(result.gain, result.gain.expected) if result.gain else NOT_FORMED,
        _measured_text(over_worst, -over_worst.expected) if over_worst else NOT_FORMED,
    )


def _measured_text(gain: MeasuredGain, value: float) -> str:
    return f"{percent_text(value)}{'' if gain.excludes_zero else ', not distinguishable'}"


def _ratios(value_of: dict[str, float]) -> Ratios:
    default, best, worst = (value_of.get(label) for label in ("default", "best", "worst"))
    return Ratios(
        percent_text(1 - best / default) if default and best is not None else NOT_FORMED,
        percent_text(worst / best - 1) if best and worst is not None else NOT_FORMED,
    )
