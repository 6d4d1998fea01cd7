"""Finds ranks that see a GPU far from their cores, or that share a GPU while others are free."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from corewise.launchers.device_variables import SLURM_LISTS, gpus_of_node, gpus_shown
from corewise.machines.devices import MAKERS, device_name
from corewise.model import Device, Machine
from corewise.text.quantities import index_text

_NVIDIA = MAKERS["nvidia"][1]


@dataclass(frozen=True)
class RankDevices:
    """A rank on a node: the cores that it may use (logical, on the node) and the variables that it had.

    `set_by_us`: corewise set those of GPUs for it. `files` are the device files of GPUs that were open at its
    end.
    """

    rank: int
    cores: frozenset[int]
    seen: Mapping[str, str]
    set_by_us: bool
    files: Sequence[str]


def gpu_notes(
    ranks: Sequence[RankDevices], machine: Machine, node: int, environment: Mapping[str, str]
) -> dict[int, list[str]]:
    """Rank -> a sentence for each reason to give it another GPU; `ranks` are all ranks of a node.

    `environment` is that of the job's command. Ranks whose variables don't determine their GPUs get no
    sentence.
    """
    on_node = machine.devices(node)
    if not any(one.kind == "gpu" for one in on_node) or not any(one.seen for one in ranks):
        return {}
    lists = {name: one.seen[name] for one in ranks for name in SLURM_LISTS if name in one.seen}
    usable = gpus_of_node(on_node, machine.n_nodes, {**environment, **lists})
    shown = {}
    for one in ranks:
        gpus = gpus_shown(one.seen, on_node, machine.n_nodes, environment if one.set_by_us else None)
        shown[one.rank] = [] if _contradicts(one.files, gpus, on_node) else gpus
    found = {one.rank: _far(one, shown[one.rank], usable) for one in ranks}
    for rank, sentence in _shared(ranks, shown, usable).items():
        found[rank].append(sentence)
    return {rank: sentences for rank, sentences in found.items() if sentences}


def _far(one: RankDevices, shown: Sequence[Device], usable: Sequence[Device]) -> list[str]:
    """At most one sentence: none of the rank's GPUs is near its cores, but another GPU is."""
    if not shown or not one.cores or any(one.cores & {*device.cores} for device in shown):
        return []
    better = [d for d in usable if d.vendor_id == shown[0].vendor_id and one.cores & {*d.cores}]
    if not better:
        return []
    return [
        f"sees GPU {device_name(shown[0])}, which is near cores {index_text(shown[0].cores)} (logical); "
        f"GPU {device_name(better[0])} is near its own cores"
    ]


def _shared(
    ranks: Sequence[RankDevices], shown: Mapping[int, list[Device]], usable: Sequence[Device]
) -> dict[int, str]:
    """A sentence for each rank that shares its only GPU while another GPU has no rank.

    Empty if the GPUs of a rank are unknown.
    """
    if not all(shown.values()):
        return {}
    users: dict[tuple[str, int], list[RankDevices]] = {}
    for one in ranks:
        for device in shown[one.rank]:
            users.setdefault((device.bus_id, device.part), []).append(one)
    found = {}
    for one in ranks:
        own, *more = shown[one.rank]
        of_maker = [device for device in usable if device.vendor_id == own.vendor_id]
        free = [device for device in of_maker if (device.bus_id, device.part) not in users]
        others = [other.rank for other in users[own.bus_id, own.part] if other is not one]
        if free and others and not more:
            ranks_text = f"rank{'s' * (len(others) > 1)} {index_text(others)}"
            found[one.rank] = (
                f"shares GPU {device_name(own)} with {ranks_text}; no rank sees GPU {device_name(free[0])}"
            )
    return found


def _contradicts(files: Sequence[str], shown: Sequence[Device], on_node: Sequence[Device]) -> bool:
    """Whether a rank has device files of GPUs open, but not those of a GPU in `shown`.

    Then the numbers in its variables mean other GPUs, as in a container or cgroup with some of the node's
    GPUs.
    """
    gpus = [one for one in on_node if one.kind == "gpu" and one.vendor_id == _NVIDIA]
    cards = list(dict.fromkeys(one.bus_id for one in gpus))
    for device in shown:
        if device.vendor_id == _NVIDIA:
            folder, own = "/dev/nvidia", [str(cards.index(device.bus_id))]
        else:
            folder, own = "/dev/dri/", list(device.names)
        opened = {name.removeprefix(folder) for name in files if name.startswith(folder)}
        if opened and opened.isdisjoint(own):
            return True
    return False
