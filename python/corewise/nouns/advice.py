"""Advice: does placement matter, by how much, how sure, and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Literal

from corewise.nouns.codec import Count, Noun, Number
from corewise.statistics import CONFIDENCE, paired_ratio
from corewise.text.quantities import percent_text, value_text

if TYPE_CHECKING:
    from corewise import model


# After one of these numbers of pairs, the repeats stop early if the interval is clear. All these looks and
# the final interval together may err in 5 % of the cases: LOOK_ERROR for each look, the same for the end
# (repeated confidence intervals: Jennison, Turnbull, Journal of the Royal Statistical Society B 51, 1989).
# Fewer than 8 pairs can't give an interval that errs so rarely.
LOOKS = (8, 16, 32, 64)
LOOK_ERROR = 0.01
STOPPING_WIDTH = 0.02  # an interval of the gain this narrow is clear, even if it includes 0


class Gain(Noun, frozen=True):
    """1 - t_best / t_default as fractions: the expected one, between two bounds."""

    low: Number
    expected: Number
    high: Number

    def text(self, more: str = "") -> str:
        """`12.3 % (10.0 % to 14.0 %)`, with `more` in the brackets."""
        bounds = f"{percent_text(self.low)} to {percent_text(self.high)}"
        return f"{percent_text(self.expected)} ({bounds}{more})"


class MeasuredGain(Gain, frozen=True):
    """The gain over `n_repeats` pairs of runs, with its interval."""

    n_repeats: Count
    confidence: Number = CONFIDENCE

    @property
    def excludes_zero(self) -> bool:
        """Whether the interval is on one side of 0."""
        return not self.low <= 0 <= self.high


def measured_gain(default_s: Sequence[float], best_s: Sequence[float], looked: bool = False) -> MeasuredGain:
    """The gain, 1 - t_best / t_default, from times in s.

    `default_s`[i] and `best_s`[i] ran in one round, in random order. `looked`: the repeats could have stopped
    at one of LOOKS, and the interval is wider to allow for that. Raises InputError without a pair, or if a
    time is not above 0. See paired_ratio.
    """
    error = _error_at(len(best_s)) if looked else 1 - CONFIDENCE
    ratio = paired_ratio(best_s, default_s, error)
    assert ratio.confidence is not None
    return MeasuredGain(1 - ratio.high, 1 - ratio.expected, 1 - ratio.low, len(best_s), ratio.confidence)


def tells_enough(default_s: Sequence[float], best_s: Sequence[float]) -> bool:
    """Whether repeats can stop: the interval is clear at one of LOOKS, or there is nothing to compare."""
    if not default_s or not best_s:
        return True
    if len(default_s) not in LOOKS:
        return False
    gain = measured_gain(default_s, best_s, looked=True)
    return gain.excludes_zero or gain.high - gain.low <= STOPPING_WIDTH


def _error_at(n_pairs: int) -> float:
    """The fraction of cases in which the interval after `n_pairs` may miss the true gain.

    The sum over all looks and the end is at most 1 - CONFIDENCE.
    """
    if n_pairs in LOOKS:
        return LOOK_ERROR
    return 1 - CONFIDENCE - LOOK_ERROR * sum(look < n_pairs for look in LOOKS)


GAIN = "1 - t_best / t_default"
# The model covers data transfer only. In a timed run, its gain therefore applies to transfer's share.
GAIN_OF_RUN = f"transfer's share of the run * ({GAIN} of the objective time)"


class Advice(Noun, frozen=True):
    """Does placement matter, by how much, how sure, and why.

    `gain` is the gain of what `gain_of` names: the whole run if it was timed, else communication only. It is
    computed from the values of the objective `compared_by` under both placements. `ratio` is inter-node over
    intra-node bytes, None if it is undefined. `transfer_share` is the fraction of the run spent in transfer,
    None if the run was not timed. `offer_spread`: at these message sizes, the network is faster than shared
    memory.
    """

    DERIVED: ClassVar[tuple[str, ...]] = ("gain_formula",)

    matters: Literal["yes", "no", "unsure"]
    gain: Gain
    ratio: Number | None
    because: str
    offer_spread: bool
    compared_by: str
    gain_of: Literal["run", "communication"] = "run"
    transfer_share: Number | None = None

    @classmethod
    def of(cls, found: model.Advice, compared_by: str) -> Advice:
        """The advice of the C++ core as a noun."""
        gain = Gain(found.gain.low, found.gain.expected, found.gain.high)
        same = ("matters", "ratio", "because", "offer_spread", "gain_of", "transfer_share")
        return cls(gain=gain, compared_by=compared_by, **{name: getattr(found, name) for name in same})

    @property
    def verdict(self) -> str:
        """The answer in a few words."""
        return {"yes": "Placement matters", "no": "Keep the default", "unsure": "Unsure"}[self.matters]

    @property
    def gain_formula(self) -> str:
        """The formula of the gain."""
        return GAIN_OF_RUN if self.gain_of == "run" else GAIN

    def compared_text(self, default: float, best: float) -> str:
        """The values of the objective from which the gain is computed, in one sentence."""
        from corewise.model import objective

        is_time = self.compared_by == "time"
        what = "Communication alone (objective time)" if is_time else self.compared_by.capitalize()
        of_both = [value_text(value, objective(self.compared_by).unit) for value in (default, best)]
        values = f"{what}: {of_both[0]} by default, {of_both[1]} under the best placement"
        if default <= 0 or default == best:
            return f"{values}."
        if self.gain.low == self.gain.high == 0:  # all cores are equally near to each other
            return f"{values}. They differ in which ranks share a core, and nothing is predicted from that."
        gain = f"{values}, {percent_text(1 - best / default)} less"
        if self.gain_of != "run" or self.transfer_share is None:
            return f"{gain}."
        return f"{gain}. It is {percent_text(self.transfer_share)} of the run as traced."
