"""Makes a Run from what the ranks reported: every binding seen, next to the one wanted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import structs

from corewise.launchers.device_variables import NETWORK
from corewise.nouns.launch_plan import LaunchPlan
from corewise.nouns.run import RankBinding, Run
from corewise.observe.node_topologies import slots_of
from corewise.profile.threads import n_without_core, os_pus_of
from corewise.start.launching import start
from corewise.start.streams import Streams
from corewise.start.this_node import own_name
from corewise.start.wanted import Wanted
from corewise.text.quantities import index_text

if TYPE_CHECKING:
    from corewise.model import Machine, Profile, RankInfo


def run_observed(
    plan: LaunchPlan,
    label: str,
    profile_folder: Path,
    wanted: Wanted,
    streams: Streams = Streams(),  # noqa: B008 (frozen)
    timeout_s: float | None = None,
) -> Run:
    """Runs a placed plan and compares every rank's binding with the placement."""
    ended = start(plan, streams, timeout_s)
    return run_of(label, plan, ended, reported(profile_folder), wanted)


def run_of(
    label: str, plan: LaunchPlan, ended: tuple[int, float], profile: Profile | None, wanted: Wanted
) -> Run:
    """The Run, from `ended` (exit code, s) and the ranks' reports; `profile` is None if no rank reported."""
    exit_code, wall_s = ended
    seen = profile.ranks if profile else []
    hosts = hosts_seen(profile, wanted) if profile else []
    n_ranks = max(len(seen), wanted.placement.n_ranks if wanted.placement else 0)
    bindings = [
        _binding(rank, seen[rank] if rank < len(seen) else None, hosts, wanted) for rank in range(n_ranks)
    ]
    known = _known(profile, wanted) if profile else None
    if profile and known and any(info.device_variables for info in seen):
        bindings = _with_gpu_notes(bindings, profile, known, wanted.environment)
    return Run(
        label=label,
        command=plan.argv,
        source="measured",
        ranks=bindings,
        wall_s=wall_s,
        app_s=max((info.wall_s for info in seen if info.wall_s > 0), default=None),
        mpi_s=fsum(info.mpi_s for info in seen) / len(seen) if seen else None,
        exit_code=exit_code,
        cpu_s=_cpu_s(seen),
        gpus_asked=wanted.gpus_asked,
        **(_threads(profile, known) if profile and known else {}),
    )


def _cpu_s(ranks: Sequence[RankInfo]) -> float | None:
    times_s = [rank.cpu_s for rank in ranks if rank.cpu_s is not None]
    return sum(times_s) if len(times_s) == len(ranks) > 0 else None


def hosts_seen(profile: Profile, wanted: Wanted) -> list[set[str]]:
    """For each node of the profile its names in the job, or its own name if it is no host of the job.

    A set has several names if several hosts of the job are the same node.
    """
    slots = slots_of(wanted.hosts, profile.nodes)
    return [
        {own_name(wanted.hosts[slot]) for slot in found} or {node.batch_name or node.host}
        for node, found in zip(profile.nodes, slots, strict=True)
    ]


def _binding(rank: int, info: RankInfo | None, hosts: list[set[str]], wanted: Wanted) -> RankBinding:
    host, pus = wanted.host(rank), wanted.os_pus(rank)
    devices = dict(wanted.devices[rank]) if rank < len(wanted.devices) else None
    if info is None or info.node < 0:
        return RankBinding(rank, "", host, pus, None, devices_wanted=devices)
    names = hosts[info.node]
    return RankBinding(
        rank=rank,
        host=host if host in names else min(names),
        host_wanted=host,
        os_pus_wanted=pus,
        os_pus_seen=os_pus_of(info) or None,
        threads_outside=_threads_outside(info, pus) if pus else [],
        devices_wanted=devices,
        devices_seen=info.device_variables,
        device_files=info.device_files,
    )


@dataclass(frozen=True)
class _Known:
    """The machine, and which of its nodes each node of the profile is; other nodes are left out."""

    machine: Machine
    nodes: Mapping[int, int]


def _known(profile: Profile, wanted: Wanted) -> _Known | None:
    """The machine with the nodes of the profile; None if the topology of the hosts is unknown."""
    from corewise import machines

    if not (wanted.machine or wanted.placement):
        return None
    slots = slots_of(wanted.hosts, profile.nodes)
    nodes = {node: min(found) for node, found in enumerate(slots) if found}
    return _Known(wanted.machine or machines.here(len(wanted.hosts)), nodes)


def _with_gpu_notes(
    bindings: list[RankBinding], profile: Profile, known: _Known, environment: Mapping[str, str]
) -> list[RankBinding]:
    from corewise.observe.gpu_notes import RankDevices, gpu_notes

    notes: dict[int, list[str]] = {}
    for node, of_machine in known.nodes.items():
        core_of = _core_of_pu(known.machine, of_machine)
        first = known.machine.first_core(of_machine)
        ranks = [
            RankDevices(
                rank,
                frozenset(core_of[pu] - first for pu in bindings[rank].os_pus_seen or [] if pu in core_of),
                info.device_variables,
                bool({*(bindings[rank].devices_wanted or {})} - {NETWORK}),
                info.device_files,
            )
            for rank, info in enumerate(profile.ranks)
            if info.node == node
        ]
        notes |= gpu_notes(ranks, known.machine, of_machine, environment)
    return [structs.replace(one, gpu_notes=notes.get(one.rank, [])) for one in bindings]


def _threads(profile: Profile, known: _Known) -> dict[str, int]:
    """Run's `n_threads` and `n_threads_without_core`; empty if they are unknown."""
    cores_on = {node: _core_of_pu(known.machine, of_machine) for node, of_machine in known.nodes.items()}
    found = n_without_core(profile.ranks, cores_on) if profile.ranks else None
    return {} if found is None else {"n_threads": found[0], "n_threads_without_core": found[1]}


def _core_of_pu(machine: Machine, node: int) -> dict[int, int]:
    return {pu: core for core in machine.cores_on(node) for pu in machine.os_pus(core)}


def _threads_outside(rank: RankInfo, wanted: list[int]) -> list[str]:
    """The rank's threads at MPI_Finalize that may run on unwanted hardware threads."""
    return [
        f"{thread.name} {index_text(pus)}"
        for thread in rank.threads
        if not set(pus := [int(pu) for pu in thread.os_pus]) <= set(wanted)
    ]


def reported(folder: Path) -> Profile | None:
    """The profile in `folder`; None if no rank wrote a record."""
    from corewise.profile.reading import NothingRecorded, read_profile

    try:
        return read_profile(folder) if holds_profile(folder) else None
    except NothingRecorded:
        return None


def holds_profile(folder: Path) -> bool:
    """Whether at least one rank has begun to report."""
    return any(folder.glob("*.cwprof"))
