"""Checks before a placement is used: number of ranks, machine, and hardware threads."""

from __future__ import annotations

import os
from dataclasses import dataclass

from corewise import machines
from corewise.errors import InputError, MissingError
from corewise.model import Machine
from corewise.nouns.placement import Placement
from corewise.observe.host_cpus import HostCpus, this_host
from corewise.observe.node_topologies import machine_of
from corewise.start.application import Application
from corewise.start.this_node import is_this_host
from corewise.text.quantities import counted, index_text


@dataclass(frozen=True)
class HostsKnown:
    """`machine` is the machine of `hosts`, in order; nodes in `assumed` are assumed to be like this host."""

    hosts: list[str]
    machine: Machine
    assumed: frozenset[int] = frozenset()

    def machine_for(self, placement: Placement | None) -> Machine:
        """The machine, if its assumptions agree with the placement.

        Raises InputError if an assumed node differs from the one that the placement was made for.
        """
        if placement is None:
            return self.machine
        for node in sorted(self.assumed & set(placement.node)):
            expected, here = placement.node_fingerprints[node], self.machine.node_fingerprint(node)
            if expected != here:
                raise InputError(
                    f"{placement.path} was made for a node {node} with fingerprint {expected}, this host has "
                    f"{here}, and a dry run doesn't ask {self.hosts[node]}; leave out --dry-run"
                )
        return self.machine

    def note(self, placement: Placement, *, by_placement: bool) -> str | None:
        """A sentence on hosts that were not asked, None if all were.

        `by_placement`: what is assumed of them comes from the placement only.
        """
        names = [self.hosts[node] for node in sorted(self.assumed & set(placement.node))]
        if not names:
            return None
        who = ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
        taken = "as the placement says" if by_placement else "like this host"
        return (
            f"a dry run starts nothing, so {who} were not asked for their cores, which are assumed to be "
            f"{taken}. Leave out --dry-run to ask each host."
        )


def asked(application: Application) -> HostsKnown:
    """Asks every host; raises MissingError if one doesn't answer."""
    return HostsKnown(application.host_names, machine_of(application))


def assumed(application: Application) -> HostsKnown:
    """The hosts, assumed to be like this one; starts nothing."""
    hosts = application.host_names
    others = frozenset(node for node, host in enumerate(hosts) if not is_this_host(host))
    return HostsKnown(hosts, machines.here(len(hosts)), others)


MOST_RANKS_PER_PU = 64


def check_placement(placement: Placement, application: Application, known: HostsKnown) -> None:
    """Raises InputError or MissingError for the first thing that doesn't fit the command or its hosts."""
    _check_ranks(placement, application)
    if placement.os_pus is None:
        raise InputError(
            f"{placement.path}: made for '{placement.machine}', which has no OS indices; "
            "expected a placement for the machine that runs it"
        )
    for node, host in enumerate(application.hosts):
        ranks = [rank for rank in range(placement.n_ranks) if placement.node[rank] == node]
        if ranks and is_this_host(host.name):
            _check_pus(placement, ranks)
        if ranks and node not in known.assumed:
            _check_fingerprint(placement, node, known.machine)
            for rank in ranks:
                placement.cores_on(known.machine, rank, node)


def check_number_of_ranks(application: Application, here: Machine) -> None:
    """Raises InputError for an implausible number of ranks, because a typing error could overload the hosts.

    `here` is the machine of the command's own hosts. Ranks may share hardware threads within reason.
    """
    asked, most = application.n_ranks, MOST_RANKS_PER_PU * here.n_pus
    if asked is not None and asked > most:
        raise InputError(
            f"the command starts {asked} ranks on {counted(here.n_pus, 'hardware thread')} "
            f"({counted(here.n_nodes, 'host')}); expected at most {most}: {MOST_RANKS_PER_PU} a thread"
        )


def _check_ranks(placement: Placement, application: Application) -> None:
    asked = application.n_ranks
    if asked is not None and asked != placement.n_ranks:
        raise InputError(
            f"the command starts {asked} ranks, {placement.path} places {placement.n_ranks}; expected as many"
        )
    nodes = set(placement.node)
    if max(nodes) >= len(application.hosts):
        names = [host.name for host in application.hosts]
        raise InputError(
            f"{placement.path} uses node {max(nodes)}, but the command runs on {len(names)} "
            f"host{'s' * (len(names) != 1)} ({', '.join(names[:4])}); "
            "name as many hosts as the placement has nodes"
        )


def _check_pus(placement: Placement, ranks: list[int]) -> None:
    assert placement.os_pus is not None
    allowed = os.sched_getaffinity(0)
    for rank in ranks:
        if lacking := frozenset(placement.os_pus[rank]) - allowed:
            raise MissingError(_why_lacking(placement, rank, lacking, this_host()))


def _why_lacking(placement: Placement, rank: int, lacking: frozenset[int], here: HostCpus) -> str:
    """Why a rank can't have these hardware threads: they are absent, offline, or not allowed."""
    again = "make one with `corewise map --machine local`"
    if absent := lacking - here.online - here.offline:
        return (
            f"rank {rank} is placed on core {placement.core[rank]}, hardware thread {index_text(absent)} "
            f"(os_index), which is not here ({index_text(here.online | here.offline)} are); {again}"
        )
    if offline := lacking & here.offline:
        return (
            f"rank {rank} needs hardware thread {index_text(offline)} (os_index), which is offline "
            f"({index_text(here.online)} run); {again}"
        )
    return (
        f"rank {rank} needs hardware thread {index_text(lacking)} (os_index), but this process may use "
        f"only {index_text(here.affinity)}: the cpuset is narrower than the placement's machine "
        "(taskset, a container or a batch system?)"
    )


def _check_fingerprint(placement: Placement, node: int, machine: Machine) -> None:
    expected = placement.node_fingerprints[node]
    found = machine.node_fingerprint(node)
    if found != expected:
        raise InputError(
            f"{placement.path} was made for '{placement.machine}': node {node} has fingerprint {expected}, "
            f"here it is {found} ({counted(machine.n_cores_on(node), 'core')}); make one with "
            "`corewise map --machine local`"
        )
