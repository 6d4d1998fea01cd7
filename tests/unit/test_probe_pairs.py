"""The measurements of `corewise probe`: every level, on representative pairs, even on a large machine."""

import pytest
from corewise.machines import load
from corewise.probe.pairs import CURVE_SIZES, LOAD_SIZE, Measurement, plan_probe
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_machine_properties import machines

MACHINES = ["draco:16", "perlmutter:16", "jaguar-xt5:10+8", "synthetic:64:pack:2 l3:4 core:8 pu:2"]


def of(plan, level: int, purpose: str) -> list[Measurement]:
    return [one for one in plan.measurements if (one.level, one.purpose) == (level, purpose)]


@pytest.mark.parametrize("spec", MACHINES)
def test_every_level_has_curves_and_loads_on_few_ranks(spec):
    machine = load(spec)
    plan = plan_probe(machine, 64)
    assert len(plan.cores) <= 64
    for level in range(1, machine.n_levels + 1):
        assert [one.size_bytes for one in of(plan, level, "curve")][: len(CURVE_SIZES)] == CURVE_SIZES
        assert (1, "stream") in [(len(one.pairs), one.mode) for one in of(plan, level, "load")]


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(machines(), st.integers(2, 12))
def test_pairs_meet_at_their_level_and_no_rank_is_in_two_at_once(machine, most_ranks):
    plan = plan_probe(machine, most_ranks)
    assert len(plan.cores) <= most_ranks
    for one in plan.measurements:
        assert all(machine.meeting_level(*pair) == one.level for pair in one.pairs)
        cores = [core for pair in one.pairs for core in pair]
        assert len(set(cores)) == len(cores) and set(cores) <= set(plan.cores)


def test_a_link_is_measured_with_1_2_and_4_pairs_one_way_and_both_and_beside_others():
    # Four nodes of four cores: two pairs from node 0 to node 1; or a pair 0 -> 1 with a pair 2 -> 3.
    machine = load("synthetic:4:core:4 pu:1")
    found = of(plan_probe(machine, 64), 2, "load")
    assert [(one.mode, one.links, one.pairs) for one in found] == [
        ("stream", 1, ((0, 5),)),
        ("stream", 1, ((0, 5), (1, 6))),
        ("stream", 1, ((0, 5), (1, 6), (2, 7), (3, 4))),
        ("exchange", 1, ((0, 5),)),
        ("exchange", 1, ((0, 5), (1, 6), (2, 7), (3, 4))),
        ("stream", 1, ((0, 5), (6, 1))),
        ("stream", 1, ((0, 5), (6, 1), (2, 7), (4, 3))),
        ("stream", 2, ((0, 5), (8, 13))),
    ]
    assert [one.crossed for one in found] == [False] * 5 + [True, True, False]
    assert [one.pairs_each_way for one in found if one.both_ways] == [1, 4, 1, 2]


def test_each_direction_has_its_own_ranks_wherever_both_sides_have_two():
    # Level 1 joins single cores: two ranks, which exchange messages. Level 2 joins nodes of two cores.
    plan = plan_probe(load("synthetic:2:core:2 pu:1"), 4)
    crossed = {level: [one.pairs for one in of(plan, level, "load") if one.crossed] for level in (1, 2)}
    assert crossed == {1: [], 2: [((0, 3), (2, 1))]}
    # three ranks are too few
    assert not any(one.crossed for one in plan_probe(load("synthetic:2:core:2 pu:1"), 3).measurements)


def test_the_plan_names_ranks_not_cores():
    machine = load("synthetic:1:core:2 pu:1")
    lines = plan_probe(machine, 2).text().splitlines()
    assert lines[0] == "pingpong 1 0-1"
    assert lines[-1] == f"exchange {LOAD_SIZE} 0-1"
    assert len(lines) == len(CURVE_SIZES) + 2


def test_two_ranks_are_the_lowest_level_and_one_is_nothing():
    machine = load("synthetic:2:core:2 pu:1")
    assert {one.level for one in plan_probe(machine, 2).measurements} == {1}
    assert plan_probe(machine, 1).measurements == []
