"""HostCpus: the cores of a host, and which of them this process may use."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass

from corewise.machines import node_shapes
from corewise.model import Machine, NodeCpus


@dataclass(frozen=True)
class HostCpus:
    """Cores and hardware threads (os_index) of one host.

    `cores` [core, logical] are those online. `allowed` are those that the cgroup allows, `affinity` is the
    mask with which this process was started. `core_kinds` are (name, hardware threads), slowest first, if
    cores differ.
    """

    host: str
    cores: list[list[int]]
    allowed: frozenset[int]
    affinity: frozenset[int]
    offline: frozenset[int] = frozenset()
    core_kinds: tuple[tuple[str, frozenset[int]], ...] = ()

    @property
    def online(self) -> frozenset[int]:
        """All hardware threads that are online."""
        return frozenset(pu for core in self.cores for pu in core)

    def cores_of(self, os_pus: frozenset[int]) -> list[int]:
        """The cores (logical) that have any of these hardware threads."""
        return [number for number, core in enumerate(self.cores) if os_pus & set(core)]

    def first_threads(self, among: frozenset[int]) -> list[int]:
        """One hardware thread of `among` of each core, in logical order."""
        usable = ([pu for pu in core if pu in among] for core in self.cores)
        return [pus[0] for pus in usable if pus]


def recorded(host: str, cpus: NodeCpus) -> HostCpus:
    """A host from hwloc's record; the affinity is taken to be what the cgroup allows."""
    allowed = frozenset(cpus.allowed)
    kinds = tuple((name, frozenset(pus)) for name, pus in cpus.core_kinds)
    return HostCpus(host, cpus.cores, allowed, allowed, frozenset(cpus.offline), kinds)


def of_node(host: str, machine: Machine, node: int) -> HostCpus:
    """A node of a machine, of which only the usable hardware threads are known."""
    cores = [machine.os_pus(core) for core in machine.cores_on(node)]
    pus = frozenset(pu for core in cores for pu in core)
    return HostCpus(host, cores, pus, pus)


def this_host() -> HostCpus:
    """This host, as seen by this process."""
    known = recorded("localhost", node_shapes.local_cpus())
    with ThreadPoolExecutor(1) as thread:  # in another thread, so that our affinity stays unchanged
        allowed = thread.submit(_widest, known.online).result()
    return HostCpus(
        known.host,
        known.cores,
        allowed,
        frozenset(os.sched_getaffinity(0)),
        known.offline,
        known.core_kinds,
    )


def _widest(online: frozenset[int]) -> frozenset[int]:
    """The cgroup's cpuset, found by asking for all hardware threads, which needs no cgroup files."""
    with suppress(OSError):
        os.sched_setaffinity(0, online)
    return frozenset(os.sched_getaffinity(0))
