"""Slurm's topology of switches or blocks, as levels of a machine's network."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from corewise.errors import InputError
from corewise.files.document import read_text
from corewise.machines.slurm_records import Record, Topology, is_yaml, records_of_lines, topologies_of_yaml
from corewise.nouns.machine import Children, children_of


@dataclass(frozen=True)
class SlurmTopology:
    """A tree of switches or blocks (topology.conf(5), topology.yaml(5)).

    `switch_of` [node] and `above` [switch] are the switch above. `level` [switch] is 1 for a switch with
    nodes only, else 1 + the maximum level of the switches below it. Switches with a common switch below them,
    such as the spines of a fat tree, are merged into the first of them in the file. `apart` [node] are two
    switches that both list the node, although neither is above the other.
    """

    path: Path
    kind: str = "switch"
    is_flat: bool = False
    switch_of: dict[str, str] = field(default_factory=dict)
    above: dict[str, str] = field(default_factory=dict)
    level: dict[str, int] = field(default_factory=dict)
    apart: dict[str, tuple[str, str]] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path, hosts: Iterable[str] = ()) -> SlurmTopology:
        """Reads topology.conf, topology.yaml, or the output of `scontrol show topology`.

        Of several topologies, takes the first one with all `hosts`; the default one comes first. Raises
        InputError naming file and line if the switches are no tree.
        """
        text = read_text(path, "Slurm's topology.conf or topology.yaml")
        try:
            found = topologies_of_yaml(text) if is_yaml(text) else [records_of_lines(text)]
            read = [cls._of(path, topology) for topology in found]
        except InputError as error:
            raise InputError(f"{error}", path=path) from error
        return next((one for one in read if one.is_flat or one.switch_of.keys() >= set(hosts)), read[0])

    @classmethod
    def _of(cls, path: Path, found: Topology) -> SlurmTopology:
        topology = cls(path, found.kind, found.kind == "flat")
        one_of = _joined_spines(found.records, found.kind)
        topology.level.update(_heights(found.records, one_of, topology.above, found.kind))
        topology._hang(found.records, one_of)
        return topology

    def levels(self, hosts: list[str]) -> list[tuple[str, Children]]:
        """The network of these hosts: (name, children of its switches), bottom-up, with hosts in order().

        Two nodes meet at the level of their lowest common switch. Below its own switch's level, a node
        is alone. Raises InputError for a host without a switch.
        """
        columns = self._groups([hosts[i] for i in self.order(hosts)])
        counts = [_counts(below, groups) for below, groups in pairwise(columns)]
        levels = [(f"{self.kind}{level}", children_of(of_level)) for level, of_level in enumerate(counts, 1)]
        return [*levels, ("network", 0)]

    def order(self, hosts: list[str]) -> list[int]:
        """Indices of the hosts, sorted so that the hosts of each switch are consecutive on every level.

        Switches are in the order of their first hosts. Raises InputError as levels() does.
        """
        columns = self._groups(hosts)
        first = [{group: i for i, group in reversed(list(enumerate(column)))} for column in columns]
        keys = [
            tuple(first[level][columns[level][host]] for level in reversed(range(len(columns))))
            for host in range(len(hosts))
        ]
        return sorted(range(len(hosts)), key=keys.__getitem__)

    def doubts(self, hosts: Iterable[str]) -> list[str]:
        """A sentence for each of these hosts below two separate switches, of which the first is used."""
        return [
            f"{self.path}: node {host} is below {first} and below {second}; {first} is used"
            for host in hosts
            if host in self.apart
            for first, second in [self.apart[host]]
        ]

    def _groups(self, hosts: list[str]) -> list[list[str]]:
        """[level][host] the host itself on level 0, else the highest switch above it up to that level."""
        ways = [self._way_up_from(host) for host in hosts]
        columns = [hosts]
        for level in range(1, 1 + max((self.level[way[-1]] for way in ways if way), default=0)):
            tops = [[switch for switch in way if self.level[switch] <= level] for way in ways]
            columns.append([found[-1] if found else host for found, host in zip(tops, hosts, strict=True)])
        return columns

    def _way_up_from(self, host: str) -> list[str]:
        """The switches above a host, lowest first."""
        if self.is_flat:
            return []
        if host not in self.switch_of:
            raise InputError(f"no {self.kind} has node {host}; expected one of its Nodes=", path=self.path)
        return self._up_from(self.switch_of[host])

    def _up_from(self, switch: str) -> list[str]:
        way = [switch]
        while above := self.above.get(way[-1]):
            way.append(above)
        return way

    def _hang(self, records: Sequence[Record], one_of: dict[str, str]) -> None:
        """Puts each node below the lowest switch that lists it; others that list it should be above."""
        listed: dict[str, list[str]] = {}
        for record in records:
            for node in record.nodes:
                listed.setdefault(node, []).append(record.name)
        for node, switches in listed.items():
            lowest = min(switches, key=lambda switch: self.level[one_of[switch]])
            way = self._up_from(one_of[lowest])
            self.switch_of[node] = way[0]
            if others := [switch for switch in switches if one_of[switch] not in way]:
                self.apart[node] = (lowest, others[0])


def _joined_spines(records: Sequence[Record], kind: str) -> dict[str, str]:
    """[switch] the first switch of its group: switches with a common switch below them are merged.

    Links that skip a level (from a leaf to its spine, and also to the switch above the spine) don't merge
    switches; they are ignored.
    """
    one_of = {record.name: record.name for record in records}
    place = {name: i for i, name in enumerate(one_of)}
    heights = _heights(records, one_of, {}, kind)
    above: dict[str, dict[str, None]] = {}  # [switch] the switches above it
    for record in records:
        for below in record.below:
            above.setdefault(below, {})[record.name] = None
    joined = True
    while joined:
        joined = False
        for name in one_of:
            found = {one_of[switch] for switch in above.get(name, ())} - {one_of[name]}
            if len({heights[switch] for switch in found}) > 1:
                found -= {far for switch in found for far in _far_above(switch, above, one_of)}
            if len(found) < 2:
                continue
            first = min(found, key=place.__getitem__)
            for switch, one in one_of.items():
                if one in found:
                    one_of[switch] = first
                    above.setdefault(first, {}).update(above.get(switch, {}))
            joined = True
    return one_of


def _far_above(switch: str, above: dict[str, dict[str, None]], one_of: dict[str, str]) -> set[str]:
    found: set[str] = set()
    ahead = [switch]
    while ahead:
        for one in above.get(ahead.pop(), ()):
            if one_of[one] not in found:
                found.add(one_of[one])
                ahead.append(one_of[one])
    return found


def _heights(
    records: Sequence[Record], one_of: dict[str, str], above: dict[str, str], kind: str
) -> dict[str, int]:
    """The level of each merged switch; fills `above` with the switch above each.

    Raises InputError for a switch without a line, and for cycles.
    """
    below: dict[str, set[str]] = {one: set() for one in one_of.values()}
    for record in records:
        for name in record.below:
            if name not in one_of:
                raise InputError(
                    f"{record.name} joins {kind} {name}, which has no line; expected "
                    f"{kind.capitalize()}Name={name} with its Nodes="
                )
            below[one_of[record.name]].add(one_of[name])
    level: dict[str, int] = {}
    left = {switch: set(children) for switch, children in below.items()}
    ready = [switch for switch, children in left.items() if not children]
    parents: dict[str, list[str]] = {}
    for switch, children in below.items():
        for child in children:
            parents.setdefault(child, []).append(switch)
    for switch in ready:  # the loop appends to the list: each switch comes after those below it
        level[switch] = 1 + max((level[child] for child in below[switch]), default=0)
        for parent in parents.get(switch, ()):
            left[parent].discard(switch)
            ready += [] if left[parent] else [parent]
    if circle := [switch for switch in below if switch not in level]:
        raise InputError(f"{kind} {circle[0]} is below itself, through others; expected a tree")
    above.update({child: min(of, key=level.__getitem__) for child, of in parents.items()})
    return level


def _counts(below: list[str], groups: list[str]) -> list[int]:
    """The number of distinct objects of the level below in each group, in order."""
    joined: dict[str, set[str]] = {}
    for child, group in zip(below, groups, strict=True):
        joined.setdefault(group, set()).add(child)
    return [len(children) for children in joined.values()]
