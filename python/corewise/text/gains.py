"""What a predicted gain is made of: the figures of both placements, and their part of the run."""

from __future__ import annotations

from typing import Protocol

from corewise.text.quantities import percent_text, value_text

GAIN = "1 - t_best / t_default"
# Of a run that was timed the model explains a share, and predicts the gain of that.
GAIN_OF_RUN = f"transfer's share of the run * ({GAIN} of the objective time)"


class Gain(Protocol):
    """An interval of a gain: GainInterval, MeasuredGain, or what a tune file keeps of one."""

    @property
    def low(self) -> float: ...
    @property
    def expected(self) -> float: ...
    @property
    def high(self) -> float: ...


class AnyAdvice(Protocol):
    """What an Advice has, in memory and in a tune file."""

    @property
    def gain(self) -> Gain: ...
    @property
    def gain_of(self) -> str: ...
    @property
    def transfer_share(self) -> float | None: ...


def gain_formula(gain_of: str) -> str:
    """How the gain of an Advice is formed from the figures that stand next to it."""
    return GAIN_OF_RUN if gain_of == "run" else GAIN


def compared_text(advice: AnyAdvice, objective: str, unit: str, default: float, best: float) -> str:
    """What the gain of the advice is formed from: both values of the objective that it compares by."""
    what = "Communication alone (objective time)" if objective == "time" else objective.capitalize()
    values = f"{value_text(default, unit)} by default, {value_text(best, unit)} under the best placement"
    if default <= 0 or default == best:
        return f"{what}: {values}."
    if advice.gain.low == advice.gain.high == 0:  # every core is as near to any other
        return (
            f"{what}: {values}. They differ in which ranks share a core, and nothing is predicted from that."
        )
    gain = f"{what}: {values}, {percent_text(1 - best / default)} less"
    if advice.gain_of != "run" or advice.transfer_share is None:
        return f"{gain}."
    return f"{gain}. It is {percent_text(advice.transfer_share)} of the run as traced."
