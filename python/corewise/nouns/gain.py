"""Gains: of a placement over the default, predicted or measured in pairs of runs, each with its interval."""

from __future__ import annotations

from collections.abc import Sequence

from corewise.nouns.codec import Count, Noun, Number
from corewise.statistics import CONFIDENCE, paired_ratio
from corewise.text.quantities import percent_text

# Repeats end early on the interval after one of these numbers of pairs. A look spends LOOK_ERROR of the 5 %
# that all looks and the end may err together (repeated confidence intervals: Jennison, Turnbull, Journal of
# the Royal Statistical Society B 51, 1989). 8 pairs are the fewest whose interval can err that rarely, each
# further look has twice the pairs of the one before, and 4 looks leave the end as much as each of them.
LOOKS = (8, 16, 32, 64)
LOOK_ERROR = 0.01
STOPPING_WIDTH = 0.02  # of an interval of the gain that tells enough, whatever it encloses


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
        """The interval lies on one side of 0."""
        return not self.low <= 0 <= self.high


def measured_gain(default_s: Sequence[float], best_s: Sequence[float], looked: bool = False) -> MeasuredGain:
    """gain = 1 - t_best / t_default of pairs: `default_s`[i] and `best_s`[i] ran in a round of random order.

    See paired_ratio. `looked` says that the repeats could have ended at one of LOOKS; then the interval is
    the wider one that allows for that. Times in s; raises InputError for no pair or a time that is not above
    0.
    """
    error = _error_at(len(best_s)) if looked else 1 - CONFIDENCE
    ratio = paired_ratio(best_s, default_s, error)
    assert ratio.confidence is not None
    return MeasuredGain(1 - ratio.high, 1 - ratio.expected, 1 - ratio.low, len(best_s), ratio.confidence)


def tells_enough(default_s: Sequence[float], best_s: Sequence[float]) -> bool:
    """More repeats of these pairs would not change the conclusion: only ever so at one of LOOKS.

    Also where there is nothing to compare.
    """
    if not default_s or not best_s:
        return True
    if len(default_s) not in LOOKS:
        return False
    gain = measured_gain(default_s, best_s, looked=True)
    return gain.excludes_zero or gain.high - gain.low <= STOPPING_WIDTH


def _error_at(n_pairs: int) -> float:
    """How often the interval after `n_pairs` may miss, if each of LOOKS before could have been the end.

    The sum over all looks and the end is at most 1 - CONFIDENCE.
    """
    if n_pairs in LOOKS:
        return LOOK_ERROR
    return 1 - CONFIDENCE - LOOK_ERROR * sum(look < n_pairs for look in LOOKS)
