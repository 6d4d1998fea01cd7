"""benchmarks/truth: what its tables and stored errors count, on times made up by hand."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "truth"
NAMES = ("accuracy", "errors", "predictors", "store")


@pytest.fixture
def truth(monkeypatch) -> dict[str, ModuleType]:
    """The benchmark's modules by name; they are scripts' neighbours, so that they leave no trace here."""
    monkeypatch.syspath_prepend(BENCHMARK)
    found = {name: __import__(name) for name in NAMES}
    yield found
    for name in NAMES:
        del sys.modules[name]


def measured(truth, times: dict[str, list[float]]):
    """A program with these times by placement."""
    store = truth["store"]
    placements = [store.Measured([name], [0, 0, 1, 1], times_s) for name, times_s in times.items()]
    return store.Truth("some", "pe1550:2", "p2p", "2026-11-22", 2, 0.1, placements)


def predicted(truth, values: list[float]):
    """Predictions of these values, with the gains that follow over the first."""
    Prediction = truth["predictors"].Prediction
    return [Prediction((value,), 1 - value / values[0]) for value in values]


# Medians 10, 8 and 5, whose intervals are apart; b and c overlap with none.
TIMES = {"block": [10.0, 10.1, 9.9], "b": [8.0, 8.1, 7.9], "c": [5.0, 5.1, 4.9]}


def test_perfect_predictions_are_right_everywhere(truth):
    found = truth["accuracy"].accuracy(measured(truth, TIMES), predicted(truth, [10.0, 8.0, 5.0]))
    assert (found.n_pairs, found.n_right, found.n_tied) == (3, 3, 0)
    assert found.spearman == pytest.approx([1.0])
    assert found.gain_errors == pytest.approx([0.0, 0.0])
    assert found.n_near == 2


def test_a_pair_that_is_not_told_apart_is_not_right(truth):
    # block and b are predicted alike, c slower than both: of three pairs none is right.
    found = truth["accuracy"].accuracy(measured(truth, TIMES), predicted(truth, [10.0, 10.0, 12.0]))
    assert (found.n_pairs, found.n_right, found.n_tied) == (3, 0, 1)
    assert found.gain_errors == pytest.approx([0.2, 0.7])
    assert found.n_near == 0


def test_pairs_within_their_spread_are_not_counted(truth):
    times = {"block": [10.0, 9.0, 11.0], "b": [9.5, 8.5, 10.5]}
    found = truth["accuracy"].accuracy(measured(truth, times), predicted(truth, [1.0, 2.0]))
    assert (found.n_pairs, found.n_right) == (0, 0)


def test_scores_of_several_values_are_compared_by_the_first_that_differs(truth):
    Prediction = truth["predictors"].Prediction
    predictions = [Prediction((2.0, 9.0)), Prediction((2.0, 8.0)), Prediction((1.0, 99.0))]
    found = truth["accuracy"].accuracy(measured(truth, TIMES), predictions)
    assert (found.n_right, found.spearman) == (3, pytest.approx([1.0]))


def test_intervals_of_times_and_of_gains_are_held_against_their_own_figure(truth):
    Prediction, Interval = truth["predictors"].Prediction, truth["predictors"].Interval
    times = [Prediction((1.0,), 0.0, Interval(9.0, 9.5, 10.5, 0.8)) for _ in TIMES]
    found = truth["accuracy"].accuracy(measured(truth, TIMES), times)
    assert (found.n_covered, found.n_intervals) == (1, 3)  # 10 alone
    gains = [Prediction((1.0,), 0.2, Interval(0.1, 0.2, 0.3, 0.8), of_gain=True) for _ in TIMES]
    found = truth["accuracy"].accuracy(measured(truth, TIMES), gains)
    assert (found.n_covered, found.n_intervals) == (1, 2)  # 0.2, and not 0.5; block order has no gain


def test_bounds_of_errors_leave_a_tenth_out_on_each_side(truth):
    # Of 19 values the (19 + 1) 0.1 = 2nd and the (19 + 1) 0.9 = 18th; both sides hold 1.
    bounds = truth["errors"].Ratios([i / 10 for i in range(1, 20)], ["some"]).bounds()
    assert bounds == (0.2, 1.8)
    assert truth["errors"].Ratios([2.0] * 19, ["some"]).bounds() == (1.0, 2.0)


def test_ratios_of_gains_that_nobody_would_notice_are_left_out(truth):
    of_run = {"time (run)": predicted(truth, [10.0, 9.9, 6.0])}
    ratios = truth["errors"].gain_ratios([(measured(truth, TIMES), of_run)])
    assert ratios.values == pytest.approx([0.5 / 0.4])
    assert ratios.programs == ["some"]


def test_a_stored_program_is_read_back(truth, tmp_path):
    store, found = truth["store"], measured(truth, TIMES)
    (tmp_path / "some").mkdir()
    store.save(tmp_path, found)
    assert store.load(tmp_path) == [found]
    assert found.baseline.times_s == TIMES["block"]
