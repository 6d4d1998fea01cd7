"""What is alike in a machine: kinds of objects and runs of neighbours of one kind, to draw it in short."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

import numpy as np

from corewise.model import Machine
from corewise.quantities import counted


@dataclass(frozen=True, eq=False)
class Kind:
    """All objects of a level whose subtrees are the same; compared by identity.

    `level` 0 is a core; `runs` holds (how many, of which kind), first child first; `n_pus` hardware threads.
    """

    level: int
    runs: tuple[tuple[int, Kind], ...]
    n_cores: int
    n_pus: int


@dataclass(frozen=True)
class Outline:
    """The kind of every object of a machine, and what lies in it; level 0 is the cores."""

    kinds: list[list[Kind]]  # [level][object]
    first_core: list[np.ndarray]  # [level][object]
    first_child: list[np.ndarray]  # [level - 1][object] -> its first child; one more entry than objects

    @classmethod
    def of(cls, machine: Machine) -> Outline:
        """Compares bottom-up; work and memory grow with the number of objects."""
        known: dict[tuple, Kind] = {}
        below = np.arange(machine.n_cores)
        kinds = [[_core_kind(int(n), known) for n in machine.n_pus_of_core]]
        first_core, first_child = [below], []
        for level in range(1, machine.n_levels + 1):
            groups = machine.group_of_core(level)
            starts = np.flatnonzero(np.diff(groups, prepend=-1))  # first core of each object
            bounds = np.append(below[starts], len(kinds[-1]))
            children = kinds[-1]
            kinds.append(
                [_kind(level, children[a:b], known) for a, b in zip(bounds[:-1], bounds[1:], strict=True)]
            )
            first_child.append(bounds)
            first_core.append(starts)
            below = groups
        return cls(kinds, first_core, first_child)

    @property
    def root(self) -> Kind:
        """The kind of the whole machine."""
        return self.kinds[-1][0]

    def children(self, level: int, index: int) -> range:
        """Objects of the level below that object `index` of `level` joins."""
        bounds = self.first_child[level - 1]
        return range(int(bounds[index]), int(bounds[index + 1]))


def _core_kind(n_pus: int, known: dict[tuple, Kind]) -> Kind:
    if (n_pus,) not in known:
        known[n_pus,] = Kind(0, (), 1, n_pus)
    return known[n_pus,]


def _kind(level: int, children: list[Kind], known: dict[tuple, Kind]) -> Kind:
    runs = tuple((len(list(run)), kind) for kind, run in groupby(children))
    key = (level, *((n, id(kind)) for n, kind in runs))
    if key not in known:
        n_cores, n_pus = sum(kind.n_cores for kind in children), sum(kind.n_pus for kind in children)
        known[key] = Kind(level, runs, n_cores, n_pus)
    return known[key]


def counts_text(machine: Machine) -> str:
    """ "2 nodes, 16 cores, 32 hardware threads"; a bare tree has leaves only."""
    if not machine.has_os_indices:
        return f"{machine.n_cores} leaves"
    counts = ((machine.n_nodes, "node"), (machine.n_cores, "core"), (machine.n_pus, "hardware thread"))
    return ", ".join(counted(n, noun) for n, noun in counts)


def tree_lines(machine: Machine) -> list[str]:
    """The tree as text: "network: 16 x node: 2 x package: 6 x core"; siblings that differ get a line each."""
    return _lines(machine, Outline.of(machine).root, "")


def _lines(machine: Machine, kind: Kind, indent: str) -> list[str]:
    """The object's own line, its children behind it when they are all alike, else below it."""
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
