"""nearest(): of placements that are equal by the machine's symmetry, the one that moves the fewest ranks."""

from __future__ import annotations

from functools import cache
from itertools import permutations

import numpy as np
from corewise.machines import load
from corewise.mapping.constraints import ConstraintRequest, FixedRank, FreeCores
from corewise.mapping.nearest import n_moved, nearest
from corewise.model import Assignment, CommMatrix, Traffic, evaluate
from hypothesis import given, settings
from hypothesis import strategies as st

MACHINES = [
    "synthetic:1:core:6 pu:1",
    "synthetic:1:pack:2 l2:2 core:2 pu:1",
    "synthetic:3:pack:2 core:3 pu:2",
    "tree:2:2:2@1:10:100",
]
NOTHING = ConstraintRequest()


def cores_of(placement: Assignment) -> list[list[int]]:
    return [placement.cores(rank).tolist() for rank in range(placement.n_ranks)]


def test_packages_that_are_swapped_as_a_whole_are_swapped_back():
    # Ranks 0-3 on cores 2 3 0 1 of two packages of two cores: the packages are exchanged.
    machine = load("synthetic:1:pack:2 core:2 pu:1")
    found, default = Assignment.from_cores([2, 3, 0, 1]), Assignment.from_cores([0, 1, 2, 3])
    assert cores_of(nearest(found, default, machine, NOTHING)) == [[0], [1], [2], [3]]


def test_what_no_symmetry_brings_back_stays():
    # 0 shares a package with 2, and 1 with 3: two of four ranks must move, whichever package a pair is on.
    machine = load("synthetic:1:pack:2 core:2 pu:1")
    found, default = Assignment.from_cores([3, 1, 2, 0]), Assignment.from_cores([0, 1, 2, 3])
    result = nearest(found, default, machine, NOTHING)
    assert n_moved(found, default) == 2
    assert cores_of(result) == cores_of(found)


def test_ranks_of_several_cores_move_with_all_of_them():
    machine = load("synthetic:2:core:4 pu:1")
    found = Assignment.from_core_lists([[4, 5], [6, 7], [0, 1], [2, 3]])
    default = Assignment.from_core_lists([[2, 3], [0, 1], [4, 5], [6, 7]])
    assert cores_of(nearest(found, default, machine, NOTHING)) == cores_of(default)


def test_a_rank_whose_cores_are_also_the_number_of_an_object():
    # Rank 1 has cores 2 and 3. Object 3 of level 2 is cores 12 to 15.
    machine = load("tree:2:2:2:2@1:10:100:1000")
    pairs = [[core, core + 1] for core in range(0, 16, 2)]
    found, default = Assignment.from_core_lists(pairs[::-1]), Assignment.from_core_lists(pairs)
    assert cores_of(nearest(found, default, machine, NOTHING)) == pairs


def test_a_rank_with_parts_of_two_packages_leaves_all_where_they_are():
    # The rank on cores 2 and 3 has parts of two packages, so these two packages are not equal to others.
    machine = load("synthetic:1:pack:4 core:3 pu:1")
    found = Assignment.from_core_lists([[2, 3], [6, 7], [9, 10]])
    default = Assignment.from_core_lists([[2, 3], [9, 10], [6, 7]])
    assert cores_of(nearest(found, default, machine, NOTHING)) == cores_of(found)


def test_free_cores_and_fixed_ranks_are_kept():
    machine = load("synthetic:2:core:2 pu:1")
    found, default = Assignment.from_cores([3, 2]), Assignment.from_cores([0, 1])
    assert cores_of(nearest(found, default, machine, NOTHING)) == [[0], [1]]
    on_node = ConstraintRequest(fixed=[FixedRank(0, 1)])
    assert cores_of(nearest(found, default, machine, on_node)) == [[3], [2]]
    on_core = ConstraintRequest(fixed=[FixedRank(0, 1, 1)])
    assert cores_of(nearest(found, default, machine, on_core)) == [[3], [2]]
    free = ConstraintRequest(free=[FreeCores(0, 0, 0)])
    assert cores_of(nearest(found, default, machine, free)) == [[3], [2]]


@st.composite
def problems(draw):
    machine = load(draw(st.sampled_from(MACHINES)))
    width = draw(st.sampled_from([1, 1, 2]))
    places = [list(range(first, first + width)) for first in range(0, machine.n_cores - width + 1, width)]
    places = [p for p in places if machine.node_of(p[0]) == machine.node_of(p[-1])]
    n_ranks = draw(st.integers(2, len(places)))
    share = draw(st.booleans())

    def placement() -> Assignment:
        chosen = (
            draw(st.lists(st.sampled_from(places), min_size=n_ranks, max_size=n_ranks))
            if share
            else draw(st.permutations(places))[:n_ranks]
        )
        one_each = width == 1
        return (
            Assignment.from_cores([p[0] for p in chosen]) if one_each else Assignment.from_core_lists(chosen)
        )

    pairs = draw(st.lists(st.tuples(*[st.integers(0, n_ranks - 1)] * 2), min_size=1, max_size=20))
    sizes = draw(st.lists(st.integers(1, 1000), min_size=len(pairs), max_size=len(pairs)))
    src, dst = (np.array(column, np.int32) for column in zip(*pairs, strict=True))
    n_bytes = np.array(sizes, np.uint64)
    traffic = Traffic.of(CommMatrix.from_columns(n_ranks, src, dst, n_bytes, np.ones(len(pairs), np.uint64)))
    fixed = [FixedRank(0, machine.node_of(0))] if draw(st.booleans()) else []
    return machine, traffic, placement(), placement(), fixed


@settings(max_examples=300)
@given(problems())
def test_scores_are_equal_constraints_are_kept_and_no_more_ranks_are_moved(problem):
    machine, traffic, found, default, fixed = problem
    core = int(found.core_of_rank[0])
    fixed = [FixedRank(0, machine.node_of(core), machine.core_on_node(core))] if fixed else []
    result = nearest(found, default, machine, ConstraintRequest(fixed=fixed))
    for objective in ("hop-bytes", "congestion"):
        assert evaluate(objective, traffic, machine, result) == evaluate(objective, traffic, machine, found)
    assert n_moved(result, default) <= n_moved(found, default)
    if fixed:
        assert result.core_of_rank[0] == core
    again = nearest(found, default, machine, ConstraintRequest(fixed=fixed))
    assert cores_of(again) == cores_of(result)
    assert sorted(map(len, cores_of(result))) == sorted(map(len, cores_of(found)))


@settings(max_examples=100)
@given(st.permutations(range(8)), st.permutations(range(8)))
def test_no_exchange_of_like_objects_moves_fewer_ranks(found, default):
    # Two nodes of two packages of two cores: all 2 * (2 * 2 * 2)^2 = 128 exchanges are tried.
    machine = load("synthetic:2:pack:2 core:2 pu:1")
    best = nearest(Assignment.from_cores(found), Assignment.from_cores(default), machine, NOTHING)
    least = min(
        sum(exchange[core] != wanted for core, wanted in zip(found, default, strict=True))
        for exchange in exchanges()
    )
    assert n_moved(best, Assignment.from_cores(default)) == least


@cache
def exchanges() -> list[tuple[int, ...]]:
    """All permutations of the eight cores that preserve packages and nodes."""

    def alike(order: tuple[int, ...]) -> bool:
        return all(
            (order[a] // size == order[b] // size) == (a // size == b // size)
            for size in (2, 4)
            for a in range(8)
            for b in range(a)
        )

    found = [order for order in permutations(range(8)) if alike(order)]
    assert len(found) == 128
    return found
