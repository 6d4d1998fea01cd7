"""Statistics of repeats: ratios of paired runs, medians and means, each with an interval."""

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
SEED = 1  # fixed, so that the same repeats always give the same interval


@dataclass(frozen=True)
class Interval:
    """An estimate between two bounds.

    `confidence` is the fraction of experiments in which they enclose the true value, None if unknown.
    """

    low: float
    expected: float
    high: float
    confidence: float | None


def reachable_confidence(n_repeats: int, wanted: float = CONFIDENCE) -> float:
    """The confidence of an interval from `n_repeats` values: `wanted`, or less for few repeats.

    The least and the greatest of n independent values enclose the median with probability 1 - 2^(1-n) for any
    distribution, and narrower intervals have less: 0 for one repeat, 0.75 for three, 0.94 for five, 0.992 for
    eight. The same holds for pairs in random order.
    """
    return min(wanted, 1 - 2.0 ** (1 - n_repeats))


LEAST_REPEATS = next(n for n in range(1, 100) if reachable_confidence(n) == CONFIDENCE)  # for CONFIDENCE


def median_interval(values: Sequence[float]) -> Interval:
    """The median of `values` with an interval; raises InputError without values, or if one is not finite.

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
    """The greatest k for which the k-th smallest value is above the median in at most 2.5 % of samples."""
    # Of all 2^n ways in which values are above or below the median.
    most = round((1 - CONFIDENCE) / 2 * 1000) * 2**n_values // 1000
    n_ways, k = 0, 0
    while (n_ways := n_ways + math.comb(n_values, k)) <= most:
        k += 1
    return k


def mean_interval(values: Sequence[float]) -> Interval:
    """Mean of `values` with its percentile bootstrap interval (Efron, Annals of Statistics 7, 1979).

    The confidence is nominal: for few repeats of a skewed distribution, the interval covers less. Raises
    InputError as median_interval() does.
    """
    _check(values)
    low, high = _percentile_interval(lambda rng: statistics.fmean(rng.choices(values, k=len(values))))
    return Interval(low, statistics.fmean(values), high, reachable_confidence(len(values)))


def paired_ratio(values: Sequence[float], over: Sequence[float], error: float = 1 - CONFIDENCE) -> Interval:
    """The ratio values[i] / over[i] of pairs, each of which ran in random order.

    Computes, for the logarithms of the ratios, the Hodges-Lehmann estimate (the median of all pairwise means)
    and Wilcoxon's signed-rank interval (Hodges, Lehmann, Annals of Mathematical Statistics 34, 1963), which
    misses the true value in at most `error` of experiments. Because the order within pairs is random, the
    machine's disturbance of a pair has either sign with equal probability. The confidence therefore holds for
    any drift and noise. It is less than CONFIDENCE below LEAST_REPEATS pairs (see reachable_confidence()).
    Raises InputError without a pair, or for a value that is not above 0.
    """
    for side in (values, over):
        _check(side)
        if min(side) <= 0:
            raise InputError(f"found a run time of {min(side)} s; expected times above 0")
    logarithms = [math.log(value / base) for value, base in zip(values, over, strict=True)]
    low, middle, high = (math.exp(bound) for bound in _signed_rank_interval(logarithms, error))
    return Interval(low, middle, high, reachable_confidence(len(logarithms)))


def _signed_rank_interval(values: Sequence[float], error: float) -> tuple[float, float, float]:
    """(low, Hodges-Lehmann estimate, high); the bounds miss the centre in at most `error` of experiments.

    For too few values, the bounds are the least and the greatest value.
    """
    own = np.asarray(values)
    first, second = np.triu_indices(len(own))
    means = np.sort((own[first] + own[second]) / 2)
    outside = max(1, _n_means_outside(len(own), error))
    return float(means[outside - 1]), float(np.median(means)), float(means[-outside])


@lru_cache
def _n_means_outside(n_values: int, error: float) -> int:
    """How many of the n (n + 1) / 2 pairwise means are below the interval, and above it.

    It is the number of values s with P(S <= s) <= `error` / 2, where S is the sum of ranks from 1 to n, each
    included with probability 1/2.
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
