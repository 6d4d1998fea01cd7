"""GPUs and network cards of a machine: which are asked for, and which one a rank is near."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

from corewise.errors import InputError, MissingError, did_you_mean
from corewise.text.quantities import index_text

if TYPE_CHECKING:
    from corewise.files.placement import PlacementFile
    from corewise.model import Device, Machine

KINDS = {"gpu": "GPU", "nic": "network card"}


def wanted_devices(machine: Machine, node: int, wanted: str) -> list[Device]:
    """The node's devices of a kind ("gpu", "nic"), or the one with this name or PCI bus id."""
    return [
        device for device in machine.devices(node) if wanted in (device.kind, device.bus_id, *device.names)
    ]


def require_devices(machine: Machine, wanted: str) -> None:
    """Raises MissingError where no node has a device of the kind, InputError for a name that none has."""
    if any(wanted_devices(machine, node, wanted) for node in range(machine.n_nodes)):
        return
    if wanted in KINDS:
        raise MissingError(
            f"machine '{machine.name}' shows no {KINDS[wanted]}; `corewise topo` lists the devices that "
            "hwloc finds"
        )
    names = sorted(
        {
            name
            for node in range(machine.n_nodes)
            for device in machine.devices(node)
            for name in (device.bus_id, *device.names)
        }
    )
    known = f"its devices are {', '.join(names)}" if names else "it shows none at all"
    raise InputError(
        f"'{wanted}' is no device of machine '{machine.name}'; {known}{did_you_mean(wanted, names)}"
    )


def devices_of_ranks(placement: PlacementFile, machine: Machine, wanted: str) -> list[Device]:
    """[rank] the device that it is near: local to its first core, and shared with as few ranks as can be.

    Of equally shared ones it is the one of the smaller part of the node, then the first by PCI bus. Raises
    InputError where a rank is near none, and as require_devices() does.
    """
    require_devices(machine, wanted)
    users: Counter[tuple[int, str]] = Counter()
    chosen = []
    for rank, (node, core) in enumerate(zip(placement.node, placement.core, strict=True)):
        local = [device for device in wanted_devices(machine, node, wanted) if core in device.cores]
        if not local:
            raise InputError(_near_none(machine, rank, node, core, wanted))
        device = min(local, key=lambda one: (users[node, one.bus_id], len(one.cores), one.bus_id))
        users[node, device.bus_id] += 1
        chosen.append(device)
    return chosen


def _near_none(machine: Machine, rank: int, node: int, core: int, wanted: str) -> str:
    near = {core for device in wanted_devices(machine, node, wanted) for core in device.cores}
    where = f"cores {index_text(near)} of node {node} are" if near else f"node {node} has none"
    return (
        f"rank {rank} is on core {core} (logical) of node {node}, which is near no "
        f"{KINDS.get(wanted, wanted)}: {where}; make a placement with `corewise map --near {wanted}`"
    )


def cores_near(machine: Machine, wanted: str, n_ranks: int | None, width: int) -> set[int]:
    """Cores (of the whole machine) that ranks may have so that they are near the devices wanted.

    GPUs are shared as evenly as can be: near each one only as many cores count as its part of `n_ranks` ranks
    of `width` cores needs, the first in tree order. Where there are more GPUs than ranks, each may get one.
    All cores near a device count where `n_ranks` is None, and for network cards, which any number of ranks
    shares. Raises InputError and MissingError as require_devices() does.
    """
    require_devices(machine, wanted)
    near: set[int] = set()
    gpus: list[tuple[int, int, list[int]]] = []  # (its number on the node, node, local cores)
    for node in range(machine.n_nodes):
        first = machine.first_core(node)
        for number, device in enumerate(wanted_devices(machine, node, wanted)):
            cores = [first + core for core in device.cores]
            if device.kind == "gpu" and n_ranks is not None:
                gpus.append((number, node, cores))
            else:
                near.update(cores)
    return near | _shared_out(gpus, max(n_ranks or 0, len(gpus)), width)


def _shared_out(gpus: Sequence[tuple[int, int, list[int]]], n_ranks: int, width: int) -> set[int]:
    """The cores of `n_ranks` ranks that each take the GPU with fewest ranks that has cores left for one."""
    left = [list(reversed(cores)) for _, _, cores in gpus]
    taken: set[int] = set()
    by_load = [(0, number, node, i) for i, (number, node, _) in enumerate(gpus)]
    heapify(by_load)
    while by_load and n_ranks:
        load, number, node, i = heappop(by_load)
        own: list[int] = []
        while left[i] and len(own) < width:
            if (core := left[i].pop()) not in taken:
                own.append(core)
        if len(own) == width:
            taken.update(own)
            n_ranks -= 1
            heappush(by_load, (load + 1, number, node, i))
    return taken
