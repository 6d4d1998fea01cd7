"""Repeats and their spread: ratios of paired runs, medians and means, each with its interval."""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from corewise.errors import InputError

CONFIDENCE = 0.95
RESAMPLES = 2000
SEED = 1  # fixed: the same repeats always give the same interval


@dataclass(frozen=True)
class Interval:
    """An estimate between two bounds; `confidence` is the share of experiments that it should cover.

    None if nobody found out how many it covers.
    """

    low: float
    expected: float
    high: float
    confidence: float | None


def reachable_confidence(n_repeats: int, wanted: float = CONFIDENCE) -> float:
    """The confidence that an interval from `n_repeats` values may claim: `wanted`, less from few repeats.

    The least and the greatest of n independent values enclose their median with probability
    1 - 2^(1-n) whatever the distribution, and nothing inside them can do better: 0 for one repeat,
    0.75 for three, 0.94 for five, 0.992 for eight. For pairs in random order it is the same.
    """
    return min(wanted, 1 - 2.0 ** (1 - n_repeats))


LEAST_REPEATS = next(n for n in range(1, 100) if reachable_confidence(n) == CONFIDENCE)  # that can claim it


def median_interval(values: Sequence[float]) -> Interval:
    """Median of `values` between two of them; InputError for no values or one that is not finite.

    The bounds are order statistics, whose coverage is exact for independent values of any distribution
    (Thompson, Annals of Mathematical Statistics 7, 1936).
    """
    _check(values)
    in_order = sorted(values)
    outside = max(1, _n_below_median(len(values)))
    confidence = reachable_confidence(len(values))
    return Interval(in_order[outside - 1], statistics.median(values), in_order[-outside], confidence)


@lru_cache
def _n_below_median(n_values: int) -> int:
    """The greatest k for which the k-th least value is above the median in at most 2.5 % of samples."""
    most = round((1 - CONFIDENCE) / 2 * 1000) * 2**n_values // 1000  # of all 2^n ways to lie about the median
    n_ways, k = 0, 0
    while (n_ways := n_ways + math.comb(n_values, k)) <= most:
        k += 1
    return k


def mean_interval(values: Sequence[float]) -> Interval:
    """Mean of `values` with its percentile bootstrap interval (Efron, Annals of Statistics 7, 1979).

    The confidence is nominal: from few repeats of a skewed time the interval of a mean covers less. Raises
    InputError as median_interval.
    """
    _check(values)
    low, high = _percentile_interval(lambda rng: statistics.fmean(rng.choices(values, k=len(values))))
    return Interval(low, statistics.fmean(values), high, reachable_confidence(len(values)))


def paired_ratio(values: Sequence[float], over: Sequence[float], error: float = 1 - CONFIDENCE) -> Interval:
    """values[i] / over[i] of pairs, each of which ran in a round of random order.

    Of the logarithms of the ratios, the Hodges-Lehmann estimate (the median of the means of any two) and
    Wilcoxon's signed-rank interval (Hodges, Lehmann, Annals of Mathematical Statistics 34, 1963), which
    misses in at most `error` of experiments. If the order of each pair is drawn by lot, the sign of what the
    machine adds to a pair is a fair coin, so that the confidence holds however the machine drifts and
    whatever its noise is like. The confidence is less than CONFIDENCE below LEAST_REPEATS pairs (see
    reachable_confidence). Raises InputError for no pair or a value that is not above 0.
    """
    for side in (values, over):
        _check(side)
        if min(side) <= 0:
            raise InputError(f"found a run time of {min(side)} s; expected times above 0")
    logarithms = [math.log(value / base) for value, base in zip(values, over, strict=True)]
    low, middle, high = (math.exp(bound) for bound in _signed_rank_interval(logarithms, error))
    return Interval(low, middle, high, reachable_confidence(len(logarithms)))


def _signed_rank_interval(values: Sequence[float], error: float) -> tuple[float, float, float]:
    """(low, Hodges-Lehmann estimate, high): the bounds miss the centre in at most `error` of experiments.

    The least and the greatest value where there are too few for that.
    """
    own = np.asarray(values)
    first, second = np.triu_indices(len(own))
    means = np.sort((own[first] + own[second]) / 2)
    outside = max(1, _n_means_outside(len(own), error))
    return float(means[outside - 1]), float(np.median(means)), float(means[-outside])


@lru_cache
def _n_means_outside(n_values: int, error: float) -> int:
    """Of the n (n + 1) / 2 means of two values, how many lie below the interval, and as many above it.

    The number of sums s of signed ranks with P(S <= s) at most half of `error`; S adds each rank from
    1 to n with probability 1/2.
    """
    share = np.zeros(n_values * (n_values + 1) // 2 + 1)
    share[0] = 1
    for rank in range(1, n_values + 1):
        share[rank:] = share[rank:] + share[:-rank]
        share /= 2
    return int(np.searchsorted(np.cumsum(share), error / 2, side="right"))


def _check(values: Sequence[float]) -> None:
    if not values:
        raise InputError("found no run that ended well; expected at least one repeat of each placement")
    for value in values:
        if not abs(value) < float("inf"):
            raise InputError(f"found a run time of {value}; expected finite numbers")


def _percentile_interval(estimate: Callable[[random.Random], float]) -> tuple[float, float]:
    rng = random.Random(SEED)
    estimates = sorted(estimate(rng) for _ in range(RESAMPLES))
    outside = round((1 - CONFIDENCE) / 2 * RESAMPLES)
    return estimates[outside], estimates[-1 - outside]
