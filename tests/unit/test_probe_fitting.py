"""From samples to figures: quartiles, bounds, thresholds, groups of pairs, and levels with equal figures."""

import pytest
from corewise.machines import load
from corewise.model import LinkFigures
from corewise.probe.fitting import (
    Estimate,
    NothingMeasured,
    are_equal,
    eager_threshold,
    estimate,
    figures_of,
    groups_of,
)
from corewise.probe.pairs import CURVE_SIZES, plan_probe
from probe_cases import samples_of


def exact(time_s: float) -> Estimate:
    return Estimate(time_s, time_s, time_s)


def test_an_estimate_is_the_lower_quartile_of_the_fastest_pass():
    # Lower quartiles: 2 of (1, 2, 3, 4, 9) and 3 of (3, 5, 80); the smaller one is the estimate. Medians: 3
    # and 5.
    assert estimate([[9, 1, 3, 2, 4], [80, 5, 3]]) == Estimate(2, 1, 5)


def test_a_link_of_known_latency_and_bandwidth_is_found():
    # 2 us and 1 GB/s. A link has the bandwidth of one pair, in both directions at the same time.
    machine = load("synthetic:2:core:2 pu:1")
    plan = plan_probe(machine, 8)

    def time_s(one) -> float:
        pairs_on_a_link = one.pairs_each_way / one.links
        return 2e-6 + one.size_bytes * (pairs_on_a_link if one.level == 2 else 1) / 1e9

    found = figures_of(2, plan.measurements, samples_of(plan.measurements, time_s), "measured today")
    figures = found.figures
    assert figures.latency_s == pytest.approx(2e-6 + 1e-9)
    assert figures.latency_bounds_s == pytest.approx((2e-6 + 1e-9, 1.01 * (2e-6 + 1e-9)))
    assert figures.bandwidth_bytes_per_s == pytest.approx(1e9, rel=0.005)
    assert [size for size, *_ in figures.curve] == CURVE_SIZES
    assert [load[:3] for load in figures.loads] == [
        (1, 1, False),
        (2, 1, False),
        (1, 1, True),
        (2, 1, True),
    ]
    assert (figures.duplex, figures.shares_bus, figures.eager_bytes) == (True, None, None)
    assert found.groups == []


def turns(one) -> float:
    """1 GB/s each way, but two ranks that exchange messages take turns, as over TCP."""
    return one.size_bytes * one.pairs_each_way * (2 if one.mode == "exchange" else 1) / 1e9


def test_what_a_link_carries_both_ways_is_not_limited_by_ranks_that_take_turns():
    plan = plan_probe(load("synthetic:2:core:2 pu:1"), 4)
    found = figures_of(2, plan.measurements, samples_of(plan.measurements, turns), "measured")
    assert [load[:4] for load in found.figures.loads] == [
        (1, 1, False, pytest.approx(1e9)),
        (2, 1, False, pytest.approx(1e9)),
        (1, 1, True, pytest.approx(2e9)),  # crossed
        (2, 1, True, pytest.approx(1e9)),  # exchanges; two pairs each way need eight ranks
    ]
    assert (found.figures.duplex, found.crossed) == (True, True)
    assert found.exchange_bytes_per_s == pytest.approx(1e9)


def test_with_one_rank_a_side_what_ranks_that_exchange_get_counts():
    plan = plan_probe(load("synthetic:2:core:2 pu:1"), 4)
    found = figures_of(1, plan.measurements, samples_of(plan.measurements, turns), "measured")
    assert [load[:4] for load in found.figures.loads] == [
        (1, 1, False, pytest.approx(1e9)),
        (1, 1, True, pytest.approx(1e9)),
    ]
    assert (found.figures.duplex, found.crossed) == (False, False)


def test_a_half_duplex_bus_is_found():
    # All messages on the machine's single bus are sent one after the other.
    machine = load("synthetic:4:core:2 pu:1")
    plan = plan_probe(machine, 16)

    def time_s(one) -> float:
        directions = 2 if one.mode == "exchange" else 1
        return 1e-6 + one.size_bytes * len(one.pairs) * directions / 1e9

    figures = figures_of(2, plan.measurements, samples_of(plan.measurements, time_s), "measured").figures
    assert (figures.duplex, figures.shares_bus) == (False, True)
    assert figures.bandwidth_bytes_per_s == pytest.approx(1e9, rel=0.01)


def test_a_level_without_its_measurements_is_said_not_invented():
    plan = plan_probe(load("synthetic:2:core:2 pu:1"), 2)  # two ranks: no network
    with pytest.raises(NothingMeasured, match="level 2 was not measured"):
        figures_of(2, plan.measurements, samples_of(plan.measurements, lambda one: 1e-6), "measured")


def curve(step_after: int | None, step_s: float) -> dict[int, Estimate]:
    """1 us and 1 GB/s, plus `step_s` for sizes above `step_after`."""
    return {
        size: exact(1e-6 + size / 1e9 + (step_s if step_after is not None and size > step_after else 0))
        for size in CURVE_SIZES
    }


def test_a_step_in_the_curve_is_the_eager_threshold():
    assert eager_threshold(curve(4096, 2e-6)) == 4096
    assert eager_threshold(curve(16384, 2e-6)) == 16384


def test_a_step_that_no_handshake_makes_is_none():
    assert eager_threshold(curve(None, 0)) is None
    assert eager_threshold(curve(4096, 0.3e-6)) is None  # the step is shorter than half a latency
    assert eager_threshold(curve(64, 9e-6)) is None  # no library has such a low threshold
    assert eager_threshold(curve(2**17, 9e-6)) is None  # small compared with the 131 us for these bytes


def test_a_step_within_the_bounds_of_the_times_is_none():
    disturbed = {
        size: Estimate(one.time_s, one.time_s / 3, 3 * one.time_s) for size, one in curve(4096, 2e-6).items()
    }
    assert eager_threshold(disturbed) is None


def scanned(times_us: list[float], spread: float = 0.02) -> list[tuple[tuple[int, int], int, Estimate]]:
    return [
        ((i, 100 + i), 1, Estimate(time * 1e-6, time * 1e-6, time * 1e-6 * (1 + spread)))
        for i, time in enumerate(times_us)
    ]


def test_pairs_of_a_level_that_differ_for_sure_fall_into_groups():
    groups = groups_of(scanned([1.0, 2.0, 1.1, 2.1, 4.0, 4.1]))
    assert [[pair[0] for pair, _ in group] for group in groups] == [[0, 2], [1, 3], [4, 5]]


def test_pairs_that_differ_by_chance_do_not():
    assert groups_of(scanned([1.0, 1.1, 1.2, 1.3])) == []  # they differ by a tenth
    assert groups_of(scanned([1.0, 1.0, 1.0, 5.0])) == []  # a single slow pair was disturbed
    assert groups_of(scanned([1.0, 1.1, 2.0, 2.1], spread=2)) == []  # the pairs' ranges overlap
    assert groups_of([]) == []


def test_levels_are_equal_where_their_bounds_overlap_at_every_size():
    def figures(*times: tuple[float, float]) -> LinkFigures:
        points = [(4**i, low, low, high) for i, (low, high) in enumerate(times)]
        return LinkFigures(1e-6, 1e9, "measured", curve=points)

    a = figures((1.0, 1.2), (2.0, 2.2))
    assert are_equal(a, figures((1.1, 1.3), (1.9, 2.0)))
    assert not are_equal(a, figures((1.1, 1.3), (2.3, 2.4)))
    assert not are_equal(a, LinkFigures(1e-6, 1e9, "measured"))
