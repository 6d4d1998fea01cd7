"""Gains, medians and their intervals: small samples worked out by hand, and how often intervals are wrong."""

import math
import random
from itertools import product

import pytest
from corewise.errors import InputError
from corewise.nouns.advice import LOOKS, measured_gain, tells_enough
from corewise.statistics import (
    CONFIDENCE,
    LEAST_REPEATS,
    median_interval,
    reachable_confidence,
)
from hypothesis import given, settings
from hypothesis import strategies as st

times = st.lists(st.floats(0.001, 1e6), min_size=1, max_size=12)
pairs = st.lists(st.tuples(st.floats(0.001, 1e6), st.floats(0.001, 1e6)), min_size=1, max_size=12)


def test_the_gain_is_that_of_the_pairs_and_not_of_the_medians():
    # Each pair gains 20 %, while the machine becomes three times slower. The medians of 10 and 8 give the
    # same.
    gain = measured_gain([5.0, 10.0, 15.0], [4.0, 8.0, 12.0])
    assert (gain.low, gain.expected, gain.high) == pytest.approx((0.2, 0.2, 0.2))
    assert gain.n_repeats == 3


def test_the_estimate_is_the_median_of_the_means_of_any_two_pairs():
    # Ratios e^0, e^1 and e^4: means 0, 0.5, 1, 2, 2.5, 4, whose median is 1.5.
    gain = measured_gain([1.0, 1.0, 1.0], [1.0, math.e, math.e**4])
    assert gain.expected == pytest.approx(1 - math.e**1.5)
    assert (gain.low, gain.high) == pytest.approx((1 - math.e**4, 0.0))


def test_one_repeat_claims_no_confidence_and_three_claim_three_quarters():
    assert reachable_confidence(1) == 0
    assert reachable_confidence(3) == 0.75
    assert reachable_confidence(6) == 0.95
    assert LEAST_REPEATS == 6


def test_the_bounds_of_a_median_are_order_statistics():
    # At most 1 of 9 values is below the median in 10 of 512 samples, at most 2 in 46. So the bounds are the
    # second lowest and the second highest value.
    interval = median_interval([9.0, 1.0, 8.0, 2.0, 7.0, 3.0, 6.0, 4.0, 5.0])
    assert (interval.low, interval.expected, interval.high) == (2.0, 5.0, 8.0)


def test_a_clear_gain_excludes_zero_and_noise_includes_it():
    clear = measured_gain([10.0, 10.1, 9.9, 10.2, 9.8, 10.0], [8.0, 8.1, 7.9, 8.2, 7.8, 8.0])
    assert clear.low > 0.1
    noise = measured_gain([10.0, 12.0, 8.0, 11.0, 9.0, 10.5], [10.1, 12.1, 8.1, 11.1, 9.1, 10.4])
    assert noise.low < 0 < noise.high


def test_repeats_tell_enough_when_the_gain_is_clear_or_narrow_and_only_at_a_look():
    clear = [10.0] * 9, [8.0] * 9
    assert tells_enough(clear[0][:8], clear[1][:8])
    assert not tells_enough(clear[0][:7], clear[1][:7])
    assert not tells_enough(*clear)  # not a scheduled check, whatever the pairs show
    assert tells_enough([10.0, 10.02] * 4, [10.01, 10.0] * 4)  # no effect, and surely none above 2 %
    assert not tells_enough([10.0, 12.0, 8.0, 11.0] * 2, [10.1, 11.9, 8.1, 10.0] * 2)
    assert tells_enough([10.0], [])  # more runs of one series don't help if there is no other


def test_an_interval_that_could_have_ended_the_repeats_is_wider():
    default_s = [10.0 + 0.1 * i for i in range(20)]
    best_s = [9.0 + 0.3 * (i * 7 % 10) for i in range(20)]
    asked, looked = measured_gain(default_s, best_s), measured_gain(default_s, best_s, looked=True)
    assert looked.low < asked.low <= asked.expected == looked.expected <= asked.high < looked.high


@pytest.mark.parametrize("bad", [[], [float("nan")], [float("inf")], [0.0], [-1.0]])
def test_times_that_are_no_times_are_refused(bad):
    with pytest.raises(InputError, match="expected"):
        measured_gain([1.0], bad)
    with pytest.raises(InputError, match="expected"):
        measured_gain(bad, [1.0])


@given(times)
@settings(max_examples=25)
def test_the_median_lies_in_its_interval_and_the_interval_in_the_range(values):
    interval = median_interval(values)
    assert min(values) <= interval.low <= interval.expected <= interval.high <= max(values)


@given(pairs)
@settings(max_examples=25)
def test_the_same_pairs_give_the_same_interval_and_the_other_way_round_the_opposite_one(of_pairs):
    default_s, best_s = zip(*of_pairs, strict=True)
    first = measured_gain(default_s, best_s)
    assert first == measured_gain(default_s, best_s)
    assert first.low <= first.expected <= first.high
    other = measured_gain(best_s, default_s)
    assert [1 - other.low, 1 - other.high] == pytest.approx([1 / (1 - first.high), 1 / (1 - first.low)])


@given(st.lists(st.tuples(st.floats(0.001, 1e3), st.floats(0.001, 1e3)), min_size=5, max_size=8))
@settings(max_examples=20, deadline=None)
def test_whatever_the_machine_does_at_most_five_percent_of_all_orders_show_a_gain_of_nothing(slots_s):
    # The same program on both sides: the times of the slots are fixed, and only the order within a pair is
    # random. All 2^n orders are equally likely, so they can be counted.
    n_wrong = 0
    for order in product((0, 1), repeat=len(slots_s)):
        first_s = [slot[turn] for slot, turn in zip(slots_s, order, strict=True)]
        second_s = [slot[1 - turn] for slot, turn in zip(slots_s, order, strict=True)]
        gain = measured_gain(first_s, second_s)
        n_wrong += gain.excludes_zero
    assert n_wrong / 2 ** len(slots_s) <= 1 - gain.confidence + 1e-12


def busy_machine(rng: random.Random, n_slots: int) -> list[float]:
    """Times of one program on a machine with drift, noise that lasts for several runs, and outliers."""
    drift, slow, times_s = rng.gauss(0, 0.02), 0.0, []
    for slot in range(n_slots):
        slow = 0.9 * slow + rng.gauss(0, 0.05)
        outlier = abs(rng.gauss(0, 0.5)) if rng.random() < 0.1 else 0.0
        times_s.append(math.exp(drift * slot + slow + outlier))
    return times_s


def wrong_share(n_pairs: int, looks: bool, in_random_order: bool, n_experiments: int = 1000) -> float:
    """The share of experiments (a program compared with itself) whose interval excludes 0.

    Three runs per round.
    """
    rng, n_wrong = random.Random(n_pairs), 0
    for _ in range(n_experiments):
        times_s, default_s, best_s = busy_machine(rng, 3 * n_pairs), [], []
        for begin in range(0, 3 * n_pairs, 3):
            slots_s = times_s[begin : begin + 3]
            default, best, _ = rng.sample(slots_s, 3) if in_random_order else slots_s
            default_s.append(default)
            best_s.append(best)
            if looks and tells_enough(default_s, best_s):
                break
        n_wrong += measured_gain(default_s, best_s, looked=looks).excludes_zero
    return n_wrong / n_experiments


# The limit for 1000 experiments of which 5 % are wrong, plus three standard deviations: 0.05 + 3 * sqrt(0.05
# * 0.95 / 1000).
MOST_WRONG = 0.0707


@pytest.mark.parametrize("n_pairs", [5, 7, 10, 20])
def test_intervals_hold_under_drift_lasting_noise_and_outliers(n_pairs):
    allowed = MOST_WRONG if reachable_confidence(n_pairs) == CONFIDENCE else 0.0855  # 6.25 % for 5 pairs
    assert wrong_share(n_pairs, looks=False, in_random_order=True) <= allowed


@pytest.mark.parametrize("n_pairs", [10, 20, LOOKS[-1] + 1])
def test_intervals_hold_when_the_spread_ends_the_repeats(n_pairs):
    assert wrong_share(n_pairs, looks=True, in_random_order=True, n_experiments=600) <= 0.0767


def test_an_order_that_is_always_the_same_takes_drift_for_a_gain():
    assert wrong_share(20, looks=False, in_random_order=False) > 2 * (1 - CONFIDENCE)
