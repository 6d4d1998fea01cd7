"""The program's own threads in a profile: how many worked, on which cores, and which must share cores."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from corewise.nouns.run import Crowd

if TYPE_CHECKING:
    from corewise.model import Profile, RankInfo

# A thread with less CPU time than both limits only waits, as an unused thread pool or a signal handler does.
LEAST_CPU_S = 1e-3
LEAST_SHARE = 0.01  # of the time from MPI_Init to MPI_Finalize
# The mean number of busy threads is rounded up, after subtracting this error of both clocks.
CLOCK_ERROR = 0.1


def threads_of(rank: RankInfo, asked: int | None = None) -> int | None:
    """Threads of the program that worked, at least 1; None if the profile has no thread times.

    Threads that MPI_Init started belong to the MPI library and don't count. Threads that ended before
    MPI_Finalize are visible only in the rank's CPU time, which gives the average number of busy threads. Up
    to `asked` threads (OMP_NUM_THREADS) count even if they did little.
    """
    if rank.cpu_s is None or any(thread.cpu_s is None for thread in rank.threads):
        return None
    own_s = [thread.cpu_s or 0.0 for thread in rank.threads if not thread.of_mpi]
    of_mpi_s = sum(thread.cpu_s or 0.0 for thread in rank.threads if thread.of_mpi)
    n_worked = sum(cpu_s >= max(LEAST_CPU_S, LEAST_SHARE * rank.wall_s) for cpu_s in own_s)
    n_busy = math.ceil((rank.cpu_s - of_mpi_s) / rank.wall_s - CLOCK_ERROR) if rank.wall_s > 0 else 0
    return max(1, n_worked, n_busy, min(asked or 1, len(own_s)))


def had_ended_threads(rank: RankInfo) -> bool:
    """Whether the rank used CPU time that none of its remaining threads used."""
    times_s = [thread.cpu_s for thread in rank.threads if thread.cpu_s is not None]
    if rank.cpu_s is None or len(times_s) < len(rank.threads):
        return False
    return rank.cpu_s - sum(times_s) > CLOCK_ERROR * rank.wall_s


def threads_per_rank(profile: Profile, asked: int | None = None) -> int | None:
    """The maximum of threads_of() over the ranks; None if no rank has thread times."""
    counts = [threads_of(rank, asked) for rank in profile.ranks]
    return max((count for count in counts if count is not None), default=None)


def os_pus_of(rank: RankInfo) -> list[int]:
    """Hardware threads (os_index, ascending) that the rank's own threads may use; empty if unknown.

    The mask at MPI_Init may be smaller: with OMP_PROC_BIND, it is that of the main thread only.
    """
    pus = set(rank.os_pus)
    if pus:
        pus.update(pu for thread in rank.threads if not thread.of_mpi for pu in thread.os_pus)
    return sorted(pus)


def n_without_core(
    ranks: Iterable[RankInfo], cores_on: Mapping[int, Mapping[int, int]], asked: int | None = None
) -> tuple[int, int] | None:
    """(threads of the program, how many of them can't have a separate core), all nodes together.

    A thread may run on its own mask, or on the rank's mask if it ended before MPI_Finalize. `cores_on`[node
    of the profile][os_index] are the cores. None if thread times are unknown, or if `cores_on` lacks a node
    or a hardware thread.
    """
    masks_on: dict[int, list[list[int]]] = {}
    for rank in ranks:
        count = threads_of(rank, asked)
        if count is None:
            return None
        masks_on.setdefault(rank.node, []).extend(_masks(rank, count))
    n_threads = sum(map(len, masks_on.values()))
    try:
        n_with_core = sum(_most_matched(masks, cores_on[node]) for node, masks in masks_on.items())
    except KeyError:
        return None
    return n_threads, n_threads - n_with_core


def crowded_host(profile: Profile) -> Crowd | None:
    """The host with most ranks per hardware thread; None if each rank had a hardware thread.

    Nodes on one kernel (containers, or the namespaces of `corewise lab`) share its hardware threads and count
    as one host. ProfileNode.id starts with the boot ID of the kernel. Ranks without a known mask don't count.
    """
    masks_on: dict[str | int, list[list[int]]] = {}
    host_of: dict[str | int, str] = {}
    for rank in profile.ranks:
        if rank.node < 0 or not rank.os_pus:
            continue
        kernel = profile.nodes[rank.node].id.partition("-")[0] or rank.node
        host_of.setdefault(kernel, rank.host)
        masks_on.setdefault(kernel, []).append(os_pus_of(rank))
    crowds = [Crowd(host_of[kernel], len(masks), _pus_for(masks)) for kernel, masks in masks_on.items()]
    most = max(crowds, key=lambda crowd: crowd.n_ranks / crowd.n_pus, default=None)
    return most if most and most.n_ranks > most.n_pus else None


def _pus_for(masks: list[list[int]]) -> int:
    """How many processes with these masks can have a separate hardware thread at the same time."""
    pus = set().union(*masks)
    return len(pus) if len(pus) < len(masks) else _most_matched(masks, {pu: pu for pu in pus})


def _masks(rank: RankInfo, count: int) -> list[list[int]]:
    """A mask for each of `count` threads: masks of the threads with most CPU time, then the rank's mask."""
    own = sorted(
        (thread for thread in rank.threads if not thread.of_mpi), key=lambda thread: -(thread.cpu_s or 0.0)
    )
    masks = [thread.os_pus for thread in own[:count]]
    return masks + [rank.os_pus] * (count - len(masks))


def _most_matched(masks: Sequence[Sequence[int]], core_of_pu: Mapping[int, int]) -> int:
    """The most threads that can have a core each: a maximum matching of threads with cores.

    By augmenting paths (Kuhn 1955; Berge 1957): each thread takes a free core of its mask, or a core whose
    thread can move to another core.
    """
    cores = [sorted({core_of_pu[pu] for pu in mask}) for mask in masks]
    thread_on: dict[int, int] = {}

    def place(first: int) -> bool:
        came_from: dict[int, int] = {}  # core -> the thread that asked for it
        waiting = [first]
        while waiting:
            thread = waiting.pop()
            for core in cores[thread]:
                if core in came_from:
                    continue
                came_from[core] = thread
                if core not in thread_on:
                    _move_along(core, came_from, thread_on)
                    return True
                waiting.append(thread_on[core])
        return False

    return sum(place(thread) for thread in range(len(cores)))


def _move_along(core: int, came_from: dict[int, int], thread_on: dict[int, int]) -> None:
    """Gives `core` to the thread that asked for it, that thread's former core to the next, and so on."""
    core_of = {thread: taken for taken, thread in thread_on.items()}
    while True:
        thread = came_from[core]
        thread_on[core] = thread
        if thread not in core_of:
            return
        core = core_of[thread]
