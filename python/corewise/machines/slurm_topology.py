"""Slurm's topology.conf: which switches join which nodes, as levels of a machine's network."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from corewise.errors import InputError
from corewise.files.document import read_text
from corewise.files.machine import Children, children_of
from corewise.text.node_list import expand_node_list

# topology.conf(5); `scontrol show topology` adds the level, and lists the nodes below a switch as its own.
_KEYS = {"switchname", "nodes", "switches", "linkspeed", "level"}
_NO_TREE = re.compile(r"(?i)(block(name|sizes)\s*=|---|-\s|\w+:)")


@dataclass(frozen=True)
class SlurmTopology:
    """A tree of switches (topology.conf(5), TopologyPlugin=topology/tree).

    `switch_of` names the switch that a node hangs on, `above` the one that a switch hangs on. The level of a
    switch is that of the highest switch below it and one more; one with nodes alone has level 1.
    """

    path: Path
    switch_of: dict[str, str] = field(default_factory=dict)
    above: dict[str, str] = field(default_factory=dict)
    level: dict[str, int] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> SlurmTopology:
        """The file, or what `scontrol show topology` printed.

        Raises InputError that names file and line for what is no tree of switches.
        """
        topology, nodes = cls(path), {}
        for number, line in _lines(read_text(path, "Slurm's topology.conf")):
            try:
                topology._add(line, nodes)
            except InputError as error:
                raise InputError(f"{path}: line {number}: {error}") from error
        try:
            topology._set_levels()
            topology._hang(nodes)
        except InputError as error:
            raise InputError(f"{path}: {error}") from error
        return topology

    def levels(self, hosts: list[str]) -> list[tuple[str, Children]]:
        """The network of these hosts: (name, children of its switches), bottom-up, in the order of order().

        Two nodes meet at the level of their lowest common switch; on a level below its own switch a node is
        alone. Raises InputError for a host that no switch has.
        """
        columns = self._groups([hosts[i] for i in self.order(hosts)])
        counts = [_counts(below, groups) for below, groups in pairwise(columns)]
        levels = [(f"switch{level}", children_of(of_level)) for level, of_level in enumerate(counts, 1)]
        return [*levels, ("network", 0)]

    def order(self, hosts: list[str]) -> list[int]:
        """Indices of the hosts such that those of a switch follow each other, on every level.

        Switches come in the order in which the hosts name them first. Raises InputError as levels() does.
        """
        columns = self._groups(hosts)
        first = [{group: i for i, group in reversed(list(enumerate(column)))} for column in columns]
        keys = [
            tuple(first[level][columns[level][host]] for level in reversed(range(len(columns))))
            for host in range(len(hosts))
        ]
        return sorted(range(len(hosts)), key=keys.__getitem__)

    def _groups(self, hosts: list[str]) -> list[list[str]]:
        """[level][host]: the host itself on level 0, then the highest switch above it up to that level."""
        ways = [self._way_up_from(host) for host in hosts]
        columns = [hosts]
        for level in range(1, 1 + max(self.level[way[-1]] for way in ways)):
            tops = [[switch for switch in way if self.level[switch] <= level] for way in ways]
            columns.append([found[-1] if found else host for found, host in zip(tops, hosts, strict=True)])
        return columns

    def _way_up_from(self, host: str) -> list[str]:
        """The switches above a host, lowest first."""
        if host not in self.switch_of:
            raise InputError(f"{self.path}: no switch has node {host}; expected one of its Nodes=")
        return self._up_from(self.switch_of[host])

    def _up_from(self, switch: str) -> list[str]:
        way = [switch]
        while above := self.above.get(way[-1]):
            way.append(above)
        return way

    def _add(self, line: str, nodes: dict[str, list[str]]) -> None:
        """Takes in a line; `nodes` gets the switches that each node is listed under."""
        words = _words(line)
        switch = words["switchname"]
        if switch in self.level:
            raise InputError(f"switch {switch} comes a second time; expected one line for each")
        self.level[switch] = 1
        for node in expand_node_list(words["nodes"]) if "nodes" in words else []:
            nodes.setdefault(node, []).append(switch)
        for below in expand_node_list(words["switches"]) if "switches" in words else []:
            if other := self.above.get(below):
                raise InputError(f"switch {below} hangs on {other} already; expected one switch above it")
            self.above[below] = switch

    def _set_levels(self) -> None:
        """Raises InputError for a switch that has no line, and for switches that hang on each other."""
        if unknown := [below for below in self.above if below not in self.level]:
            raise InputError(
                f"{self.above[unknown[0]]} joins switch {unknown[0]}, which has no line; expected "
                f"SwitchName={unknown[0]} with Nodes= or Switches="
            )
        n_below = {switch: 0 for switch in self.level}
        for above in self.above.values():
            n_below[above] += 1
        ready = [switch for switch, n in n_below.items() if n == 0]
        for switch in ready:  # grows: each switch follows those below it
            if above := self.above.get(switch):
                self.level[above] = max(self.level[above], self.level[switch] + 1)
                n_below[above] -= 1
                ready += [above] if n_below[above] == 0 else []
        if circle := [switch for switch, n in n_below.items() if n > 0]:
            raise InputError(f"switch {circle[0]} hangs on itself, by way of others; expected a tree")

    def _hang(self, nodes: dict[str, list[str]]) -> None:
        """Each node on the lowest switch that lists it, the others being above; raises InputError if not."""
        for node, switches in nodes.items():
            lowest = min(switches, key=self.level.__getitem__)
            way = self._up_from(lowest)
            if apart := [switch for switch in switches if switch not in way]:
                raise InputError(
                    f"node {node} hangs on {lowest} and on {apart[0]}; expected one switch for it"
                )
            self.switch_of[node] = lowest


def _counts(below: list[str], groups: list[str]) -> list[int]:
    """How many distinct objects of the level below each group joins, in order."""
    joined: dict[str, set[str]] = {}
    for child, group in zip(below, groups, strict=True):
        joined.setdefault(group, set()).add(child)
    return [len(children) for children in joined.values()]


def _words(line: str) -> dict[str, str]:
    """`SwitchName=s0 Nodes=n[0-3]` by key, in lower case; raises InputError for anything else."""
    if _NO_TREE.match(line):
        raise InputError(
            f"found {line!r:.80}, of a block topology or topology.yaml; corewise reads trees of switches: "
            "expected lines SwitchName=NAME with Nodes=LIST or Switches=LIST, as in topology.conf or as "
            "`scontrol show topology` prints them"
        )
    pairs = [word.partition("=") for word in line.split()]
    words = {key.lower(): value for key, _, value in pairs}
    if not all(words.values()) or "switchname" not in words or words.keys() - _KEYS:
        raise InputError(f"found {line!r:.80}; expected SwitchName=NAME with Nodes=LIST or Switches=LIST")
    return words


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that say something, numbered from 1, without comments; a final backslash joins two."""
    before = ""
    for number, line in enumerate(text.splitlines(), 1):
        content = before + line.split("#")[0].strip()
        before = content[:-1] + " " if content.endswith("\\") else ""
        if content and not before:
            yield number, content
    if before.strip():
        yield len(text.splitlines()), before.strip()
