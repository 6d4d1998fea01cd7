"""The machine of a command's hosts: each host is asked, or the user describes it, or it is assumed."""

from __future__ import annotations

from dataclasses import dataclass

from corewise import machines
from corewise.errors import InputError
from corewise.execute.application import Application
from corewise.execute.node_topologies import machine_of
from corewise.execute.this_node import is_this_host
from corewise.model import Machine
from corewise.nouns.placement import Placement
from corewise.text.quantities import counted


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
                    f"{here}, and a dry run doesn't ask {self.hosts[node]}; describe the hosts with "
                    "--machine M"
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
            f"{taken}. Give --machine M, or leave out --dry-run to ask each host."
        )


def asked(application: Application) -> HostsKnown:
    """Asks every host; raises MissingError if one doesn't answer."""
    return HostsKnown(application.host_names, machine_of(application))


def told(application: Application, spec: str | None) -> HostsKnown:
    """The hosts as described by `--machine`, or else assumed to be like this one; starts nothing.

    Raises InputError if the machine has another number of nodes, or describes this host wrongly.
    """
    hosts = application.host_names
    here = machines.here(len(hosts))
    if spec is None:
        return HostsKnown(hosts, here, frozenset(i for i, host in enumerate(hosts) if not is_this_host(host)))
    machine = machines.load(spec)
    if machine.n_nodes != len(hosts):
        raise InputError(
            f"--machine {spec} has {counted(machine.n_nodes, 'node')}, the command runs on "
            f"{counted(len(hosts), 'host')} ({', '.join(hosts[:4])}); expected a node for each host"
        )
    for node, host in enumerate(hosts):
        if is_this_host(host) and machine.node_fingerprint(node) != here.node_fingerprint(node):
            raise InputError(
                f"--machine {spec}: node {node} ({counted(machine.n_cores_on(node), 'core')}) is not {host}, "
                f"this host ({counted(here.n_cores_on(node), 'core')}); expected node i to be the i-th host"
            )
    return HostsKnown(hosts, machine)
