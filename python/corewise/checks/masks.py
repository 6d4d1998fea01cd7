"""Masks: of a cgroup, of a launcher that its ranks leave, and of ranks on fast and slow cores."""

from __future__ import annotations

from collections.abc import Iterator

from corewise.checks.corrected import hydra_example, on_threads
from corewise.checks.situation import AskedCommand, Finding, Situation, ranks_text
from corewise.observe.host_cpus import HostCpus
from corewise.text.quantities import index_text

_RANKS_LEAVE = (
    "launchers that bind don't keep to an inherited affinity: they set their own masks, so that ranks run "
    "where nobody wanted them"
)
_RANKS_WAIT = "ranks of a bulk-synchronous program wait for the slowest of them in each step"


def cgroup_cpuset(situation: Situation) -> Iterator[Finding]:
    """The host's cgroup leaves only some of the hardware threads."""
    here = situation.here
    if here.allowed >= here.online:
        return
    yield Finding(
        found=f"the cgroup leaves hardware threads {index_text(here.allowed)} (os_index) of "
        f"{index_text(here.online)}",
        why="Open MPI counts cores inside the cgroup, and MPICH's and Slurm's lists are of os_index, so "
        "that the same number means another core; the kernel silently narrows masks that reach outside",
        do="name cores to Open MPI from 0 on, and hardware threads to the others as below",
        command=hydra_example(here.first_threads(here.allowed)),
    )


def ranks_outside_the_mask(situation: Situation, asked: AskedCommand) -> Iterator[Finding]:
    """Ranks leave the mask with which their launcher was started."""
    here = situation.here
    mask = here.affinity if asked.mask_before is None else asked.mask_before
    outside = [
        rank for rank in situation.seen if situation.nodes[rank.node] is here and not rank.os_pus <= mask
    ]
    if not outside or not mask:
        return
    escaped = index_text(pu for rank in outside for pu in rank.os_pus - mask)
    run = "run" if len(outside) > 1 else "runs"
    yield Finding(
        found=f"the launcher starts on hardware threads {index_text(mask)} (os_index), and "
        f"{ranks_text(outside)} {run} outside of them, on {escaped}",
        why=_RANKS_LEAVE,
        do="name the cores to the launcher itself",
        command=on_threads(asked, here, here.first_threads(mask)),
    )


def narrowed_process(situation: Situation) -> Iterator[Finding]:
    """This process has a narrower mask than its cgroup allows."""
    here = situation.here
    if here.affinity < here.allowed:
        yield Finding(
            found=f"this process may use hardware threads {index_text(here.affinity)} (os_index) of "
            f"{index_text(here.allowed)}: taskset, numactl or a launcher is around it",
            why=_RANKS_LEAVE,
            do="start launchers outside of it, or give the shell all it may have",
            command=f"taskset -cp {index_text(here.allowed)} $$",
        )


def ranks_on_hybrid_cores(situation: Situation, asked: AskedCommand) -> Iterator[Finding]:
    """Ranks are on slow cores although there are enough fast ones."""
    for node, host in enumerate(situation.nodes):
        ranks = situation.seen_on(node)
        used = frozenset(pu for rank in ranks for pu in rank.os_pus)
        if _kinds_in(host, used) < 2 or len(ranks) > len(fast := _fast_threads(host)):
            continue  # more ranks than fast cores, so slow cores are needed
        slow = [rank for rank in ranks if rank.os_pus - host.core_kinds[-1][1]]
        yield Finding(
            found=f"{ranks_text(slow)} may run on slower cores of {host.host}, which has "
            f"{len(fast)} fast ones for {len(ranks)} ranks",
            why=_RANKS_WAIT,
            do="name the fast cores",
            command=on_threads(asked, host, fast[: len(ranks)]),
        )


def hybrid_host(situation: Situation) -> Iterator[Finding]:
    """The host has cores of several kinds."""
    host = situation.here
    if _kinds_in(host, host.affinity) < 2:
        return
    kinds = "; ".join(f"{name}: {index_text(pus)}" for name, pus in host.core_kinds)
    yield Finding(
        found=f"the cores are of several kinds, slowest first (os_index): {kinds}",
        why=_RANKS_WAIT,
        do="use the fast cores alone, or let the program share out its work unevenly",
        command=hydra_example(_fast_threads(host)),
    )


def _kinds_in(host: HostCpus, os_pus: frozenset[int]) -> int:
    return sum(bool(os_pus & pus) for _, pus in host.core_kinds)


def _fast_threads(host: HostCpus) -> list[int]:
    return host.first_threads(host.core_kinds[-1][1] & host.affinity)
