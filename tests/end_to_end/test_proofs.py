"""CP-SAT proves the same optima as the core."""

from __future__ import annotations

from random import Random

import numpy as np
import oracle
import pytest
from corewise import machines, model
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import RegularTree, UnevenNode

pytest.importorskip("ortools", reason="OR-tools is not installed here (pip install ortools)")
import cp_sat

pytestmark = pytest.mark.thorough

TREES = {
    "tree:4:3@1:10": RegularTree((4, 3), 2, (1, 10)),
    "tree:3:2:2@1:10:100": RegularTree((3, 2, 2), 3, (1, 10, 100)),
    "tree:2:4:2@1:2:3": RegularTree((2, 4, 2), 3, (1, 2, 3)),
    "tree:4:4@1:10": RegularTree((4, 4), 2, (1, 10)),
}
CASES = [*((tree, "hop-bytes") for tree in TREES), *((tree, "link-load") for tree in [*TREES][:3])]
ORACLES = {"hop-bytes": cp_sat.hop_bytes, "link-load": cp_sat.link_load}


@st.composite
def sparse_traffic(draw: st.DrawFn, tree: RegularTree | UnevenNode) -> tuple[int, oracle.Matrix]:
    """Ranks on all or most leaves, about one message each: too many to enumerate, few enough for CP-SAT."""
    random = Random(draw(st.integers(0, 2**32)))
    n_ranks = draw(st.integers(tree.n_cores - 3, tree.n_cores))
    n_messages = draw(st.integers(n_ranks // 2, 5 * n_ranks // 4))
    pairs = [tuple(random.sample(range(n_ranks), 2)) for _ in range(n_messages)]
    return n_ranks, {pair: (random.randint(1, 20), 1) for pair in pairs}


@st.composite
def uneven_nodes(draw: st.DrawFn) -> UnevenNode:
    """Ten to sixteen cores on two or three packages."""
    caches = st.lists(st.integers(1, 5), min_size=1, max_size=3).map(tuple)
    packages = st.lists(caches, min_size=2, max_size=3).map(tuple)
    return UnevenNode(
        draw(packages.filter(lambda found: 10 <= sum(map(sum, found)) <= 16)),
        draw(st.sampled_from([(1, 10, 100), (1, 2, 3), (2, 3, 30)])),
    )


def machine_of(tree: UnevenNode) -> model.Machine:
    groups = [[tree.group(level, core) for core in range(tree.n_cores)] for level in (1, 2, 3)]
    levels = ["l3", "package", "node"]
    shape = model.NodeShape(levels, groups, [[os] for os in range(tree.n_cores)])
    return model.make_machine("uneven", [shape], [0], [], [], [*zip(levels, tree.distances, strict=True)])


def solve(
    spec: model.Machine | str,
    n_ranks: int,
    matrix: oracle.Matrix,
    objective: str,
    solver: str,
    worst: bool,
) -> model.Solution:
    src, dst = np.array([*matrix], dtype=np.int32).reshape(-1, 2).T
    n_bytes, messages = np.array([*matrix.values()], dtype=np.uint64).reshape(-1, 2).T
    columns = [np.ascontiguousarray(column) for column in (src, dst, n_bytes, messages)]
    traffic = model.Traffic.of(model.CommMatrix.from_columns(n_ranks, *columns))
    machine = machines.load(spec) if isinstance(spec, str) else spec
    problem = model.MappingProblem(traffic, machine, objective, worst=worst)
    return model.solve(problem, solver, model.SolverOptions())


# Always the same examples, because the time that CP-SAT takes varies widely between examples.
@settings(max_examples=60, derandomize=True)
@given(st.data(), st.sampled_from(CASES), st.sampled_from(["auto", "exact"]), st.booleans())
def test_the_proven_values_are_those_that_cp_sat_proves(data, case, solver, worst):
    spec, objective = case
    n_ranks, matrix = data.draw(sparse_traffic(TREES[spec]))
    found = solve(spec, n_ranks, matrix, objective, solver, worst=worst)
    optimum = ORACLES[objective](TREES[spec], matrix, n_ranks, worst)
    assert (found.proven, found.score, found.bound) == (True, optimum, optimum)


@settings(max_examples=30, derandomize=True)
@given(st.data(), uneven_nodes(), st.booleans())
def test_so_they_are_on_nodes_whose_packages_and_caches_differ(data, tree, worst):
    n_ranks, matrix = data.draw(sparse_traffic(tree))
    found = solve(machine_of(tree), n_ranks, matrix, "hop-bytes", "auto", worst=worst)
    optimum = cp_sat.hop_bytes(tree, matrix, n_ranks, worst)
    assert (found.proven, found.score, found.bound) == (True, optimum, optimum)
