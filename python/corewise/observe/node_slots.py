"""Matches nodes that reported to the job's hosts, by address, host name, or batch system's name."""

from __future__ import annotations

import socket
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Protocol

from corewise.launchers.hosts import is_address, same_name
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
