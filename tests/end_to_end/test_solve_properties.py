"""Properties of every solver under random constraints, checked by independent code."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import oracle
import pytest
from corewise import machines, model
from corewise.errors import CorewiseError
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from oracle import RegularTree

pytestmark = pytest.mark.thorough

SMALL = {  # at most 8 cores, so every placement of 5 ranks can be tried
    "synthetic:2:pack:2 core:2 pu:1": RegularTree((2, 2, 2), node_level=2),
    "tree:2:4@1:10": RegularTree((2, 4), node_level=2, distances=(1, 10)),
    "synthetic:4:core:2 pu:1": RegularTree((2, 4), node_level=1),
}
SWITCHES = Path(__file__).parents[2] / "fixtures" / "topologies" / "slurm-uneven.conf"
# The switches of the last machine join one, two and three nodes.
UNEVEN = ["jaguar-xt5:1+5", "draco:2", *SMALL, f"slurm:n[3-8]:{SWITCHES}:pe1550"]
SOLVERS = [row.name for row in model.solvers()]
OBJECTIVES = ["congestion", "hop-bytes", "link-load"]


@dataclass
class Case:
    """A problem small enough to check by enumeration, with constraints as a user gives them."""

    machine: model.Machine
    matrix: oracle.Matrix
    n_ranks: int
    widths: list[int]
    forbidden: set[int]
    fixed: dict[int, int] = field(default_factory=dict)  # rank -> core, counted over the whole machine
    on_node: dict[int, int] = field(default_factory=dict)
    oversubscribe: bool = False

    def solve(self, objective: str, solver: str, worst: bool, **options: Any) -> model.Solution:
        """Solves with a fixed seed and effort."""
        capacity = [int(core not in self.forbidden) for core in range(self.machine.n_cores)]
        constraints = model.Constraints(
            core_capacity=capacity,
            cores_per_rank=self.widths,
            core_of_rank=[self.fixed.get(rank, -1) for rank in range(self.n_ranks)] if self.fixed else [],
            node_of_rank=[self.on_node.get(rank, -1) for rank in range(self.n_ranks)] if self.on_node else [],
            oversubscribe=self.oversubscribe,
        )
        columns = np.array([(*pair, *sizes) for pair, sizes in self.matrix.items()]).reshape(-1, 4).T
        kinds = (np.int32, np.int32, np.uint64, np.uint64)
        matrix = model.CommMatrix.from_columns(
            self.n_ranks, *(column.astype(kind) for column, kind in zip(columns, kinds, strict=True))
        )
        traffic = model.Traffic.of(matrix)
        problem = model.MappingProblem(traffic, self.machine, objective, worst=worst, constraints=constraints)
        return model.solve(problem, solver, model.SolverOptions(effort="fast", **options))

    def breaks(self, placement: model.Assignment) -> str:
        """The first rule that a placement breaks, as text; empty if it is valid."""
        load = [0] * self.machine.n_cores
        for rank in range(self.n_ranks):
            cores = placement.cores(rank).tolist()
            if len(set(cores)) != self.widths[rank]:
                return f"rank {rank} has cores {cores}"
            if len({self.machine.node_of(core) for core in cores}) > 1:
                return f"rank {rank} has cores on two nodes"
            if self.forbidden & set(cores):
                return f"rank {rank} has a core that was to stay free"
            if self.fixed.get(rank, cores[0]) != cores[0]:
                return f"rank {rank} left its core"
            if self.on_node.get(rank, self.machine.node_of(cores[0])) != self.machine.node_of(cores[0]):
                return f"rank {rank} left its node"
            for core in cores:
                load[core] += 1
        room = self.machine.n_cores - len(self.forbidden)
        free_to_share = self.oversubscribe and not self.fixed and not self.on_node
        if not self.oversubscribe and max(load) > 1:
            return "a core is shared"
        if free_to_share and set(self.widths) == {1} and max(load) > -(-self.n_ranks // room):
            return "a core is shared by more ranks than need be"
        return ""


@st.composite
def cases(draw: st.DrawFn, specs: list[str], most_ranks: int, widest: int) -> Case:
    machine = machines.load(draw(st.sampled_from(specs)))
    n_ranks = draw(st.integers(1, most_ranks))
    ranks, cores = st.integers(0, n_ranks - 1), st.integers(0, machine.n_cores - 1)
    pairs = st.tuples(ranks, ranks).filter(lambda pair: pair[0] != pair[1])
    sizes = st.tuples(st.integers(1, 1000), st.integers(1, 5))
    width = draw(st.integers(1, widest))
    return Case(
        machine,
        draw(st.dictionaries(pairs, sizes, max_size=12)) if n_ranks > 1 else {},
        n_ranks,
        [width] * n_ranks
        if draw(st.booleans())
        else draw(st.lists(st.integers(1, widest), min_size=n_ranks, max_size=n_ranks)),
        draw(st.sets(cores, max_size=3)),
        draw(st.dictionaries(ranks, cores, max_size=2)),
        draw(st.dictionaries(ranks, st.integers(0, machine.n_nodes - 1), max_size=2)),
        draw(st.booleans()),
    )


@settings(max_examples=150)
@given(
    case=cases(UNEVEN, 9, 3),
    objective=st.sampled_from(OBJECTIVES),
    solver=st.sampled_from(SOLVERS),
    worst=st.booleans(),
)
def test_a_placement_keeps_its_constraints_and_comes_again_or_is_refused(case, objective, solver, worst):
    try:
        found = case.solve(objective, solver, worst=worst)
    except CorewiseError as refused:
        assert "\n" not in str(refused) and ("expected" in str(refused) or ";" in str(refused))
        return
    assert case.breaks(found.placement) == ""
    again = case.solve(objective, solver, worst=worst)
    assert [again.placement.cores(r).tolist() for r in range(case.n_ranks)] == [
        found.placement.cores(r).tolist() for r in range(case.n_ranks)
    ]
    assert again.score == found.score


@settings(max_examples=60)
@given(case=cases(UNEVEN, 9, 2), objective=st.sampled_from(OBJECTIVES), worst=st.booleans())
def test_auto_is_never_worse_than_block_and_keeps_its_constraints_without_any_time(case, objective, worst):
    try:
        block = case.solve(objective, "block", worst=worst)
    except CorewiseError:
        assume(False)
    for deadline_cpu_s in (None, 0.0):
        found = case.solve(objective, "auto", worst=worst, deadline_cpu_s=deadline_cpu_s)
        assert case.breaks(found.placement) == ""
        assert found.score >= block.score if worst else found.score <= block.score


@settings(max_examples=40)
@given(data=st.data(), spec=st.sampled_from(list(SMALL)), worst=st.booleans())
def test_auto_finds_the_best_and_the_worst_of_all_placements_that_keep_the_constraints(data, spec, worst):
    case = data.draw(cases([spec], 5, 1))
    case.oversubscribe = False
    tree = SMALL[spec]
    firsts = [
        cores
        for cores in permutations(set(range(tree.n_cores)) - case.forbidden, case.n_ranks)
        if case.breaks(model.Assignment.from_cores(list(cores))) == ""
    ]
    assume(firsts)
    values = [oracle.hop_bytes(tree, case.matrix, list(cores)) for cores in firsts]
    found = case.solve("hop-bytes", "auto", worst=worst)
    assert found.score == [max(values) if worst else min(values)]
