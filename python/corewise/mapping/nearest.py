"""Among placements that are equal by the machine's symmetry, finds the one that moves the fewest ranks.

Objectives depend on levels and loads only. Exchanging two equal objects with the same parent (cores of a
cache, packages of a node, nodes of a switch), with all ranks on them, changes no score. From the cores up,
each level assigns the objects of the placement to those of the machine so that most ranks keep their cores.
This is an assignment problem for each pair of parents. For ranks of one core, the result is optimal among
these exchanges. Objects in which wider ranks and idle cores alternate differently do not count as equal.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from corewise import model

if TYPE_CHECKING:
    from corewise.mapping.constraints import ConstraintRequest

# On larger machines, building the tree in Python would take longer than most searches.
MOST_CORES = 1 << 16

Unit = tuple[int, ...]  # the cores of a rank, or one core that no rank has
Vertex = tuple[int, ...]  # a unit, or an object above it as (-level, group)
Pair = tuple[Vertex, Vertex]
Marks = dict[int | Vertex, tuple[object, ...]]  # of cores and of objects


def n_moved(placement: model.Assignment, default: model.Assignment) -> int:
    """The number of ranks that have other cores than in `default`."""
    ranks = range(placement.n_ranks)
    return sum(placement.cores(rank).tolist() != default.cores(rank).tolist() for rank in ranks)


def nearest(
    found: model.Assignment, default: model.Assignment, machine: model.Machine, constraints: ConstraintRequest
) -> model.Assignment:
    """`found` with equal objects exchanged so that the fewest ranks differ from `default`.

    The result has the scores of `found` and satisfies `constraints`. It is `found` itself if no exchange
    helps, if two ranks share some but not all of their cores, if a rank has parts of several objects, or if
    the machine has more than MOST_CORES cores.
    """
    if machine.n_cores > MOST_CORES or (tree := _tree(found, machine, constraints)) is None:
        return found
    unit_of_rank = [tuple(found.cores(rank).tolist()) for rank in range(found.n_ranks)]
    wanted = [tuple(default.cores(rank).tolist()) for rank in range(found.n_ranks)]
    moved = _Exchange(tree, unit_of_rank, wanted).units()
    result = model.Assignment.from_core_lists([list(moved[unit]) for unit in unit_of_rank])
    return result if n_moved(result, default) < n_moved(found, default) else found


@dataclass
class _Tree:
    """Vertices are units and the objects above them; equal vertices have the same `class_of`."""

    parent: dict[Vertex, Vertex] = field(default_factory=dict)
    children: dict[Vertex, list[Vertex]] = field(default_factory=lambda: defaultdict(list))
    class_of: dict[Vertex, int] = field(default_factory=dict)
    root: Vertex = ()


def _tree(found: model.Assignment, machine: model.Machine, constraints: ConstraintRequest) -> _Tree | None:
    """The tree; None if ranks share only some of their cores, or a rank has parts of several objects."""
    used = dict.fromkeys(tuple(found.cores(rank).tolist()) for rank in range(found.n_ranks))
    taken = [core for unit in used for core in unit]
    if len(set(taken)) < len(taken):
        return None
    idle = set(range(machine.n_cores)) - set(taken)
    groups = [machine.group_of_core(level).tolist() for level in range(1, machine.n_levels + 1)]
    if any(_divides(group, Counter(group), unit) for group in groups for unit in used):
        return None
    tree = _Tree(root=(-machine.n_levels, groups[-1][0]))
    for unit in sorted([*used, *((core,) for core in idle)]):
        child: Vertex = unit
        for level, group in enumerate(groups, start=1):
            if group[unit[0]] != group[unit[-1]]:
                continue  # the unit is wider than an object of this level
            parent = (-level, group[unit[0]])
            known = child in tree.parent
            tree.parent[child] = parent
            if not known:
                tree.children[parent].append(child)
            child = parent
    _classify(tree, _marks(found, machine, constraints), sorted(used) + [(core,) for core in idle])
    return tree


def _divides(group: list[int], size: Counter[Any], unit: Unit) -> bool:
    """Whether the unit has some, but not all, cores of several objects of a level (`group` of each core)."""
    held = {group[core] for core in unit}
    return len(held) > 1 and sum(size[g] for g in held) != len(unit)


def _marks(found: model.Assignment, machine: model.Machine, constraints: ConstraintRequest) -> Marks:
    """What makes vertices of the same shape unequal: cores that stay free, hardware threads, fixed ranks."""
    capacity = constraints.capacity(machine, len(found.core_of_rank)) or [1] * machine.n_cores
    marks: Marks = {}
    for core in range(machine.n_cores):
        marks[core] = (capacity[core], len(machine.pus(core)))
    node_of_core = machine.group_of_core(machine.node_level).tolist()
    for fixed in constraints.fixed:
        core = int(found.core_of_rank[fixed.rank])
        if fixed.first is None:
            marks[-machine.node_level, node_of_core[core]] = ("fixed", node_of_core[core])
        else:
            marks[core] = ("fixed", core)
    return marks


def _classify(tree: _Tree, marks: Marks, units: list[Unit]) -> None:
    objects = sorted(tree.children, reverse=True)  # by level: children before their parents
    vertices: list[Vertex] = [*units, *objects]
    index = {vertex: i for i, vertex in enumerate(vertices)}
    parents = [index[tree.parent[vertex]] if vertex in tree.parent else -1 for vertex in vertices]
    shapes: list[tuple[object, ...]] = [tuple(marks[core] for core in unit) for unit in units]
    shapes += [(vertex[0], marks.get(vertex)) for vertex in objects]
    numbers: dict[tuple[object, ...], int] = {}
    mark = [numbers.setdefault(shape, len(numbers)) for shape in shapes]
    classes = model.equal_subtrees(np.array(parents, np.int32), np.array(mark, np.int64))
    tree.class_of = dict(zip(vertices, classes.tolist(), strict=True))


class _Exchange:
    """Finds a place for every unit. The gain of (a, b): how many ranks keep their cores if a moves to b."""

    def __init__(self, tree: _Tree, unit_of_rank: list[Unit], wanted: list[Unit]) -> None:
        self.tree = tree
        self.stays: dict[Pair, int] = defaultdict(int)
        self.pairs_below: dict[Pair, dict[Pair, None]] = defaultdict(dict)
        for unit, place in zip(unit_of_rank, wanted, strict=True):
            if place in tree.class_of:
                self._add(unit, place)
        self.best: dict[Pair, tuple[int, list[Pair]]] = {}

    def _add(self, unit: Unit, place: Unit) -> None:
        self.stays[unit, place] += 1
        a, b = unit, place
        while (pa := self.tree.parent.get(a)) and (pb := self.tree.parent.get(b)) and pa[0] == pb[0]:
            self.pairs_below[pa, pb][a, b] = None
            a, b = pa, pb

    def units(self) -> dict[Unit, Unit]:
        """Unit -> the unit whose place it takes."""
        placed: dict[Unit, Unit] = {}
        waiting = [(self.tree.root, self.tree.root)]
        self._gain(self.tree.root, self.tree.root)
        while waiting:
            a, b = waiting.pop()
            if a in self.tree.children:
                waiting += self._children(a, b)
            else:
                placed[a] = b
        return placed

    def _gain(self, a: Vertex, b: Vertex) -> int:
        if self.tree.class_of[a] != self.tree.class_of[b]:
            return 0
        if a not in self.tree.children:
            return self.stays[a, b]
        if (a, b) not in self.best:
            gains = {pair: self._gain(*pair) for pair in self.pairs_below[a, b]}
            chosen = _most_valuable({pair: gain for pair, gain in gains.items() if gain})
            self.best[a, b] = sum(gains[pair] for pair in chosen), chosen
        return self.best[a, b][0]

    def _children(self, a: Vertex, b: Vertex) -> list[Pair]:
        """Pairs of children: the chosen pairs, then the others, which stay in place if possible."""
        chosen = self.best[a, b][1] if (a, b) in self.best else []
        gone, filled = {pair[0] for pair in chosen}, {pair[1] for pair in chosen}
        left = [child for child in self.tree.children[a] if child not in gone]
        free = [child for child in self.tree.children[b] if child not in filled]
        staying = set(left) & set(free)
        places: dict[int, list[Vertex]] = defaultdict(list)
        for child in reversed(free):
            if child not in staying:
                places[self.tree.class_of[child]].append(child)
        others = [
            (child, child if child in staying else places[self.tree.class_of[child]].pop()) for child in left
        ]
        return [*chosen, *others]


def _most_valuable(values: dict[Pair, int]) -> list[Pair]:
    """The pairs (a, b) with the greatest sum of values (all > 0), each a and each b at most once."""
    rows = {a: i for i, a in enumerate(dict.fromkeys(a for a, _ in values))}
    columns = {b: i for i, b in enumerate(dict.fromkeys(b for _, b in values))}
    if len(values) == len(rows) == len(columns):
        return list(values)
    from scipy.optimize import linear_sum_assignment

    value_of = np.zeros((len(rows), len(columns)))
    for (a, b), value in values.items():
        value_of[rows[a], columns[b]] = value
    assigned = set(zip(*map(np.ndarray.tolist, linear_sum_assignment(value_of, maximize=True)), strict=True))
    return [(a, b) for a, b in values if (rows[a], columns[b]) in assigned]
