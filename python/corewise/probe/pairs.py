"""Chooses pairs of cores to measure, a bounded number for each level."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from corewise.model import Machine

Mode = Literal["pingpong", "stream", "exchange"]
Pair = tuple[int, int]  # cores, numbered over the whole machine

# Powers of two in the range of eager thresholds, wider steps elsewhere.
CURVE_SIZES = [1, 4, 16, 64, 256, *(2**k for k in range(9, 19)), 2**20, 2**22]
LOAD_SIZE = 2**20
SCAN_SIZES = [1, 2**16]
MOST_PAIRS_OF_A_LINK, MOST_LINKS, MOST_SCANNED = 8, 4, 12
LEAST_SCANNED = 4  # fewer pairs can't form two groups
SEED = 1


@dataclass(frozen=True)
class Measurement:
    """Messages of one size between `pairs`, all at the same time; a stream is from first to second core.

    `level` is where the cores of each pair meet; `links` is the number of links of that level from which
    pairs send. A `curve` measures a representative pair, a `load` several pairs, a `scan` how similar pairs
    are. `crossed`: every second pair sends in the opposite direction, so that each direction of a link has
    separate pairs.
    """

    level: int
    purpose: Literal["curve", "load", "scan"]
    mode: Mode
    size_bytes: int
    pairs: tuple[Pair, ...]
    links: int = 1
    crossed: bool = False

    @property
    def both_ways(self) -> bool:
        """Whether both directions of a link carry messages at the same time."""
        return self.crossed or self.mode == "exchange"

    @property
    def pairs_each_way(self) -> int:
        """The number of pairs that send in each used direction."""
        return len(self.pairs) // 2 if self.crossed else len(self.pairs)


@dataclass(frozen=True)
class ProbePlan:
    """`cores[r]` is the core of rank r; every core of a measurement is among them."""

    measurements: list[Measurement]
    cores: list[int]

    def text(self) -> str:
        """The input of link-probe (probe/link_probe.c): a line for each measurement."""
        rank = {core: rank for rank, core in enumerate(self.cores)}
        lines = []
        for one in self.measurements:
            pairs = ",".join(f"{rank[first]}-{rank[second]}" for first, second in one.pairs)
            lines.append(f"{one.mode} {one.size_bytes} {pairs}\n")
        return "".join(lines)


def plan_probe(machine: Machine, most_ranks: int) -> ProbePlan:
    """Representative pairs of each level, loads on their links, and a sample of other pairs.

    Measurements that don't fit into `most_ranks` cores (2 or more) are left out; lower levels have priority,
    and samples come last.
    """
    wanted: list[Measurement] = []
    for level in range(1, machine.n_levels + 1):
        wanted += _curves(machine, level) + _loads(machine, level)
    chance = random.Random(SEED)
    for level in range(1, machine.n_levels + 1):
        wanted += _scans(machine, level, chance)
    measurements, cores = [], dict[int, None]()
    for one in wanted:
        more = dict.fromkeys(core for pair in one.pairs for core in pair if core not in cores)
        if len(cores) + len(more) <= most_ranks:
            cores |= more
            measurements.append(one)
    return ProbePlan(measurements, sorted(cores))


def _curves(machine: Machine, level: int) -> list[Measurement]:
    """A pair of neighbours in the level's first object, and of the two outermost children of its last one."""
    objects = _objects(machine, level)
    first, last = objects[0], objects[-1]
    pairs = dict.fromkeys([(_core(first[0], 0), _core(first[1], 1)), (_core(last[0], 0), _core(last[-1], 1))])
    return [Measurement(level, "curve", "pingpong", size, (pair,)) for pair in pairs for size in CURVE_SIZES]


def _loads(machine: Machine, level: int) -> list[Measurement]:
    """Measures one link at different loads, then several links at once.

    One link has 1, 2, 4, ... pairs in one direction, then 1 and the most exchanging pairs, then 2 and the
    most crossed pairs. Crossed pairs are better, because exchanging pairs may take turns on a TCP connection.
    But crossed pairs need two cores on each side, and exchanging ones need one.
    """
    children = _objects(machine, level)[0]
    most = min(len(children[0]), len(children[1]), MOST_PAIRS_OF_A_LINK)
    counts = [n for n in (1, 2, 4, 8) if n <= most]
    found = [_load(level, "stream", _between(children[0], children[1], n)) for n in counts]
    found += [
        _load(level, "exchange", _between(children[0], children[1], n))
        for n in dict.fromkeys([1, counts[-1]])
    ]
    found += [
        replace(_load(level, "stream", _crossed(_between(children[0], children[1], n))), crossed=True)
        for n in dict.fromkeys([2, counts[-1]])
        if 2 <= n <= most
    ]
    n_links = min(len(children) // 2, MOST_LINKS)
    if n_links > 1:
        pairs = [_between(children[2 * i], children[2 * i + 1], 1)[0] for i in range(n_links)]
        found.append(_load(level, "stream", pairs, n_links))
    return found


def _load(level: int, mode: Mode, pairs: Sequence[Pair], links: int = 1) -> Measurement:
    return Measurement(level, "load", mode, LOAD_SIZE, tuple(pairs), links)


def _scans(machine: Machine, level: int, chance: random.Random) -> list[Measurement]:
    """Short measurements of random pairs, which show whether all pairs of a level are equal."""
    above, below = machine.group_of_core(level), _children_of(machine, level)
    pairs: dict[Pair, None] = {}
    for _ in range(4 * MOST_SCANNED):
        core = chance.randrange(machine.n_cores)
        others = np.flatnonzero((above == above[core]) & (below != below[core]))
        if len(others) and len(pairs) < MOST_SCANNED:
            other = _as_partner(machine, core, int(others[chance.randrange(len(others))]))
            pairs[min(core, other), max(core, other)] = None
    if len(pairs) < LEAST_SCANNED:
        return []
    return [Measurement(level, "scan", "pingpong", size, (pair,)) for pair in pairs for size in SCAN_SIZES]


def _objects(machine: Machine, level: int) -> list[list[list[int]]]:
    """[object][child] the cores, for the level's first and last object with several children."""
    above, below = machine.group_of_core(level), _children_of(machine, level)
    n_children = np.bincount(np.unique(np.stack([above, below]), axis=1)[0])
    joining = np.flatnonzero(n_children > 1).tolist()
    return [
        [np.flatnonzero(below == child).tolist() for child in np.unique(below[above == o])]
        for o in dict.fromkeys([joining[0], joining[-1]])
    ]


def _children_of(machine: Machine, level: int) -> np.ndarray:
    return np.arange(machine.n_cores) if level == 1 else machine.group_of_core(level - 1)


def _between(a: Sequence[int], b: Sequence[int], n: int) -> list[Pair]:
    return [(_core(a, i), _core(b, i + 1)) for i in range(n)]


def _crossed(pairs: Sequence[Pair]) -> list[Pair]:
    """Every second pair reversed."""
    return [pair if i % 2 == 0 else (pair[1], pair[0]) for i, pair in enumerate(pairs)]


def _core(cores: Sequence[int], index: int) -> int:
    """Partners get different indices, because emulated nodes share cores with equal indices."""
    return cores[index % len(cores)]


def _as_partner(machine: Machine, core: int, other: int) -> int:
    """`other`, or another core of its node if the nodes differ; see _core()."""
    node = machine.node_of(other)
    if machine.node_of(core) == node:
        return other
    return machine.core_at(node, (machine.core_on_node(core) + 1) % machine.n_cores_on(node))
