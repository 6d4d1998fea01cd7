"""Reads the topology of each host of a job on that host, and combines them to a machine."""

from __future__ import annotations

import socket
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from xml.etree import ElementTree

from corewise import machines
from corewise.errors import MissingError
from corewise.launchers.hosts import is_address, same_name
from corewise.machines import node_shapes
from corewise.machines.spec import lab_figures
from corewise.model import Machine, NodeShape, make_machine
from corewise.start.application import Application
from corewise.start.folder import working_directory
from corewise.start.launching import printed_by
from corewise.start.programs import native
from corewise.start.this_node import is_this_host, own_id, own_name


class NamedNode(Protocol):
    """The names of a node, as in a ProfileNode or a NodeTopology."""

    @property
    def host(self) -> str: ...
    @property
    def id(self) -> str: ...
    @property
    def batch_name(self) -> str: ...
    @property
    def addresses(self) -> Sequence[str]: ...


Resolve = Callable[[str], set[str]]


def resolved(host: str) -> set[str]:
    """The addresses of the name on this host; empty if it has none."""
    try:
        return {str(answer[4][0]) for answer in socket.getaddrinfo(host, None)}
    except OSError:
        return set()


def slots_of(
    hosts: Sequence[str], nodes: Sequence[NamedNode], is_now: bool = True, resolve: Resolve = resolved
) -> list[set[int]]:
    """For each node the indices of its names in `hosts`; empty for a node outside of the job.

    Several indices if hosts are names of one node. A host name counts only if it is unique among the nodes,
    because all nodes on one kernel may have the same. The batch system's name counts only if no host name
    matches, because mpiexec passes its own to other nodes. `is_now`: the nodes reported since this host
    booted, so a node with our name but another id is another host.
    """
    names = Counter(node.host for node in nodes)
    own = own_id() if is_now else ""
    return [_slots_of(hosts, node, own, names[node.host] == 1, resolve) for node in nodes]


def _slots_of(
    hosts: Sequence[str], node: NamedNode, own: str, name_is_unique: bool, resolve: Resolve
) -> set[int]:
    """The node's indices, by the strongest evidence; `own` is the id of this node, empty to ignore ids."""
    addresses = set(node.addresses)

    def is_named(host: str) -> bool:
        if own and node.id and is_this_host(host):
            return node.id == own
        return same_name(own_name(host), node.host) and name_is_unique

    def is_in_batch_system(host: str) -> bool:
        return same_name(host, node.batch_name) and not any(same_name(node.host, other) for other in hosts)

    for means in (
        lambda host: host in addresses,
        is_named,
        is_in_batch_system,
        lambda host: not is_address(host) and bool(resolve(host) & addresses),
    ):
        if found := {i for i, host in enumerate(hosts) if means(host)}:
            return found
    return set()


PROGRAM = "corewise-topology"
TIMEOUT_S = 60  # Hydra waits forever for a host that can't be reached


@dataclass(frozen=True)
class NodeTopology:
    """A node's answer: its names, as in a ProfileNode, and its cores.

    `file_name` is the node's part of the names of files that its processes write (cw_node_file_name()).
    """

    host: str
    id: str
    batch_name: str
    addresses: list[str]
    shape: NodeShape
    file_name: str = ""

    @property
    def machine(self) -> Machine:
        """A machine of this node only."""
        return make_machine(self.host, [self.shape], [0], [], [], [])


def machine_of(application: Application) -> Machine:
    """The machine of the command's hosts; see nodes_of()."""
    return nodes_of(application)[0]


def nodes_of(application: Application) -> tuple[Machine, list[NodeTopology]]:
    """The machine, whose node i is the usable part of the i-th host, and each node's answer.

    If all hosts are this one, there are no answers. Otherwise the command's launcher starts a process on each
    host. Raises MissingError with the launcher's output if a host doesn't answer.
    """
    hosts = application.host_names
    if all(is_this_host(host) for host in hosts):
        return machines.here(len(hosts)), []
    with working_directory() as folder:
        nodes = folder / "nodes"
        nodes.mkdir()
        plan = application.plan_on_each_host([native(PROGRAM), str(nodes)], str(folder))
        printed = printed_by(plan, TIMEOUT_S)
        answers = [read_node(path) for path in sorted(nodes.glob("*.xml"))]
        said = printed.output + printed.messages
        return machine_from(hosts, answers, said, folder.parent), answers


def machine_from(hosts: Sequence[str], nodes: Sequence[NodeTopology], printed: str, shared: Path) -> Machine:
    """The machine of the nodes that answered; raises MissingError if one is missing.

    The error shows the end of `printed`, and `shared`, the folder that all hosts should see.
    """
    shape_on = {
        slot: node.shape for node, slots in zip(nodes, slots_of(hosts, nodes), strict=True) for slot in slots
    }
    missing = [host for slot, host in enumerate(hosts) if slot not in shape_on]
    if missing:
        last = " ".join(printed.split()[-40:]) or "nothing"
        raise MissingError(
            f"host {missing[0]} reported no topology ({len(missing)} of {len(hosts)} did not); the "
            f"launcher printed: {last}. Check that it starts programs there, and that every host sees "
            f"{shared}"
        )
    kinds: dict[str, NodeShape] = {}
    kind_of_node = []
    for slot in range(len(hosts)):
        kind = _kind(shape_on[slot])
        kinds.setdefault(kind, shape_on[slot])
        kind_of_node.append(list(kinds).index(kind))
    alone = make_machine("node", [shape_on[0]], [0], [], [], [])
    same = len(kinds) == 1 and alone.fingerprint == machines.here().fingerprint
    name = f"local:{len(hosts)}" if same else f"{len(hosts)} hosts"
    return make_machine(name, list(kinds.values()), kind_of_node, [], lab_figures(len(hosts)), [])


def _kind(shape: NodeShape) -> str:
    """A key that is equal for nodes with the same fingerprint and devices."""
    devices = [
        (device.bus_id, device.part, device.driver_number, device.names, device.cores)
        for device in shape.devices
    ]
    return f"{make_machine('node', [shape], [0], [], [], []).fingerprint} {devices}"


def read_node(path: Path) -> NodeTopology:
    """Reads a file of corewise-topology (node/topology.c)."""
    infos = ElementTree.parse(path).getroot().iterfind("object[1]/info")
    info = {found.get("name"): found.get("value", "") for found in infos}
    return NodeTopology(
        host=info["CorewiseHost"],
        id=info["CorewiseId"],
        batch_name=info.get("CorewiseBatchName", ""),
        addresses=info.get("CorewiseAddresses", "").split(),
        shape=node_shapes.from_xml(str(path)),
        file_name=path.stem,
    )
