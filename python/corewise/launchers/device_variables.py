"""The variables that give a rank its own GPU or network card, and put its communication threads near it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corewise.model import Device

# PCI's number of a GPU's maker -> the variable that shows a program some of its GPUs by number, and one that
# makes these numbers follow the PCI bus, where they don't by default: CUDA C++ Programming Guide, "CUDA
# Environment Variables"; ROCm documentation, "GPU isolation techniques" (HIP_VISIBLE_DEVICES would count
# within ROCR_VISIBLE_DEVICES, so it is left alone); Level Zero specification, "Environment Variables".
_VISIBLE = {
    0x10DE: ("CUDA_VISIBLE_DEVICES", {"CUDA_DEVICE_ORDER": "PCI_BUS_ID"}),
    0x1002: ("ROCR_VISIBLE_DEVICES", {}),
    0x8086: ("ZE_AFFINITY_MASK", {"ZE_ENABLE_PCI_ID_DEVICE_ORDER": "1"}),
}
_NETWORK = "UCX_NET_DEVICES"  # UCX documentation, "Which network devices does UCX use"

_AFFINITY = "COREWISE_AFFINITY"  # of the affinity library: corewise-affinity(7)

VARIABLES = (_NETWORK, *(name for name, _ in _VISIBLE.values()))


def variables_of(device: Device, on_node: Sequence[Device]) -> dict[str, str]:
    """What shows a program this device alone; `on_node` are all devices of its node, by PCI bus."""
    if device.kind == "nic":
        name = f"{device.fabric_name}:{device.fabric_port}" if device.fabric_name else device.names[0]
        return {_NETWORK: name}
    name, order = _VISIBLE[device.vendor_id]
    alike = [one.bus_id for one in on_node if one.kind == "gpu" and one.vendor_id == device.vendor_id]
    return {name: str(alike.index(device.bus_id)), **order}


def threads_near(device: Device, settings: str) -> dict[str, str]:
    """What puts the communication threads of corewise's runtime, or of another one on its affinity library,
    near the device; `settings` are what COREWISE_AFFINITY says already, which goes before.
    """
    if re.search(r"(^|;)\s*near\s*=", settings):
        return {}
    return {_AFFINITY: f"{settings.rstrip('; ')};near={device.bus_id}".lstrip(";")}
