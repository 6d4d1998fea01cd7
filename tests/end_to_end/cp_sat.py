"""An independent check: best and worst placements by constraint programming, if enumeration takes too long.

CP-SAT (OR-tools) decides which ranks share a group of each level. This code shares nothing with corewise.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from oracle import Matrix, RegularTree, UnevenNode
from ortools.sat.python import cp_model


def hop_bytes(tree: RegularTree | UnevenNode, matrix: Matrix, n_ranks: int, worst: bool) -> list[int]:
    """The optimum, over all placements of the ranks on the tree's leaves."""
    places = _Places(tree, matrix, n_ranks)
    apart = [1, *(places.apart(level) for level in range(1, tree.n_levels))]
    farther = [far - near for near, far in zip((0, *tree.distances), tree.distances, strict=False)]
    cost = sum(
        step * size * (apart[level] if level == 0 else apart[level][pair])
        for level, step in enumerate(farther)
        for pair, size in places.sizes.items()
    )
    return [places.optimum(cost, worst)]


def link_load(tree: RegularTree, matrix: Matrix, n_ranks: int, worst: bool) -> list[int]:
    """Loads of the fullest links, top level first, on a tree of one node."""
    places = _Places(tree, matrix, n_ranks)
    found = []
    for level in range(len(tree.arities) - 1, 0, -1):
        fullest = places.fullest(level)
        found.append(places.optimum(fullest, worst))
        places.model.add(fullest == found[-1])
    return found


class _Places:
    """`inside[level][rank][group]` says where ranks are. A group of level 0 is a leaf with one rank."""

    def __init__(self, tree: RegularTree | UnevenNode, matrix: Matrix, n_ranks: int) -> None:
        self.model = cp_model.CpModel()
        self.sizes: dict[tuple[int, int], int] = {}  # bytes in both directions
        for (src, dst), (size, _messages) in matrix.items():
            pair = (min(src, dst), max(src, dst))
            self.sizes[pair] = self.sizes.get(pair, 0) + (size if src != dst else 0)
        self.inside = []
        for level in range(tree.n_levels):
            group_sizes = Counter(tree.group(level, core) for core in range(tree.n_cores))
            inside = [[self._yes_or_no() for _ in group_sizes] for _ in range(n_ranks)]
            for of_rank in inside:
                self.model.add_exactly_one(of_rank)
            for group, of_group in enumerate(zip(*inside, strict=True)):
                self.model.add(sum(of_group) <= group_sizes[group])
            self.inside.append(inside)
        for level, (below, above) in enumerate(pairwise(self.inside)):
            parents = {tree.group(level, core): tree.group(level + 1, core) for core in range(tree.n_cores)}
            for rank in range(n_ranks):
                for child, here in enumerate(below[rank]):
                    self.model.add_implication(here, above[rank][parents[child]])
        if isinstance(tree, RegularTree):
            self.model.add(self.inside[0][0][0] == 1)  # all leaves are alike

    def optimum(self, value: cp_model.LinearExprT, worst: bool) -> int:
        (self.model.maximize if worst else self.model.minimize)(value)
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1  # the same search each time
        status = solver.solve(self.model)
        assert status == cp_model.OPTIMAL, solver.status_name(status)
        return round(solver.objective_value)

    def apart(self, level: int) -> dict[tuple[int, int], cp_model.IntVar]:
        """For each pair whether its ranks are in different groups of the level."""
        return {
            (u, v): self._different_somewhere(self.inside[level][u], self.inside[level][v])
            for u, v in self.sizes
        }

    def fullest(self, level: int) -> cp_model.IntVar:
        """The greatest load of the links from groups of this level to the level above."""
        loads = []
        for group in range(len(self.inside[level][0])):
            ends = [
                (size, [self.inside[level][end][group] for end in pair]) for pair, size in self.sizes.items()
            ]
            loads.append(sum(size * self._differ(a, b) for size, (a, b) in ends))
        fullest = self.model.new_int_var(0, sum(self.sizes.values()), "")
        self.model.add_max_equality(fullest, loads)
        return fullest

    def _yes_or_no(self) -> cp_model.IntVar:
        return self.model.new_bool_var("")

    def _differ(self, a: cp_model.IntVar, b: cp_model.IntVar) -> cp_model.IntVar:
        differ = self._yes_or_no()
        self.model.add_bool_xor([a, b, ~differ])
        return differ

    def _different_somewhere(self, a: list[cp_model.IntVar], b: list[cp_model.IntVar]) -> cp_model.IntVar:
        different = self._yes_or_no()
        for here, there in zip(a, b, strict=True):
            self.model.add_implication(here, there).only_enforce_if(~different)
            self.model.add_bool_or([~here, ~there, ~different])
        return different
