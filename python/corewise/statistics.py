"""Repeats and their spread: median and bootstrap intervals, the same for pipeline and report."""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from corewise.errors import InputError

CONFIDENCE = 0.95
# What ends repeats early. Who looks after each of ten rounds finds 0 outside an interval of 95 % in 19 % of
# experiments without any effect, outside one of 99 % in about 5 % (Armitage, McPherson, Rowe, Journal of the
# Royal Statistical Society A 132, 1969, table 2).
STOPPING_CONFIDENCE = 0.99
STOPPING_WIDTH = 0.02  # of an interval of the gain that tells enough, whatever it encloses
RESAMPLES = 2000
SEED = 1  # fixed: the same repeats always give the same interval


@dataclass(frozen=True)
class Interval:
    """An estimate between two bounds; `confidence` is the share of experiments that it should cover.

    None where nobody found out how many it covers.
    """

    low: float
    expected: float
    high: float
    confidence: float | None


@dataclass(frozen=True)
class MeasuredGain:
    """1 - t_best / t_default of the medians over repeats, with a bootstrap interval (fractions)."""

    low: float
    expected: float
    high: float
    n_repeats: int
    confidence: float = 0.95


def reachable_confidence(n_repeats: int, wanted: float = CONFIDENCE) -> float:
    """The confidence that an interval from `n_repeats` values may claim: `wanted`, less from few repeats.

    The least and the greatest of n independent values enclose their median with probability
    1 - 2^(1-n) whatever the distribution, and nothing inside them can do better: 0 for one repeat,
    0.75 for three, 0.94 for five, 0.992 for eight.
    """
    return min(wanted, 1 - 2.0 ** (1 - n_repeats))


def median_interval(values: Sequence[float]) -> Interval:
    """Median of `values` with its bootstrap interval; InputError for no values or one that is not finite."""
    _check(values)
    low, high = _percentile_interval(lambda rng: _resampled_median(values, rng))
    return Interval(low, statistics.median(values), high, reachable_confidence(len(values)))


def mean_interval(values: Sequence[float]) -> Interval:
    """Mean of `values` with its percentile bootstrap interval; InputError as median_interval.

    The confidence is nominal: from few repeats of a skewed time the interval of a mean covers less.
    """
    _check(values)
    low, high = _percentile_interval(lambda rng: statistics.fmean(rng.choices(values, k=len(values))))
    return Interval(low, statistics.fmean(values), high, reachable_confidence(len(values)))


def measured_gain(
    default_s: Sequence[float], best_s: Sequence[float], confidence: float = CONFIDENCE
) -> MeasuredGain:
    """gain = 1 - t_best / t_default of the medians, with its bootstrap interval.

    Percentile bootstrap (Efron, Annals of Statistics 7, 1979): both samples are resampled
    independently, 2000 times with a fixed seed, even where the runs were interleaved; a drift of the
    machine then widens the interval instead of hiding in it. `n_repeats` is the smaller number of
    repeats; the confidence is what that number can claim, at most `confidence` (see
    reachable_confidence). Times in s; raises InputError for no values or a time that is not above 0.
    """
    for values in (default_s, best_s):
        _check(values)
        if min(values) <= 0:
            raise InputError(f"found a run time of {min(values)} s; expected times above 0")
    low, high = _percentile_interval(
        lambda rng: 1 - _resampled_median(best_s, rng) / _resampled_median(default_s, rng), confidence
    )
    expected = 1 - statistics.median(best_s) / statistics.median(default_s)
    n_repeats = min(len(default_s), len(best_s))
    return MeasuredGain(low, expected, high, n_repeats, reachable_confidence(n_repeats, confidence))


def tells_enough(default_s: Sequence[float], best_s: Sequence[float]) -> bool:
    """More repeats would not change what is said of the gain; also where there is nothing to compare.

    Its interval of STOPPING_CONFIDENCE excludes 0 or is narrower than STOPPING_WIDTH.
    """
    if not default_s or not best_s:
        return True
    gain = measured_gain(default_s, best_s, STOPPING_CONFIDENCE)
    if gain.confidence < STOPPING_CONFIDENCE:
        return False
    return not gain.low <= 0 <= gain.high or gain.high - gain.low <= STOPPING_WIDTH


def _check(values: Sequence[float]) -> None:
    if not values:
        raise InputError("found no run that ended well; expected at least one repeat of each placement")
    for value in values:
        if not abs(value) < float("inf"):
            raise InputError(f"found a run time of {value}; expected finite numbers")


def _resampled_median(values: Sequence[float], rng: random.Random) -> float:
    return statistics.median(rng.choices(values, k=len(values)))


def _percentile_interval(
    estimate: Callable[[random.Random], float], confidence: float = CONFIDENCE
) -> tuple[float, float]:
    rng = random.Random(SEED)
    estimates = sorted(estimate(rng) for _ in range(RESAMPLES))
    outside = round((1 - confidence) / 2 * RESAMPLES)
    return estimates[outside], estimates[-1 - outside]
