"""Slurm's topology.conf: which switches join which nodes, as levels of a machine's network."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from corewise.errors import InputError
from corewise.files.document import read_text
from corewise.text.node_list import expand_node_list

_WORD = re.compile(r"(\w+)=(\S+)")
_KEYS = {"switchname", "nodes", "switches", "linkspeed"}


@dataclass(frozen=True)
class SlurmTopology:
    """A tree of switches (topology.conf(5), TopologyPlugin=topology/tree).

    `switch_of` names the switch that a node hangs on, `above` the one that a switch hangs on.
    """

    path: Path
    switch_of: dict[str, str] = field(default_factory=dict)
    above: dict[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> SlurmTopology:
        """Raises InputError that names file and line for what is no tree of switches."""
        topology = cls(path)
        for number, line in _lines(read_text(path, "Slurm's topology.conf")):
            try:
                topology._add(line)
            except InputError as error:
                raise InputError(f"{path}: line {number}: {error}") from error
        return topology

    def levels(self, hosts: list[str]) -> list[tuple[str, int]]:
        """The network of these hosts, node i being hosts[i]: (name, children a switch; 0: all), bottom-up.

        Where nodes hang at different heights, the missing switches are there with one child. Raises
        InputError for a host that no switch has, for hosts of one switch that don't follow each other, and
        for switches of one level that join different numbers (but for the last one, which may join fewer).
        """
        ways = [self._way_down_to(host) for host in hosts]
        depth = max(map(len, ways))
        tops = [[way[min(k, len(way) - 1)] for way in ways] for k in range(depth)]
        levels, below = [], hosts
        for number, groups in enumerate(reversed(tops[1:]), 1):
            levels.append((f"switch{number}", self._children(below, groups)))
            below = groups
        return [*levels, ("network", 0)]

    def _children(self, below: list[str], groups: list[str]) -> int:
        """How many distinct neighbours of the level below each group joins."""
        joined: list[tuple[str, list[str]]] = []
        for child, group in zip(below, groups, strict=True):
            if not joined or joined[-1][0] != group:
                if group in dict(joined):
                    raise InputError(
                        f"{self.path}: the nodes of switch {group} don't follow each other; name the nodes "
                        "in the order of their switches"
                    )
                joined.append((group, []))
            if child not in joined[-1][1]:
                joined[-1][1].append(child)
        counts = [len(children) for _, children in joined]
        for (group, _), count in zip(joined, counts, strict=True):
            if count != counts[0] and (group != joined[-1][0] or count > counts[0]):
                raise InputError(
                    f"{self.path}: switch {joined[0][0]} joins {counts[0]} of these nodes or switches and "
                    f"{group} {count}; expected as many for each (the last one may join fewer)"
                )
        return counts[0]

    def _way_down_to(self, host: str) -> list[str]:
        """The switches above a host, topmost first; "" stands for what joins switches that nothing joins."""
        if host not in self.switch_of:
            raise InputError(f"{self.path}: no switch has node {host}; expected one of its Nodes=")
        way = [self.switch_of[host]]
        while (above := self.above.get(way[-1])) and above not in way:
            way.append(above)
        return ["", *reversed(way)]

    def _add(self, line: str) -> None:
        words = {key.lower(): value for key, value in _WORD.findall(line)}
        if "switchname" not in words or words.keys() - _KEYS:
            raise InputError(f"found {line!r:.80}; expected SwitchName=NAME with Nodes=LIST or Switches=LIST")
        switch = words["switchname"]
        for node in expand_node_list(words["nodes"]) if "nodes" in words else []:
            self.switch_of[node] = switch
        for below in expand_node_list(words["switches"]) if "switches" in words else []:
            self.above[below] = switch


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that say something, numbered from 1, without comments."""
    for number, line in enumerate(text.splitlines(), 1):
        if content := line.split("#")[0].strip():
            yield number, content
