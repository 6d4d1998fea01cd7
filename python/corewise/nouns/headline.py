"""Sentences on a tune: the headline, measured or predicted, with its reasons; and how runs failed."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from statistics import median
from typing import TYPE_CHECKING, Literal

from msgspec import structs

from corewise.errors import option
from corewise.nouns.advice import GAIN, STOPPING_WIDTH, MeasuredGain
from corewise.nouns.codec import Noun
from corewise.nouns.run import AS_WRITTEN, Run, Width
from corewise.statistics import CONFIDENCE, LEAST_REPEATS
from corewise.text.quantities import confidence_text, exit_text, percent_text, seconds_text

if TYPE_CHECKING:
    from corewise.nouns.tune_result import Candidate, TuneResult

Conclusion = Literal[
    "best is faster",
    "default is faster",
    "default is best",
    "no difference",
    "no messages",
    "too short to tell",
    "not measured",
]

_MOST_NAMED = 3  # runs and folders in a sentence on failed runs
UNNOTICED = 0.02  # a predicted gain that nobody would notice, as in the core's advice
PREDICTIONS = {
    "yes": "Placement is predicted to matter here. No placed run was made to confirm it.",
    "no": "Placement is predicted not to matter here: keep the default.",
    "unsure": "Placement may matter here: the prediction alone is not enough to tell.",
}
NO_GAIN = "No gain could be measured: the default and the best placement must each succeed at least once."
DEFAULT_IS_BEST = (
    "Your default already is the best placement found: both give every rank the same cores, so there is "
    "nothing to compare."
)
GAIN_FORMULA = f"gain = {GAIN}"
SETTINGS_FORMULA = "gain = 1 - t_default / t_as-written"


class Headline(Noun, frozen=True):
    """`answer` is the first sentence that people read, `reasons` are what follows it."""

    conclusion: Conclusion
    answer: str
    reasons: list[str]


def headline(result: TuneResult) -> Headline:
    """The answer by the measured gain, or by the prediction if nothing was measured.

    If the machine was busy, the answer says so.
    """
    said = _headline(result)
    busy = result.load.busy_note if result.load else None
    return structs.replace(said, answer=f"{said.answer} {busy}") if busy else said


def _headline(result: TuneResult) -> Headline:
    model = _sentence(f"The model says: {result.advice.because}")
    if result.gain is not None:
        conclusion = conclusion_of(result.gain)
        reasons = [
            _against_prediction(result, result.gain, conclusion),
            _worst_too(result, conclusion),
            *_widths(result),
            _settings(result),
        ]
        answer = _measured(result, result.gain, conclusion)
        return Headline(conclusion, answer, [reason for reason in reasons if reason])
    if result.silence and not result.runs:
        return Headline("no messages", result.silence, [])
    if "best" in result.same_as:
        reasons = [_worst_too(result, "default is best"), *_widths(result), _settings(result)]
        return Headline(
            "default is best", DEFAULT_IS_BEST, [model, *(reason for reason in reasons if reason)]
        )
    if any(run.source == "measured" for run in result.runs):
        return Headline("not measured", NO_GAIN, [model])
    return Headline("not measured", _predicted(result), [model, *_computed(result)])


def conclusion_of(gain: MeasuredGain) -> Conclusion:
    """The conclusion from a gain's interval: "too short to tell" if the runs are too few for CONFIDENCE."""
    if gain.confidence < CONFIDENCE:
        return "too short to tell"
    if gain.excludes_zero:
        return "best is faster" if gain.low > 0 else "default is faster"
    return "no difference" if gain.high - gain.low <= STOPPING_WIDTH else "too short to tell"


def _predicted(result: TuneResult) -> str:
    if result.advice.matters == "yes" and result.advice.gain.high < UNNOTICED:
        return "The default is predicted to be as good as the best placement found: keep it."
    return PREDICTIONS[result.advice.matters]


def _computed(result: TuneResult) -> list[str]:
    """A sentence for each source of times (emulated, simulated, ...) that default and best have."""
    sentences = []
    for source in dict.fromkeys(run.source for run in result.runs):
        times_s = [result.candidate(label).times_s(source) for label in ("default", "best")]
        if all(times_s):
            default_s, best_s = (median(values) for values in times_s)
            gain = percent_text(1 - best_s / default_s) if default_s else "unknown"
            sentences.append(
                f"{source.capitalize()}: {seconds_text(best_s)} under the best placement instead of "
                f"{seconds_text(default_s)}, {GAIN_FORMULA}: {gain}."
            )
    return sentences


def _measured(result: TuneResult, gain: MeasuredGain, conclusion: Conclusion) -> str:
    binding = result.binding_alone
    if gain.n_repeats < 2:
        more = option("repeats", LEAST_REPEATS)
        return f"No difference measured yet: one run of each placement shows no spread. Run more: {more}."
    found = f"measured gain {gain.text()}, {confidence_text(gain.confidence)} confidence"
    if conclusion == "too short to tell":
        too_few = gain.confidence < CONFIDENCE  # then longer runs would not help
        longer = option("repeat-time", 300, keyword="repeat_time_s")
        more = option("repeats", LEAST_REPEATS) if too_few else longer
        found = f"{found}, {gain.n_repeats} runs of each"
        return f"No difference measured yet: {found}. For a clearer answer: {more}."
    if conclusion == "no difference":
        what = "binding the ranks" if binding else "placement"
        return f"Keep the default: {what} makes no difference that matters ({found})."
    if conclusion == "best is faster":
        if binding:
            return f"Bind the ranks: bound, they are faster than on the same cores without binding ({found})."
        default_s, best_s = (median(times_s) for times_s in result.compared_times)
        instead = f"{seconds_text(best_s)} instead of {seconds_text(default_s)}"
        return f"The placement found is faster than the default: {instead} ({found})."
    if binding:
        return f"Keep the default: ranks that may move are faster than bound to the same cores ({found})."
    return f"Keep the default: it is faster than the placement found ({found})."


def _against_prediction(result: TuneResult, gain: MeasuredGain, conclusion: Conclusion) -> str:
    """Whether the measured interval and the predicted one can both be right."""
    if result.binding_alone:
        return (
            "The best placement found has the cores of the default, whose ranks were free to move: only "
            "binding is compared, and the model predicts nothing for binding."
        )
    predicted = result.advice.gain
    model = f"The model predicted {predicted.text()}"
    if conclusion == "too short to tell":
        return f"{model}: {result.advice.because}."
    if _free_to_move(result):
        return (
            f"{model} between bound placements. Here ranks were free to move by default, and binding them "
            "has a separate effect, which the measured gain includes."
        )
    if gain.low <= predicted.high and predicted.low <= gain.high:
        return f"{model}, which agrees with the measurement. The reason it gave: {result.advice.because}."
    return f"{model}. The measurement refutes it: the model misses something of this program or machine."


def _worst_too(result: TuneResult, conclusion: Conclusion) -> str:
    """What the runs of the worst placement show: that placement matters, or that only binding does."""
    worst = result.gain_over("best", result.candidate("worst").runs) if _has_worst(result) else None
    if worst is None:
        return ""
    told = conclusion_of(worst)
    if conclusion == "default is best" and told == "default is faster":
        return f"The worst placement found is slower: {worst.text()}, gain = 1 - t_worst / t_default."
    if conclusion != "best is faster" or not _free_to_move(result):
        return ""
    over_default = result.gain_over("default", result.candidate("worst").runs)
    if over_default is None or conclusion_of(over_default) != "best is faster" or worst.excludes_zero:
        return ""
    return (
        f"The worst placement is faster than the default, too ({over_default.text()}), and not measurably "
        "slower than the best one. Binding the ranks helped; which core each rank got did not."
    )


def _has_worst(result: TuneResult) -> bool:
    return any(candidate.label == "worst" for candidate in result.candidates)


def _free_to_move(result: TuneResult) -> bool:
    """Whether a rank had more hardware threads in the default run than in the best one."""
    default, best = (
        next(run.ranks for run in candidate.runs if run.source == "measured")
        for candidate in (result.candidate("default"), result.candidate("best"))
    )
    return any(
        len(free.os_pus_seen or []) > len(bound.os_pus_seen or [])
        for free, bound in zip(default, best, strict=False)
    )


def _widths(result: TuneResult) -> list[str]:
    """A sentence for each mask width that ran: whether it is faster than the compared masks."""
    found = ((width, result.width_gain(width)) for width in result.widths)
    return [_width_sentence(width, gain) for width, gain in found if gain]


def _width_sentence(width: Width, gain: MeasuredGain) -> str:
    free = "The default with ranks free on their nodes"
    runs = free if width.binding == "none" else f"The best placement bound with --binding {width.binding}"
    says = {
        "best is faster": "is faster than with the masks compared above",
        "default is faster": "is slower than with the masks compared above",
        "no difference": "is as fast as with the masks compared above",
        "too short to tell": "differs too little from the masks compared above to tell in so few runs",
    }[conclusion_of(gain)]
    binding = "node" if width.binding == "none" else width.binding
    apply = f" To use it: corewise run --placement {width.of}.json --binding {binding}."
    use = apply if conclusion_of(gain) == "best is faster" else ""
    found = gain.text() if gain.n_repeats > 1 else percent_text(gain.expected)
    return f"{runs} {says}: {found}, {width_formula(width)}.{use}"


def width_formula(width: Width) -> str:
    """The formula of a width's gain."""
    return f"gain = 1 - t_{width.label} / t_{width.of}"


def _settings(result: TuneResult) -> str:
    """The gain of the launcher's options that all compared runs have; empty without such options."""
    gain = result.settings_gain
    if gain is None:
        return ""
    found = gain.text() if gain.n_repeats > 1 else f"{percent_text(gain.expected)} in one run of each"
    return (
        f"Every compared run, also of the default, has `{shlex.join(result.settings)}`, because ranks share "
        f"cores. The gain of that alone over your command: {found}, {SETTINGS_FORMULA}."
    )


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")


def failures(result: TuneResult) -> list[str]:
    """The traced run first, then a sentence for each placement; empty if every run ended well."""
    sentences = []
    if result.traced and result.traced.exit_code != 0:
        sentences.append(
            f"The program failed while it was traced: {exit_text(result.traced.exit_code)}. Nothing was run "
            "under a placement, and the traffic shown is what it sent until then."
        )
    others: list[Candidate | Width] = [*result.candidates, *result.widths]
    runs = {AS_WRITTEN: result.as_written} | {one.label: one.runs for one in others}
    of_placements = (_failure_sentence(label, of_label) for label, of_label in runs.items())
    return sentences + [sentence for sentence in of_placements if sentence]


def _failure_sentence(label: str, of_label: list[Run]) -> str:
    """A sentence on the failed runs of a label; empty if none failed."""
    runs = [run for run in of_label if run.source == "measured"]
    failed = {number: run for number, run in enumerate(runs, 1) if run.exit_code != 0}
    numbers_of: dict[str, list[int]] = {}
    for number, run in failed.items():
        numbers_of.setdefault(exit_text(run.exit_code), []).append(number)
    ends = ", ".join(f"{how} in run {_listed(numbers)}" for how, numbers in numbers_of.items())
    folders = _listed(f"runs/{label}-{number}" for number in failed)
    if not failed:
        return ""
    return (
        f"{label}: {len(failed)} of {len(runs)} runs failed ({ends}). "
        f"Their output is in output.txt of {folders}."
    )


def _listed(items: Iterable[object]) -> str:
    texts = [str(item) for item in items]
    more = [f"{len(texts) - _MOST_NAMED} more"] if len(texts) > _MOST_NAMED else []
    return ", ".join(texts[:_MOST_NAMED] + more)
