"""The headline of a tune: what the measurement says, and only without one what the model predicts."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from corewise.files.tune import TuneResult, Width
from corewise.statistics import CONFIDENCE, STOPPING_WIDTH, MeasuredGain, median_interval
from corewise.text.quantities import confidence_text, percent_text

if TYPE_CHECKING:
    from corewise.model import GainInterval

Conclusion = Literal[
    "best is faster", "default is faster", "no difference", "too short to tell", "not measured"
]

UNNOTICED = 0.02  # a predicted gain that nobody would notice, as in the core's advice
PREDICTIONS = {
    "yes": "Placement is predicted to matter here; nothing was run to see.",
    "no": "Placement is predicted not to matter here: leave it alone.",
    "unsure": "Placement may matter here: the prediction alone can't tell.",
}
NO_GAIN = "No gain could be measured: default and best must each end well at least once."
GAIN_FORMULA = "gain = 1 - t_best / t_default"
SETTINGS_FORMULA = "gain = 1 - t_default / t_as-written"


@dataclass(frozen=True)
class Headline:
    """`answer` is the first sentence that people read, `reasons` are what stands below it."""

    conclusion: Conclusion
    answer: str
    reasons: list[str]


def headline(result: TuneResult) -> Headline:
    """The measured gain decides where there is one; what it says of the prediction is said."""
    conclusion = conclusion_of(result.gain)
    if result.gain is None:
        answer = NO_GAIN if result.runs else _predicted(result)
        return Headline(conclusion, answer, [_sentence(f"The model says: {result.advice.because}")])
    reasons = [
        _against_prediction(result, conclusion),
        _binding_alone(result, conclusion),
        *_widths(result),
        _settings(result),
    ]
    return Headline(conclusion, _measured(result.gain, conclusion), [reason for reason in reasons if reason])


def conclusion_of(gain: MeasuredGain | None) -> Conclusion:
    """What the interval of a gain tells."""
    if gain is None:
        return "not measured"
    if gain.n_repeats < 2:
        return "too short to tell"
    if gain.low > 0:
        return "best is faster"
    if gain.high < 0:
        return "default is faster"
    return "no difference" if gain.high - gain.low <= STOPPING_WIDTH else "too short to tell"


def _predicted(result: TuneResult) -> str:
    if result.advice.matters == "yes" and result.advice.gain.high < UNNOTICED:
        return "The default is predicted to be as good as the best placement found: keep it."
    return PREDICTIONS[result.advice.matters]


def _measured(gain: MeasuredGain, conclusion: Conclusion) -> str:
    if gain.n_repeats < 2:
        return "Too short to tell: one run of each placement shows no spread."
    found = f"measured gain {interval_text(gain)}, {confidence_text(gain.confidence)} confidence"
    if conclusion == "too short to tell":
        counted = f"{gain.n_repeats} runs of each; more of them help (--repeats, --repeat-time)"
        return f"Too short to tell: {found}, {counted}."
    if conclusion == "no difference":
        return f"Leave it alone: placement makes no difference that counts ({found})."
    sure = "" if gain.confidence >= CONFIDENCE else f"Probably, from only {gain.n_repeats} runs of each: "
    if conclusion == "best is faster":
        text = f"the placement found is faster than the default ({found})."
    else:
        text = f"keep the default, it is faster than the placement found ({found})."
    return sure + text if sure else _sentence(text)


def interval_text(gain: GainInterval | MeasuredGain) -> str:
    """`12.3 % (10.0 % to 14.0 %)`."""
    return f"{percent_text(gain.expected)} ({percent_text(gain.low)} to {percent_text(gain.high)})"


def _against_prediction(result: TuneResult, conclusion: Conclusion) -> str:
    """Whether the measured interval and the predicted one can both be right."""
    gain, predicted = result.gain, result.advice.gain
    model = f"The model predicted {interval_text(predicted)}"
    if conclusion == "too short to tell":
        return f"{model}: {result.advice.because}."
    if gain.low <= predicted.high and predicted.low <= gain.high:
        return f"{model}, which agrees: {result.advice.because}."
    refuted = f"{model}: the measurement refutes it"
    if gain.low > predicted.high and _free_to_move(result):
        return (
            f"{refuted}. It compares bound placements; here ranks were free to move by default, and binding "
            "them has an effect of its own."
        )
    return f"{refuted}: the model misses something of this program or machine."


def _binding_alone(result: TuneResult, conclusion: Conclusion) -> str:
    if conclusion != "best is faster":
        return ""
    times_s = {candidate.label: candidate.times_s("measured") for candidate in result.candidates}
    if not times_s.get("worst"):
        return ""
    best, worst = median_interval(times_s["best"]), median_interval(times_s["worst"])
    if worst.low > best.high:
        return ""
    return (
        "The worst placement was about as fast as the best one: binding the ranks at all helped, not which "
        "core each rank got."
    )


def _free_to_move(result: TuneResult) -> bool:
    """A rank had more hardware threads in the default run than in the best one."""
    default, best = (
        next(run.ranks for run in candidate.runs if run.source == "measured")
        for candidate in (result.candidate("default"), result.candidate("best"))
    )
    return any(
        len(free.os_pus_seen or []) > len(bound.os_pus_seen or [])
        for free, bound in zip(default, best, strict=False)
    )


def _widths(result: TuneResult) -> list[str]:
    """A sentence for each width that ran: whether masks of it are faster than those that were compared."""
    found = ((width, result.width_gain(width)) for width in result.widths)
    return [_width_sentence(width, gain) for width, gain in found if gain]


def _width_sentence(width: Width, gain: MeasuredGain) -> str:
    free = "The default with ranks free on their nodes"
    runs = free if width.binding == "none" else f"The best placement bound with --binding {width.binding}"
    says = {
        "best is faster": "is faster than with the masks compared above",
        "default is faster": "is slower than with the masks compared above",
        "no difference": "is as fast as with the masks compared above",
        "too short to tell": "can't be told from that with the masks compared above in so few runs",
    }[conclusion_of(gain)]
    binding = "node" if width.binding == "none" else width.binding
    apply = f" To use it: corewise run --placement {width.of}.json --binding {binding}."
    use = apply if conclusion_of(gain) == "best is faster" else ""
    found = interval_text(gain) if gain.n_repeats > 1 else percent_text(gain.expected)
    return f"{runs} {says}: {found}, {width_formula(width)}.{use}"


def width_formula(width: Width) -> str:
    """How the gain of a width is formed."""
    return f"gain = 1 - t_{width.label} / t_{width.of}"


def _settings(result: TuneResult) -> str:
    """What the settings do that all compared runs have; empty where there are none."""
    gain = result.settings_gain
    if gain is None:
        return ""
    found = interval_text(gain) if gain.n_repeats > 1 else f"{percent_text(gain.expected)} in one run of each"
    return (
        f"Every compared run has `{shlex.join(result.settings)}`, the default too: ranks share cores. What "
        f"that alone gains over your command as you wrote it: {found}, {SETTINGS_FORMULA}."
    )


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")
