"""Section: the answer first. Does it matter, by how much, did it help, what does that rest on."""

from __future__ import annotations

from corewise.files.tune import TuneResult
from corewise.report.failures import failures
from corewise.statistics import MeasuredGain, median_interval
from corewise.text.quantities import percent_text

TITLE = "Verdict"

ANSWERS = {
    "yes": "Yes, placement matters here.",
    "no": "No, placement doesn't matter here: leave it alone.",
    "unsure": "Placement may matter here: the prediction alone can't tell.",
}
UNNOTICED = 0.02  # a predicted gain that nobody would notice, as in the core's advice


def context(result: TuneResult) -> dict:
    """What the template shows; every percentage comes with its formula."""
    started = [run for run in result.runs if run.has_processes]
    return {
        "matters": result.advice.matters,
        "answer": _answer(result),
        "because": _sentence(result.advice.because),
        "predicted": result.advice.gain,
        "measured": result.gain,
        "measured_says": _measured_says(result),
        "verified": result.verified,
        "n_wrong": sum(not rank.ok for run in started for rank in run.ranks),
        "n_ranks": sum(len(run.ranks) for run in started),
        "n_asked": sum(rank.os_pus_wanted is not None for run in started for rank in run.ranks),
        "n_runs": len(started),
        "failures": failures(result),
        "n_failed": sum(run.exit_code != 0 for run in started),
        "n_unknown": sum(run.verified is None for run in started),
        "offer_spread": result.advice.offer_spread,
        "rests_on": _rests_on(result),
        "notes": result.notes,
    }


def _answer(result: TuneResult) -> str:
    if result.advice.matters == "no" and result.gain and _helped(result.gain):
        return "The model expects no effect of placement, but the runs differ."
    if result.advice.matters == "yes" and result.advice.gain.high < UNNOTICED:
        return "Yes, placement matters here, and the default is as good as the best found: keep it."
    return ANSWERS[result.advice.matters]


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")


def _measured_says(result: TuneResult) -> str:
    """What the measurement adds to the prediction, in one sentence; empty where nothing was measured."""
    gain, predicted = result.gain, result.advice.gain
    if gain is None:
        return ""
    if gain.n_repeats < 2:
        return "One run of each placement shows no spread: repeat them before believing the difference."
    says = _tells_apart(gain)
    if gain.high < predicted.low or gain.low > predicted.high:
        says += " This lies outside the prediction: the model misses something of this program or machine."
    if _helped(gain) and _worst_is_as_fast_as_best(result):
        says += (
            " The worst placement was about as fast as the best one: binding the ranks at all helped, "
            "not which core each rank got."
        )
    return says


def _helped(gain: MeasuredGain) -> bool:
    return gain.n_repeats >= 2 and gain.low > 0


def _worst_is_as_fast_as_best(result: TuneResult) -> bool:
    """The intervals of their medians overlap."""
    times_s = {candidate.label: candidate.wall_s("measured") for candidate in result.candidates}
    if not times_s.get("worst"):
        return False
    best, worst = median_interval(times_s["best"]), median_interval(times_s["worst"])
    return worst.low <= best.high


def _tells_apart(gain: MeasuredGain) -> str:
    if gain.low > 0:
        return "The best placement was faster than the default."
    if gain.high < 0:
        return "The default was faster than the placement found: keep the default."
    return (
        "The runs don't tell the two placements apart: the interval of the gain, "
        f"{percent_text(gain.low)} to {percent_text(gain.high)}, includes 0."
    )


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
