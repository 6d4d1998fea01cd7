"""The machine of a command's hosts: each host is asked, or it is assumed to be like this one."""

from __future__ import annotations

from dataclasses import dataclass

from corewise import machines
from corewise.errors import InputError
from corewise.model import Machine
from corewise.nouns.placement import Placement
from corewise.observe.node_topologies import machine_of
from corewise.start.application import Application
from corewise.start.this_node import is_this_host


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
