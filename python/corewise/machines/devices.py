"""GPUs and network cards of a machine: which ones a job wants, and which one each rank gets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

from corewise.errors import InputError, MissingError, did_you_mean, option
from corewise.text.quantities import index_text

if TYPE_CHECKING:
    from corewise.model import Device, Machine
    from corewise.nouns.placement import Placement

KINDS = {"gpu": "GPU", "nic": "network card"}
MAKERS = {"nvidia": ("NVIDIA", 0x10DE), "amd": ("AMD", 0x1002), "intel": ("Intel", 0x8086)}  # PCI vendor IDs

# By preference: networks for jobs first. Ethernet without RDMA is last, because it often is for management
# only.
_NETWORKS = ("InfiniBand", "Slingshot", "Omni-Path", "EFA", "BXI", "RoCE", "usNIC", "")


def device_name(device: Device) -> str:
    """The device for people: the system's names, else its PCI bus ID."""
    return ", ".join(device.names) or device.bus_id


def wanted_devices(machine: Machine, node: int, wanted: str) -> list[Device]:
    """The node's devices of a kind ("gpu", "nic") or vendor, or with this name or PCI bus ID."""
    devices = machine.devices(node)
    if wanted in MAKERS:
        return [one for one in devices if one.kind == "gpu" and one.vendor_id == MAKERS[wanted][1]]
    return [device for device in devices if wanted in (device.kind, device.bus_id, *device.names)]


def job_devices(machine: Machine, wanted: str) -> list[list[Device]]:
    """The devices that ranks of a job may get, [node].

    GPUs must be of one vendor. Network cards are those of one network that every node with a card has,
    without ports that are down. Raises MissingError if no node has a device of the kind, and InputError for
    an unknown name, for GPUs of two vendors, and for devices without usable cores near them.
    """
    found = [wanted_devices(machine, node, wanted) for node in range(machine.n_nodes)]
    if not any(found):
        raise _none(machine, wanted)
    if wanted == "gpu":
        _require_one_maker(machine, found)
    if wanted == "nic":
        found = _of_one_network(machine, found)
    if not any(device.cores for devices in found for device in devices):
        places = ", ".join(sorted({device.attached_to for devices in found for device in devices}))
        raise InputError(
            f"no core of machine '{machine.name}' that may be used is near {_called(wanted)}: what is asked "
            f"for is attached to {places}, whose cores are all disallowed or offline; leave out "
            f"{option('near')}, or record the node outside the cgroup"
        )
    return found


def _called(wanted: str) -> str:
    return f"a {KINDS[wanted]}" if wanted in KINDS else _name(wanted)


def _name(wanted: str) -> str:
    return f"{MAKERS[wanted][0]} GPU" if wanted in MAKERS else KINDS.get(wanted, wanted)


def _none(machine: Machine, wanted: str) -> MissingError | InputError:
    if wanted in KINDS or wanted in MAKERS:
        return MissingError(
            f"machine '{machine.name}' shows no {_name(wanted)}; `corewise topo` lists the devices that "
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
    return InputError(
        f"'{wanted}' is no device of machine '{machine.name}'; {known}{did_you_mean(wanted, names)}"
    )


def _require_one_maker(machine: Machine, found: Sequence[Sequence[Device]]) -> None:
    """Raises InputError for GPUs of several vendors, because a program is built for those of one."""
    makers = {device.vendor_id: device.bus_id for devices in found for device in reversed(devices)}
    if len(makers) > 1:
        options = {key: name for key, (name, number) in MAKERS.items() if number in makers}
        one_of = " or ".join(option("near", key) for key in options)
        raise InputError(
            f"machine '{machine.name}' has GPUs of {len(makers)} makers, {' and '.join(options.values())}, "
            f"and a program uses one maker's; say which: {one_of}"
        )


def _of_one_network(machine: Machine, found: Sequence[Sequence[Device]]) -> list[list[Device]]:
    up = [[device for device in devices if device.is_up] or devices for devices in found]
    networks = [{device.fabric for device in devices} for devices in up if devices]
    common = set.intersection(*networks)
    if not common:
        first, other = next((a, b) for a in networks for b in networks if not a & b)
        names = [" and ".join(sorted(network or "Ethernet" for network in of)) for of in (first, other)]
        raise InputError(
            f"the network cards of machine '{machine.name}' are of no network that all nodes have: some have "
            f"{names[0]}, others {names[1]}; leave out {option('near')}, or name a device that every node has"
        )
    network = min(common, key=_NETWORKS.index)
    return [[device for device in devices if device.fabric == network] for devices in up]


def devices_of_ranks(
    placement: Placement,
    machine: Machine,
    wanted: str,
    usable: Sequence[Collection[tuple[str, int]]] | None = None,
) -> list[Device]:
    """[rank] its device: local to its first core, and shared with as few ranks as possible.

    Ties are decided by fewer local cores, then by PCI bus order. `usable` [node] are PCI bus IDs and parts
    that the job may use; a rank that is near none of them gets another device of its node. Raises InputError
    if a rank is near no device, and as job_devices() does.
    """
    on_node = job_devices(machine, wanted)
    users: Counter[tuple[int, str, int]] = Counter()
    chosen = []
    for rank, (node, core) in enumerate(zip(placement.node, placement.core, strict=True)):
        local = [device for device in on_node[node] if core in device.cores]
        if not local:
            raise InputError(_near_none(on_node[node], rank, node, core, wanted))
        if usable is not None:
            own = [one for one in on_node[node] if (one.bus_id, one.part) in usable[node]]
            local = [one for one in own if core in one.cores] or own
        device = min(local, key=lambda one: (users[node, one.bus_id, one.part], len(one.cores)))
        users[node, device.bus_id, device.part] += 1
        chosen.append(device)
    return chosen


def _near_none(devices: Sequence[Device], rank: int, node: int, core: int, wanted: str) -> str:
    near = {core for device in devices for core in device.cores}
    where = f"cores {index_text(near)} of node {node} are" if near else f"node {node} has none"
    return (
        f"rank {rank} is on core {core} (logical) of node {node}, which is near no "
        f"{_name(wanted)}: {where}; map the ranks with {option('near', wanted)}"
    )


def cores_near(machine: Machine, wanted: str, n_ranks: int | None, width: int) -> set[int]:
    """The cores (of the whole machine) that ranks may use to be near the wanted devices.

    `n_ranks` ranks of `width` cores share GPUs as evenly as possible: near each GPU, only the first cores (in
    tree order) that its ranks need are included. First parts of cards come before second parts. If there are
    more cards than ranks, each card gets cores for one rank. All cores near a device are included if
    `n_ranks` is None, and for network cards, which any number of ranks can share. Raises InputError and
    MissingError as job_devices() does.
    """
    near: set[int] = set()
    gpus: list[tuple[int, int, int, list[int]]] = []  # (part, index on the node, node, local cores)
    for node, devices in enumerate(job_devices(machine, wanted)):
        first = machine.first_core(node)
        for number, device in enumerate(devices):
            cores = [first + core for core in device.cores]
            if device.kind == "gpu" and n_ranks is not None:
                gpus.append((device.part, number, node, cores))
            else:
                near.update(cores)
    n_cards = sum(part == 0 for part, *_ in gpus)
    return near | _shared_out(gpus, max(n_ranks or 0, n_cards), width)


def _shared_out(gpus: Sequence[tuple[int, int, int, list[int]]], n_ranks: int, width: int) -> set[int]:
    """The cores of `n_ranks` ranks if each takes the GPU with the fewest ranks that has enough free cores."""
    left = [list(reversed(cores)) for *_, cores in gpus]
    taken: set[int] = set()
    by_load = [(0, part, number, node, i) for i, (part, number, node, _) in enumerate(gpus)]
    heapify(by_load)
    while by_load and n_ranks:
        load, part, number, node, i = heappop(by_load)
        own: list[int] = []
        while left[i] and len(own) < width:
            if (core := left[i].pop()) not in taken:
                own.append(core)
        if len(own) == width:
            taken.update(own)
            n_ranks -= 1
            heappush(by_load, (load + 1, part, number, node, i))
    return taken
