"""Nodes with GPUs and network cards as hwloc records them, and the variables that their ranks get."""

from __future__ import annotations

import itertools
from pathlib import Path
from xml.etree import ElementTree

from corewise import machines
from corewise.model import Assignment
from corewise.nouns.placement import Placement
from corewise.start.near import Near

Element = ElementTree.Element
_NUMBERS = itertools.count(1)


def _object(kind: str, *children: Element, **attributes: str) -> Element:
    found = Element("object", {"type": kind, "gp_index": str(next(_NUMBERS))} | attributes)
    found.extend(children)
    return found


def device(name: str, osdev_type: int, *below: Element, **infos: str) -> Element:
    """An OS device. Types of hwloc 2: 1 GPU, 2 network, 3 OpenFabrics, 5 co-processor."""
    found = _object("OSDev", *below, name=name, osdev_type=str(osdev_type))
    found.extend(Element("info", {"name": key, "value": value}) for key, value in infos.items())
    return found


def card(bus: str, maker: str, *on_card: str | Element, kind: str = "0302") -> Element:
    """A PCI device with OS devices, given by name or as elements.

    "ze0(ze0.0 ze0.1)" is one with two below it.
    """
    found = []
    for one in on_card:
        if isinstance(one, str):
            own, _, below = one.rstrip(")").partition("(")
            one = device(own, 5, *(device(name, 5) for name in below.split()))
        found.append(one)
    return _object("PCIDev", *found, pci_busid=bus, pci_type=f"{kind} [{maker}] [0000:0000] 00")


def _sets(pus: int, domains: int) -> dict[str, str]:
    return {
        f"{of}{kind}": hex(bits)
        for kind, bits in (("cpuset", pus), ("nodeset", domains))
        for of in ("", "complete_")
    }


def node(path: Path, *packages: list[Element], allowed: int | None = None) -> str:
    """Writes a node with these cards on packages of two cores each; returns its path.

    `allowed` has a bit for each core that may be used; by default all.
    """
    every, domains = (1 << 2 * len(packages)) - 1, (1 << len(packages)) - 1
    machine = _object("Machine", os_index="0", **_sets(every, domains))
    machine.attrib |= {"allowed_cpuset": hex(allowed or every), "allowed_nodeset": hex(domains)}
    for i, cards in enumerate(packages):
        own = {"os_index": str(i)} | _sets(0b11 << 2 * i, 1 << i)
        package = _object("Package", _object("NUMANode", local_memory="1024", **own), **own)
        for pu in (2 * i, 2 * i + 1):
            place = {"os_index": str(pu)} | _sets(1 << pu, 1 << i)
            package.append(_object("Core", _object("PU", **place), **place))
        bridge = {"bridge_type": "0-1", "depth": "0", "bridge_pci": "0000:[00-ff]"}
        package.append(_object("Bridge", *cards, **bridge))
        machine.append(package)
    topology = Element("topology", {"version": "2.0"})
    topology.append(machine)
    path.write_bytes(ElementTree.tostring(topology))
    return str(path)


def shown(spec: str, cores: list[int], wanted: str = "gpu", environment=None) -> list[dict[str, str]]:
    """[rank] the variables that choose the device of a rank on this core, without COREWISE_AFFINITY."""
    machine = machines.load(spec)
    placement = Placement.of(Assignment.from_cores(cores), machine)
    found = Near(wanted, machine).variables(placement, environment or {})
    return [{key: value for key, value in one.items() if key != "COREWISE_AFFINITY"} for one in found]
