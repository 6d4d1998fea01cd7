"""The program's own threads in a profile: how many worked, where they may run, which must share cores."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from corewise.nouns.crowd import Crowd

if TYPE_CHECKING:
    from corewise.model import Profile, RankInfo

# A thread that used less CPU time than both only waits: a library's pool that nobody calls, a signal handler.
LEAST_CPU_S = 1e-3
LEAST_SHARE = 0.01  # of the time from MPI_Init to MPI_Finalize
# The mean number of busy threads is rounded up, except for so much, which is the error of both clocks.
CLOCK_ERROR = 0.1


def threads_of(rank: RankInfo, asked: int | None = None) -> int | None:
    """Threads of the program that worked, at least 1; None if the profile has no thread times.

    Those that MPI_Init started are the library's and don't count. Threads that ended before MPI_Finalize
    show in the CPU time of the rank: as many count as were busy at a time, on average. Of `asked` threads
    (OMP_NUM_THREADS) all count that are there, however little they did.
    """
    if rank.cpu_s is None or any(thread.cpu_s is None for thread in rank.threads):
        return None
    own_s = [thread.cpu_s or 0.0 for thread in rank.threads if not thread.of_mpi]
    of_mpi_s = sum(thread.cpu_s or 0.0 for thread in rank.threads if thread.of_mpi)
    n_worked = sum(cpu_s >= max(LEAST_CPU_S, LEAST_SHARE * rank.wall_s) for cpu_s in own_s)
    n_busy = math.ceil((rank.cpu_s - of_mpi_s) / rank.wall_s - CLOCK_ERROR) if rank.wall_s > 0 else 0
    return max(1, n_worked, n_busy, min(asked or 1, len(own_s)))


def had_ended_threads(rank: RankInfo) -> bool:
    """Threads that ended before MPI_Finalize used CPU time, which the rank has and none of its threads."""
    times_s = [thread.cpu_s for thread in rank.threads if thread.cpu_s is not None]
    if rank.cpu_s is None or len(times_s) < len(rank.threads):
        return False
    return rank.cpu_s - sum(times_s) > CLOCK_ERROR * rank.wall_s


def threads_per_rank(profile: Profile, asked: int | None = None) -> int | None:
    """The greatest number of threads_of() any rank; None if no rank has thread times."""
    counts = [threads_of(rank, asked) for rank in profile.ranks]
    return max((count for count in counts if count is not None), default=None)


def os_pus_of(rank: RankInfo) -> list[int]:
    """Hardware threads (os_index, ascending) that the rank's own threads may use; empty if unknown.

    More than the mask at MPI_Init where OpenMP has bound each thread inside the rank's mask (OMP_PROC_BIND).
    """
    pus = set(rank.os_pus)
    if pus:
        pus.update(pu for thread in rank.threads if not thread.of_mpi for pu in thread.os_pus)
    return sorted(pus)


def n_without_core(
    ranks: Iterable[RankInfo], cores_on: Mapping[int, Mapping[int, int]], asked: int | None = None
) -> tuple[int, int] | None:
    """(threads of the program, how many of them can't have a separate core), all nodes together.

    Each thread may run where its own mask says, a thread that ended where its rank's mask says. None where
    no thread times are known. `cores_on` [node of the profile] [os_index] are the cores; None too where a
    node or a hardware thread of a mask is not in there.
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
    """The host whose ranks shared hardware threads most; None if each rank had its own.

    Nodes on one kernel are one host, such as containers, or the namespaces of `corewise lab`: they share its
    hardware threads (ProfileNode.id starts with the kernel's boot). Ranks whose mask isn't known don't count.
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
    """How many hardware threads processes of these masks can use at a time, each its own."""
    pus = set().union(*masks)
    return len(pus) if len(pus) < len(masks) else _most_matched(masks, {pu: pu for pu in pus})


def _masks(rank: RankInfo, count: int) -> list[list[int]]:
    """A mask for each of `count` threads: those that used most CPU time, then the rank's own."""
    own = sorted(
        (thread for thread in rank.threads if not thread.of_mpi), key=lambda thread: -(thread.cpu_s or 0.0)
    )
    masks = [thread.os_pus for thread in own[:count]]
    return masks + [rank.os_pus] * (count - len(masks))


def _most_matched(masks: Sequence[Sequence[int]], core_of_pu: Mapping[int, int]) -> int:
    """The most threads that can have a core each: a maximum matching of threads with cores.

    By augmenting paths (Kuhn 1955; Berge 1957): each thread takes a core of its mask that is free, or whose
    thread can go to another one.
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
