"""Which of a job's hosts a node is that reported: by its address, its name, or its batch system's name."""

from __future__ import annotations

import socket
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Protocol

from corewise.execute.this_node import is_this_host, own_id, own_name
from corewise.launchers.hosts import is_address, same_name


class NamedNode(Protocol):
    """What a node calls itself: a ProfileNode, or who was asked for the same."""

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
    """The addresses that the name has here; empty if it has none."""
    try:
        return {str(answer[4][0]) for answer in socket.getaddrinfo(host, None)}
    except OSError:
        return set()


def slots_of(
    hosts: Sequence[str], nodes: Sequence[NamedNode], is_now: bool = True, resolve: Resolve = resolved
) -> list[set[int]]:
    """For each node the indices in `hosts` that mean it: none for a node outside of the job.

    More than one where hosts are names of one node. Names are compared only as far as they tell nodes apart:
    on one kernel all may have the same host name, and a job step's environment may hold the batch system's
    name of another node (mpiexec passes on its own). `is_now` says that the nodes reported since this host
    was started, so that one with our name and another id is another host.
    """
    names = Counter(node.host for node in nodes)
    own = own_id() if is_now else ""
    return [_slots_of(hosts, node, own, names[node.host] == 1, resolve) for node in nodes]


def _slots_of(
    hosts: Sequence[str], node: NamedNode, own: str, name_is_unique: bool, resolve: Resolve
) -> set[int]:
    """By the strongest evidence that there is; `own` is the id of this node, empty if it says nothing."""
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
