"""Finds a machine's equal subtrees, so that texts and figures show each of them once."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

import numpy as np

from corewise.model import Machine, equal_subtrees
from corewise.text.quantities import counted


@dataclass(frozen=True)
class Kind:
    """All objects of a level with equal subtrees.

    `level` 0 is a core; `runs` are (number of children, their kind), in order.
    """

    level: int
    runs: tuple[tuple[int, Kind], ...]
    n_cores: int
    n_pus: int


@dataclass(frozen=True)
class Outline:
    """The kind of every object of a machine, its first core and its first child; level 0 is the cores."""

    kinds: list[list[Kind]]  # [level]: the distinct kinds
    kind_of: list[np.ndarray]  # [level][object] -> index into kinds[level]
    first_core: list[np.ndarray]  # [level][object]
    first_child: list[np.ndarray]  # [level - 1][object] -> its first child; one more entry than objects

    @classmethod
    def of(cls, machine: Machine) -> Outline:
        """The outline, in time and memory proportional to the number of objects."""
        outline = cls([], [], [np.arange(machine.n_cores)], [])
        for level in range(1, machine.n_levels + 1):
            first_core = np.flatnonzero(np.diff(machine.group_of_core(level), prepend=-1))
            first_child = np.searchsorted(outline.first_core[-1], first_core)
            outline.first_child.append(np.append(first_child, len(outline.first_core[-1])))
            outline.first_core.append(first_core)
        for level, classes in enumerate(outline._classes(machine)):
            _, first, kind_of = np.unique(classes, return_index=True, return_inverse=True)
            outline.kinds.append([outline._kind(machine, level, int(index)) for index in first])
            outline.kind_of.append(kind_of)
        return outline

    @property
    def root(self) -> Kind:
        """The kind of the whole machine."""
        return self.kinds[-1][0]

    def kind(self, level: int, index: int) -> Kind:
        """The kind of one object."""
        kind: Kind = self.kinds[level][self.kind_of[level][index]]
        return kind

    def children(self, level: int, index: int) -> range:
        """The children of object `index` of `level`, which are objects of the level below."""
        bounds = self.first_child[level - 1]
        return range(int(bounds[index]), int(bounds[index + 1]))

    def _classes(self, machine: Machine) -> list[np.ndarray]:
        """[level][object] -> a number that is equal for objects with equal subtrees."""
        sizes = [len(cores) for cores in self.first_core]
        starts = np.cumsum([0, *sizes])
        parents = [
            start + np.repeat(np.arange(size), np.diff(bounds))
            for start, size, bounds in zip(starts[1:], sizes[1:], self.first_child, strict=False)
        ]
        parent = np.concatenate([*parents, np.full(sizes[-1], -1)]).astype(np.int32)
        mark = np.zeros(starts[-1], np.int64)
        mark[: machine.n_cores] = machine.n_pus_of_core
        return np.split(equal_subtrees(parent, mark, in_order=True), starts[1:-1])

    def _kind(self, machine: Machine, level: int, index: int) -> Kind:
        """The kind of object `index` of `level`, from the kinds of the level below."""
        if level == 0:
            return Kind(0, (), 1, int(machine.n_pus_of_core[index]))
        bounds = self.first_child[level - 1]
        children = self.kind_of[-1][bounds[index] : bounds[index + 1]].tolist()
        runs = [(len(list(run)), self.kinds[-1][kind]) for kind, run in groupby(children)]
        n_cores, n_pus = sum(n * kind.n_cores for n, kind in runs), sum(n * kind.n_pus for n, kind in runs)
        return Kind(level, tuple(runs), n_cores, n_pus)


def counts_text(machine: Machine) -> str:
    """ "2 nodes, 16 cores, 32 hardware threads", or the leaves of a bare tree."""
    if not machine.has_os_indices:
        return f"{machine.n_cores} leaves"
    counts = ((machine.n_nodes, "node"), (machine.n_cores, "core"), (machine.n_pus, "hardware thread"))
    return ", ".join(counted(n, noun) for n, noun in counts)


def tree_lines(machine: Machine) -> list[str]:
    """The tree as text: "network: 16 x node: 2 x package: 6 x core"; different siblings have a line each."""
    return _lines(machine, Outline.of(machine).root, "")


def _lines(machine: Machine, kind: Kind, indent: str) -> list[str]:
    """The object's line, followed by its children in the same line if they are equal, else in lines below."""
    head = _label(machine, kind)
    while len(kind.runs) == 1:
        n, kind = kind.runs[0]
        head += f": {n} x {_label(machine, kind)}"
    lines = [indent + head]
    widest = max((len(str(n)) for n, _ in kind.runs), default=0)
    for n, child in kind.runs:
        first, *rest = _lines(machine, child, "")
        lines.append(f"{indent}  {n:>{widest}} x {first}")
        lines += [f"{indent}  {'':>{widest}}   {line}" for line in rest]
    return lines


def _label(machine: Machine, kind: Kind) -> str:
    if kind.level > 0:
        return machine.levels[kind.level - 1].name
    if not machine.has_os_indices:
        return "leaf"
    core = "core" if kind.n_pus == 1 else f"core: {kind.n_pus} x PU"
    return f"node: 1 x {core}" if machine.node_level == 0 else core
