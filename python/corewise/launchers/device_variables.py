"""Environment variables that give a rank a GPU or network card, and place communication threads near it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from corewise.errors import InputError, option

if TYPE_CHECKING:
    from corewise.launchers.command import Command
    from corewise.model import Device

_NVIDIA, _AMD, _INTEL = 0x10DE, 0x1002, 0x8086  # PCI vendor IDs
_VISIBLE = {_NVIDIA: "CUDA_VISIBLE_DEVICES", _AMD: "ROCR_VISIBLE_DEVICES", _INTEL: "ZE_AFFINITY_MASK"}
_HIERARCHY = "ZE_FLAT_DEVICE_HIERARCHY"
NETWORK = "UCX_NET_DEVICES"  # UCX documentation, "Which network devices does UCX use"

# Networks that UCX doesn't support; MPI libraries use them through libfabric.
_NOT_OF_UCX = ("Slingshot", "Omni-Path", "EFA", "BXI", "usNIC")

_AFFINITY = "COREWISE_AFFINITY"  # of the affinity library: corewise-affinity(7)

# Slurm's numbers of a job's GPUs, in the same order as in the vendors' variables (gres.conf(5)). If a cgroup
# hides GPUs, the vendors' variables number the remaining GPUs from 0, and these number all GPUs of the node.
SLURM_LISTS = ("SLURM_STEP_GPUS", "SLURM_JOB_GPUS")

# Variables that choose among the GPUs that the vendor's variable makes visible.
_FURTHER_CHOICE = ("HIP_VISIBLE_DEVICES", "ONEAPI_DEVICE_SELECTOR")


def variables_of(
    device: Device,
    on_node: Sequence[Device],
    n_nodes: int = 1,
    n_alike: int = 1,
    environment: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """The variables that make only this device visible to a program; empty if none do.

    `on_node` are all devices of its node in order of PCI bus ID, `n_nodes` is the number of nodes with this
    description, and `n_alike` is the number of network cards among which the device was chosen. Raises
    InputError if the machine lacks the vendor's name of the device.
    """
    if device.kind == "nic":
        return _network_variables(device, n_alike)
    of_maker = [one for one in on_node if one.kind == "gpu" and one.vendor_id == device.vendor_id]
    if device.vendor_id == _AMD:
        given = _first_given(environment or {}, _VISIBLE[_AMD])
        return {_VISIBLE[_AMD]: _amd_name(device, of_maker, n_nodes == 1 and not given.isdecimal())}
    if device.vendor_id == _INTEL:
        return _intel_variables(device, of_maker, environment or {})
    return {_VISIBLE[_NVIDIA]: _nvidia_name(device, of_maker, n_nodes), "CUDA_DEVICE_ORDER": "PCI_BUS_ID"}


def _network_variables(device: Device, n_alike: int) -> dict[str, str]:
    """UCX's variable; empty for one of several Ethernet cards, which may be on separate networks."""
    if device.fabric in _NOT_OF_UCX or (not device.fabric and n_alike > 1):
        return {}
    return {NETWORK: f"{device.fabric_name}:{device.fabric_port}" if device.fabric_name else device.names[0]}


def _nvidia_name(device: Device, of_maker: Sequence[Device], n_nodes: int) -> str:
    """The value of CUDA_VISIBLE_DEVICES: the card's number in order of PCI bus ID, or a part's UUID (MIG).

    Source: CUDA Programming Guide, "CUDA Environment Variables".
    """
    if device.n_parts == 1:
        cards = list(dict.fromkeys(one.bus_id for one in of_maker))
        return str(cards.index(device.bus_id))
    if device.uuid.startswith("MIG-") and n_nodes == 1:
        return device.uuid
    raise InputError(
        f"GPU {device.bus_id} is divided into {device.n_parts} instances (MIG), which CUDA_VISIBLE_DEVICES "
        "takes by their UUIDs alone, and the machine doesn't record these for each node; leave out "
        f"{option('near')}, and give each rank its own by CUDA_VISIBLE_DEVICES=MIG-... (`nvidia-smi -L` "
        "lists them)"
    )


def _amd_name(device: Device, of_maker: Sequence[Device], by_uuid: bool) -> str:
    """The value of ROCR_VISIBLE_DEVICES: the UUID of 16 digits, or the number in the driver's list (KFD).

    The list may not be in the order of the bus. UUIDs differ between nodes, so they are used for one node
    only, and not if the job was given numbers. Sources: ROCm documentation, "GPU isolation techniques", and
    ROCR-Runtime's amd_filter_device.cpp.
    """
    uuids = [_rocr_uuid(one) for one in of_maker]
    own = _rocr_uuid(device)
    if own and uuids.count(own) == 1 and by_uuid:
        return own
    numbers = [one.driver_number for one in of_maker]
    if device.driver_number >= 0 and numbers.count(device.driver_number) == 1:
        return str(device.driver_number)
    if len(of_maker) == 1:
        return "0"
    raise InputError(
        f"the machine doesn't record ROCm's name of GPU {device.bus_id}: ROCR_VISIBLE_DEVICES counts as the "
        "driver lists the GPUs, not by PCI bus; record the node with an lstopo that has hwloc's RSMI plugin, "
        "or place on the node itself"
    )


def _rocr_uuid(device: Device) -> str:
    match = re.fullmatch(r"(?:GPU-)?([0-9a-fA-F]{1,16})", device.uuid)
    number = int(match[1], 16) if match else 0
    return f"GPU-{number:016x}" if number else ""


def _intel_variables(
    device: Device, of_maker: Sequence[Device], environment: Mapping[str, str]
) -> dict[str, str]:
    """The variables of Level Zero (its specification, "Affinity Mask" and "Device Hierarchy").

    FLAT, the driver's default since 2023, numbers the stacks of all cards. COMPOSITE numbers cards, and a
    stack is CARD.STACK, so it also works if the number of stacks is unknown.
    """
    cards = list(dict.fromkeys(one.bus_id for one in of_maker))
    card = str(cards.index(device.bus_id))
    order = {"ZE_ENABLE_PCI_ID_DEVICE_ORDER": "1"}
    if any(one.driver_number < 0 for one in of_maker):
        return {_VISIBLE[_INTEL]: card, _HIERARCHY: "COMPOSITE", **order}
    if all(one.n_parts == 1 for one in of_maker):
        return {_VISIBLE[_INTEL]: card, **order}
    if environment.get(_HIERARCHY) == "COMPOSITE":
        stack = f".{device.part}" if device.n_parts > 1 else ""
        return {_VISIBLE[_INTEL]: f"{card}{stack}", _HIERARCHY: "COMPOSITE", **order}
    places = [(one.bus_id, one.part) for one in of_maker]
    flat = environment.get(_HIERARCHY, "FLAT")
    return {_VISIBLE[_INTEL]: str(places.index((device.bus_id, device.part))), _HIERARCHY: flat, **order}


def _first_given(environment: Mapping[str, str], name: str) -> str:
    """The name of the job's first GPU in the environment; empty if there is none."""
    return next((environment[one].split(",")[0] for one in (*SLURM_LISTS, name) if environment.get(one)), "")


def _first_list(environment: Mapping[str, str]) -> list[str] | None:
    return next((environment[one].split(",") for one in SLURM_LISTS if environment.get(one)), None)


def in_job(variables: Mapping[str, str], environment: Mapping[str, str]) -> dict[str, str] | None:
    """`variables` with the job's name of the device; None if the job was not given the device."""
    named = next(((name, number) for name, number in variables.items() if name in _VISIBLE.values()), None)
    if named is None:
        return dict(variables)
    name, number = named
    shown = environment.get(name, "").split(",") if environment.get(name) else None
    global_numbers = _first_list(environment)
    if shown is None or (global_numbers is not None and len(shown) == len(global_numbers)):
        known, names = global_numbers, shown or global_numbers
    else:
        known = names = shown
    if known is None or names is None:
        return dict(variables)
    return {**variables, name: names[known.index(number)]} if number in known else None


def gpus_of_node(on_node: Sequence[Device], n_nodes: int, job: Mapping[str, str]) -> list[Device]:
    """The GPUs of a node that the environment `job` gives to the job."""
    return [one for one in on_node if _shown_by_job(one, on_node, n_nodes, job)]


def gpus_shown(
    seen: Mapping[str, str], on_node: Sequence[Device], n_nodes: int, job: Mapping[str, str] | None
) -> list[Device]:
    """The GPUs of a node that are visible to a process with the variables `seen`; empty if unknown.

    `job` is the environment in which corewise set these variables, None if another program did. In the latter
    case, numbers are taken to count all GPUs of the node in PCI bus order. The GPUs are unknown if Slurm
    lists another number of GPUs than the process has, because in a cgroup, numbers start from 0 in each
    process.
    """
    shown = {name: seen[name].split(",") for name in _VISIBLE.values() if name in seen}
    global_numbers = _first_list(seen)
    if any(name in seen for name in _FURTHER_CHOICE):
        return []
    if job is None and any(len(global_numbers or values) != len(values) for values in shown.values()):
        return []
    makers = {one.vendor_id for one in on_node if one.kind == "gpu" and _VISIBLE.get(one.vendor_id) in shown}
    named = {maker: shown[_VISIBLE[maker]] for maker in makers}
    found = []
    for device in on_node:
        own = _shown_by_job(device, on_node, n_nodes, seen if job is None else job)
        counts_alike = own.get(_HIERARCHY) in (None, seen.get(_HIERARCHY, "FLAT"))
        names = {own.get(_VISIBLE.get(device.vendor_id, ""), ""), device.uuid} - {""}
        if counts_alike and names & {*named.get(device.vendor_id, [])}:
            found.append(device)
    return found if len(found) == sum(map(len, named.values())) else []


def _shown_by_job(
    device: Device, on_node: Sequence[Device], n_nodes: int, job: Mapping[str, str]
) -> dict[str, str]:
    """The variables that make the GPU visible in the job; empty if the job lacks it, or without a name."""
    if device.kind != "gpu" or device.vendor_id not in _VISIBLE:
        return {}
    try:
        return in_job(variables_of(device, on_node, n_nodes, environment=job), job) or {}
    except InputError:
        return {}


def gpu_options(command: Command) -> list[str]:
    """The options of a launcher's command that ask for GPUs or bind ranks to them, each as text."""
    return [
        option.text
        for option in command.options
        if option.name.startswith("gpu")
        or option.name in ("G", "ntasks-per-gpu")
        or (option.name == "gres" and any("gpu" in value for value in option.values))
    ]


def gpus_of_job(environment: Mapping[str, str]) -> str:
    """The variables that list the job's GPUs, for a sentence."""
    names = (*SLURM_LISTS, *sorted(_VISIBLE.values()))
    return ", ".join(f"{name}={environment[name]}" for name in names if name in environment)


def threads_near(device: Device, settings: str) -> dict[str, str]:
    """The variable with which the affinity library places communication threads near the device.

    `settings` is the present value of COREWISE_AFFINITY, which takes precedence.
    """
    if re.search(r"(^|;)\s*near\s*=", settings):
        return {}
    return {_AFFINITY: f"{settings.rstrip('; ')};near={device.bus_id}".lstrip(";")}
