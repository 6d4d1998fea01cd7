"""Recursive bisection along a machine's tree: a partitioner proposes halves, which get exact sizes here."""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable, Iterable

import numpy as np

from corewise import model
from corewise.mapping.partitioners.task_graph import TaskGraph

# (graph, wanted vertices on side 0) -> attempts: side 0 or 1 of each vertex [n]. Sizes are approximate.
Bisect = Callable[[TaskGraph, int], Iterable[np.ndarray]]


def find_start(
    traffic: model.Traffic,
    machine: model.Machine,
    ranks_on_core: np.ndarray,
    bisect: Bisect,
    deadline_cpu_s: float | None,
) -> tuple[model.Assignment, float]:
    """A placement with exactly `ranks_on_core` [core] ranks on each core, and the CPU seconds used."""
    begin_s = time.process_time()

    def out_of_time() -> bool:
        return deadline_cpu_s is not None and time.process_time() - begin_s >= deadline_cpu_s

    graph = TaskGraph.of(traffic.folded())
    core_of_rank = map_on_tree(graph, machine, ranks_on_core, bisect, out_of_time)
    return model.Assignment.from_cores(core_of_rank.tolist()), time.process_time() - begin_s


def map_on_tree(
    graph: TaskGraph,
    machine: model.Machine,
    ranks_on_core: np.ndarray,
    bisect: Bisect,
    out_of_time: Callable[[], bool],
) -> np.ndarray:
    """int64 [rank]: the core of each vertex, with exactly `ranks_on_core` [core] vertices on each core.

    When out of time, the remaining ranks are placed in order. Source: dual recursive bipartitioning,
    Pellegrini, SHPCC 1994.
    """
    core_of_rank = np.empty(graph.n, dtype=np.int64)
    groups = [machine.group_of_core(level) for level in range(machine.n_levels + 1)]
    waiting = [(graph, np.arange(graph.n), np.flatnonzero(ranks_on_core))]
    while waiting:
        part, ranks, cores = waiting.pop()
        if len(cores) == 1:
            core_of_rank[ranks] = cores[0]
            continue
        middle = _middle(cores, groups)
        n_first = int(ranks_on_core[cores[:middle]].sum())
        side = np.arange(part.n) >= n_first
        if len(part.peer) > 0 and not out_of_time():
            sides = (with_exact_sizes(part, attempt, n_first) for attempt in bisect(part, n_first))
            side = min(sides, key=part.cut)
        for number, some in enumerate((cores[:middle], cores[middle:])):
            here = side == number
            waiting.append((part.part(here), ranks[here], some))
    return core_of_rank


def _middle(cores: np.ndarray, groups: list[np.ndarray]) -> int:
    """How many of `cores` are before the middle boundary of the highest level that separates them."""
    for group_of_core in reversed(groups):
        first_cores = np.unique(group_of_core[cores], return_index=True)[1]
        if len(first_cores) > 1:
            return int(first_cores[len(first_cores) // 2])
    raise AssertionError("two cores are different groups of level 0")


def with_exact_sizes(graph: TaskGraph, side: np.ndarray, n_first: int) -> np.ndarray:
    """`side` with exactly `n_first` zeros: surplus vertices change sides, the one with the least loss first.

    Source of the gains: Fiduccia and Mattheyses, DAC 1982.
    """
    too_many = int((side == 0).sum()) - n_first
    large = 0 if too_many > 0 else 1
    outward = np.where(side[graph.vertex] != side[graph.peer], graph.weight, -graph.weight)
    gain = np.bincount(graph.vertex, weights=outward, minlength=graph.n).astype(np.int64).tolist()
    side_of = side.tolist()
    heap = [(-gain[vertex], vertex) for vertex in np.flatnonzero(side == large).tolist()]
    heapq.heapify(heap)
    for _ in range(abs(too_many)):
        loss, vertex = heapq.heappop(heap)
        while side_of[vertex] != large or loss != -gain[vertex]:  # out of date
            loss, vertex = heapq.heappop(heap)
        side_of[vertex] = 1 - large
        row = slice(graph.start[vertex], graph.start[vertex + 1])
        for peer, weight in zip(graph.peer[row].tolist(), graph.weight[row].tolist(), strict=True):
            gain[peer] += 2 * weight
            if side_of[peer] == large:
                heapq.heappush(heap, (-gain[peer], peer))
    return np.array(side_of)
