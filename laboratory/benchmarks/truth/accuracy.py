"""Compares the predictions for one program's placements with its measured times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np
from corewise.statistics import median_interval
from corewise_laboratory.studies import rows
from predictors import Prediction
from store import MeasuredPlacement, Truth

SAME = 1e-3  # two predicted values are equal if they differ by less than this fraction
NEAR = 0.1  # difference of two gains: ten percentage points


@dataclass(frozen=True)
class Accuracy:
    """The accuracy of one predictor for one program; the sum of two is that for both programs.

    * `n_pairs`: pairs of placements whose measured medians differ by more than their spread. The predictor
      has `n_right` of them in the right order and predicts the same value for `n_tied`.
    * `spearman`: a rank correlation for each program.
    * `gain_errors`: measured - predicted gain for each placement except block order.
    * `n_covered`: intervals, of `n_intervals`, that contain the measured value.
    """

    n_pairs: int
    n_right: int
    n_tied: int
    spearman: list[float]
    gain_errors: list[float]
    n_covered: int
    n_intervals: int

    def __add__(self, other: Accuracy) -> Accuracy:
        return Accuracy(
            self.n_pairs + other.n_pairs,
            self.n_right + other.n_right,
            self.n_tied + other.n_tied,
            self.spearman + other.spearman,
            self.gain_errors + other.gain_errors,
            self.n_covered + other.n_covered,
            self.n_intervals + other.n_intervals,
        )

    @property
    def n_near(self) -> int:
        """How many predicted gains are within ten points of the measured ones."""
        return sum(abs(error) <= NEAR for error in self.gain_errors)


def above_best(truth: Truth, times_s: Mapping[int, float]) -> dict[str, float]:
    """By rule or objective: t / t_fastest - 1 of the placement that it chose.

    `times_s` are measured or simulated times by the placement's index. Placements without one are left out.
    """
    best_s = min(times_s.values())
    return {
        name: times_s[number] / best_s - 1
        for number, one in enumerate(truth.placements)
        for name in one.names
        if number in times_s
    }


def accuracy(truth: Truth, predictions: Sequence[Prediction]) -> Accuracy:
    """The accuracy over the placements that have measured times."""
    ran = [
        (one, predicted) for one, predicted in zip(truth.placements, predictions, strict=True) if one.times_s
    ]
    n_pairs, n_right, n_tied = _pairs(ran)
    times_s = [median(one.times_s) for one, _ in ran]
    errors = [
        gain(one, truth.baseline) - predicted.gain
        for one, predicted in ran
        if one is not truth.baseline and predicted.gain is not None
    ]
    given = [(one, predicted) for one, predicted in ran if predicted.interval is not None]
    given = [each for each in given if not (each[1].of_gain and each[0] is truth.baseline)]
    covered = [
        predicted.interval.low <= shown(one, predicted, truth.baseline) <= predicted.interval.high
        for one, predicted in given
    ]
    correlation = spearman(times_s, places([predicted.value for _, predicted in ran]))
    return Accuracy(
        n_pairs,
        n_right,
        n_tied,
        [] if correlation is None else [correlation],
        errors,
        sum(covered),
        len(covered),
    )


def shown(own: MeasuredPlacement, predicted: Prediction, baseline: MeasuredPlacement) -> float:
    """The measured gain if the prediction's interval is of a gain, else the measured median time, s."""
    return gain(own, baseline) if predicted.of_gain else median(own.times_s)


def gain(own: MeasuredPlacement, baseline: MeasuredPlacement) -> float:
    """1 - t / t_baseline of the medians."""
    return 1 - median(own.times_s) / median(baseline.times_s)


def apart(a: MeasuredPlacement, b: MeasuredPlacement) -> bool:
    """Whether the intervals of both medians don't overlap; False if a placement has a single run."""
    if min(len(a.times_s), len(b.times_s)) < 2:
        return False
    first, second = median_interval(a.times_s), median_interval(b.times_s)
    return first.high < second.low or second.high < first.low


def _pairs(ran: list[tuple[MeasuredPlacement, Prediction]]) -> tuple[int, int, int]:
    """`n_pairs`, `n_right` and `n_tied` of Accuracy."""
    n_pairs = n_right = n_tied = 0
    for fast, of_fast in ran:
        for slow, of_slow in ran:
            if median(fast.times_s) >= median(slow.times_s) or not apart(fast, slow):
                continue
            n_pairs += 1
            if same(of_fast.value, of_slow.value):
                n_tied += 1
            else:
                n_right += of_fast.value < of_slow.value
    return n_pairs, n_right, n_tied


def same(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    """Whether the first values that differ do so by at most the fraction SAME."""
    differing = [(x, y) for x, y in zip(a, b, strict=True) if x != y]
    return not differing or abs(differing[0][0] - differing[0][1]) <= SAME * max(map(abs, differing[0]))


def places(values: list[tuple[float, ...]]) -> list[float]:
    """The index of each value among the distinct values in lexicographic order."""
    order = sorted(set(values))
    return [float(order.index(value)) for value in values]


def spearman(a: Sequence[float], b: Sequence[float]) -> float | None:
    """Spearman's rank correlation; None if `a` or `b` is constant."""
    try:
        return rows.spearman(np.asarray(a), np.asarray(b))
    except rows.MissingValue:
        return None
