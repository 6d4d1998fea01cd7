"""Medians and bootstrap intervals: small samples with the arithmetic shown, and properties of all samples."""

import pytest
from corewise.errors import InputError
from corewise.statistics import measured_gain, median_interval, reachable_confidence, tells_enough
from hypothesis import given, settings
from hypothesis import strategies as st

times = st.lists(st.floats(0.001, 1e6), min_size=1, max_size=12)


def test_the_gain_is_one_minus_the_ratio_of_medians():
    # medians 10 and 8: 1 - 8/10 = 0.2
    gain = measured_gain([9.9, 10.0, 30.0], [8.0, 7.9, 8.1])
    assert gain.expected == pytest.approx(0.2)
    assert gain.n_repeats == 3


def test_equal_repeats_leave_no_doubt():
    gain = measured_gain([4.0] * 6, [3.0] * 6)
    assert (gain.low, gain.expected, gain.high, gain.confidence) == (0.25, 0.25, 0.25, 0.95)


def test_one_repeat_claims_no_confidence_and_three_claim_three_quarters():
    assert reachable_confidence(1) == 0
    assert reachable_confidence(3) == 0.75
    assert reachable_confidence(6) == 0.95


def test_with_three_repeats_the_interval_is_the_whole_range():
    # every value of a sample of three is its resampled median more often than once in forty
    interval = median_interval([1.0, 2.0, 5.0])
    assert (interval.low, interval.expected, interval.high) == (1.0, 2.0, 5.0)


def test_a_clear_gain_excludes_zero_and_noise_includes_it():
    clear = measured_gain([10.0, 10.1, 9.9, 10.2, 9.8, 10.0], [8.0, 8.1, 7.9, 8.2, 7.8, 8.0])
    assert clear.low > 0.1
    noise = measured_gain([10.0, 12.0, 8.0, 11.0, 9.0, 10.5], [10.1, 12.1, 8.1, 11.1, 9.1, 10.4])
    assert noise.low < 0 < noise.high


def test_repeats_tell_enough_when_the_gain_is_clear_or_narrow_and_never_from_a_few():
    clear = [10.0] * 8, [8.0] * 8
    assert tells_enough(*clear)
    assert not tells_enough(clear[0][:7], clear[1][:7])  # seven claim 98.4 %, less than the 99 % asked for
    assert tells_enough([10.0, 10.02] * 4, [10.01, 10.0] * 4)  # no effect, but none above 2 % either
    assert not tells_enough([10.0, 12.0, 8.0, 11.0] * 2, [10.1, 12.1, 8.1, 11.1] * 2)
    assert tells_enough([10.0], [])  # nothing to compare: more runs of one side tell nothing


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


@given(times, times)
@settings(max_examples=25)
def test_the_same_repeats_give_the_same_interval(default_s, best_s):
    first = measured_gain(default_s, best_s)
    assert first == measured_gain(default_s, best_s)
    assert first.low <= first.expected <= first.high


@given(times)
@settings(max_examples=10)
def test_a_placement_against_itself_gains_nothing(values):
    gain = measured_gain(values, values)
    assert gain.expected == 0
    assert gain.low <= 0 <= gain.high
