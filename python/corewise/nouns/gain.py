"""Gain of a placement over the default: predicted, or measured in pairs of runs, with its interval."""

from __future__ import annotations

from collections.abc import Sequence

from corewise.nouns.codec import Count, Noun, Number
from corewise.statistics import CONFIDENCE, paired_ratio
from corewise.text.quantities import percent_text

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
