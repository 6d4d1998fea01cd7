"""Reads an Open MPI rankfile as a placement: `rank 0=n1 slot=2-3`, `rank 1=+n0 slot=1:0,1`.

Syntax: mpirun(1), "Rankfiles", and the lexers (rmaps_rank_file_lex.l) of 4.1.4 and 5.0.11, tried with both.
In contrast to its manual, 4.1.4 refuses 1:0,1 and requires 1:0-1 or 1:0;1:1. Numbers are logical cores,
mpirun's default. The file does not show if it was written for --use-hwthread-cpus (hardware threads) or
rmaps_rank_file_physical (OS indices).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from warnings import warn

from corewise.errors import InputError, Note, option
from corewise.launchers.hosts import Host, distinct, same_name
from corewise.model import Assignment, Machine
from corewise.nouns.placement import Placement, shares_cores
from corewise.text.escaping import printable
from corewise.text.quantities import counted

RECOGNISED = re.compile(r"^[ \t]*rank[ \t]*[0-9]+[ \t]*=", re.MULTILINE)
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*|#[^\n]*", re.DOTALL)
_LINE = re.compile(r"rank\s*([0-9]{1,9})\s*=\s*(?:[\w-]+@)?(\+n[0-9]{1,9}|[\w.-]+)\s+slots?\s*=\s*(\S+)")
_RANGE = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?")
_BY_NUMBER = re.compile(r"([0-9]+)")


@dataclass(frozen=True)
class Entry:
    """One line of the file."""

    path: str
    line: int
    rank: int
    host: str
    slots: str

    @property
    def relative_node(self) -> int | None:
        """The node of a host such as +n1; None for a name."""
        return int(self.host[2:]) if self.host.startswith("+") else None


def read_rankfile(text: str, path: str, machine: Machine, hosts: Sequence[str] | None = None) -> Placement:
    """The cores to which mpirun would bind the ranks on `machine`; `hosts` are the names of its nodes.

    Without `hosts`, +n1 is node 1, and names are sorted by number as batch systems do: n2 before n10. Raises
    InputError naming file and line, also if a rank is missing or appears twice.
    """
    lines = entries(text, path)
    node_of = _nodes(path, lines, machine, hosts)
    cores: dict[int, list[int]] = {}
    for entry in lines:
        if entry.rank in cores:
            raise InputError(
                f"rank {entry.rank} appears twice; expected each rank once", path=path, line=entry.line
            )
        cores[entry.rank] = _cores(entry, machine, node_of[entry.host])
    missing = next((rank for rank in range(len(cores)) if rank not in cores), None)
    if missing is not None:
        raise InputError(
            f"rank {missing} is missing; expected a line for each rank from 0 to {max(cores)}", path=path
        )
    placement = Assignment.from_core_lists([cores[rank] for rank in range(len(cores))])
    found = Placement.of(placement, machine, oversubscribed=shares_cores(placement))
    return found.named(path)


def entries(text: str, path: str) -> list[Entry]:
    """The lines of a rankfile; raises InputError naming file and line, also if there is none."""
    text = _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), text)
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        match = _LINE.fullmatch(line.strip())
        if match is None:
            raise InputError(
                f"found {printable(line.strip()[:40])!r}; expected rank 0=HOST slot=0-1",
                path=path,
                line=number,
            )
        found.append(Entry(path, number, int(match[1]), match[2], match[3]))
    if not found:
        raise InputError("no rank; expected an Open MPI rankfile: rank 0=HOST slot=0-1", path=path)
    return found


def _nodes(
    path: str, lines: Sequence[Entry], machine: Machine, hosts: Sequence[str] | None
) -> dict[str, int]:
    """The node of each host in the file."""
    named = list(dict.fromkeys(line.host for line in lines))
    relative = {line.host: node for line in lines if (node := line.relative_node) is not None}
    names = [host.name for host in distinct(map(Host, filter(lambda name: name not in relative, named)))]
    order = list(hosts) if hosts is not None else sorted(names, key=_by_number)
    if relative and names and hosts is None:
        raise InputError(
            f"names {next(iter(relative))} and {names[0]}; expected one way to name hosts", path=path
        )
    if hosts is None and len(names) > 1:
        warn(
            f"{path} names hosts: {', '.join(order[:4])}{', ...' if len(order) > 4 else ''} are taken as "
            f"nodes 0 to {len(order) - 1}. For another order, write +n0, +n1, ... in place of the names.",
            Note,
            stacklevel=2,
        )
    nodes = dict(relative)
    for host in named:
        if host not in relative:
            is_only_one = len(order) == len(named) == 1  # then its name doesn't matter: it may be localhost
            node = (
                0 if is_only_one else next((i for i, name in enumerate(order) if same_name(name, host)), None)
            )
            if node is None:
                raise InputError(
                    f"host {host} is none of {', '.join(order[:4])}; expected one of them", path=path
                )
            nodes[host] = node
    last = max(nodes, key=lambda host: nodes[host])
    if nodes[last] >= machine.n_nodes:
        raise InputError(
            f"{last} is node {nodes[last]}, and {machine.name} has "
            f"{counted(machine.n_nodes, 'node')}; expected a machine with more nodes ({option('machine')})",
            path=path,
        )
    return nodes


def _by_number(name: str) -> list[tuple[bool, int, str]]:
    """A sort key by which n2 comes before n10."""
    return [(not part.isdigit(), int(part) if part.isdigit() else 0, part) for part in _BY_NUMBER.split(name)]


def _cores(entry: Entry, machine: Machine, node: int) -> list[int]:
    """The cores (of the whole machine) in `0-2,5`, `1:0-2` (package:cores), `1:*`, or several after `;`."""
    found: set[int] = set()
    here = machine.cores_on(node)
    packages = _packages(machine, here)
    for part in entry.slots.split(";"):
        package, colon, slots = part.rpartition(":")
        if not colon:
            found.update(_of(entry, slots, list(here), f"node {node}"))
            continue
        number = _of(entry, package, list(range(len(packages))), f"node {node}", "packages")[0]
        whole = packages[number]
        found.update(whole if slots == "*" else _of(entry, slots, whole, f"package {number} of node {node}"))
    return sorted(found)


def _packages(machine: Machine, here: range) -> list[list[int]]:
    """The cores of each package of a node; a node without packages in its tree counts as one."""
    level = next((kind.level for kind in machine.objects if kind.name == "package"), machine.node_level)
    groups: dict[int, list[int]] = {}
    group_of_core = machine.group_of_core(level) if level else range(machine.n_cores)
    for core in here:
        groups.setdefault(int(group_of_core[core]), []).append(core)
    return list(groups.values())


def _of(entry: Entry, text: str, objects: list[int], where: str, kind: str = "cores") -> list[int]:
    """The `objects` whose indices are in a list such as 0-2,5."""
    found = []
    for item in text.split(","):
        match = _RANGE.fullmatch(item)
        if match is None:
            raise InputError(
                f"found slot={printable(entry.slots[:40])}; expected cores (0-1,3), or a "
                "package and its cores (1:0-2)",
                path=entry.path,
                line=entry.line,
            )
        first, last = int(match[1]), int(match[2] or match[1])
        if last < first or last >= len(objects):
            raise InputError(
                f"found {item} in slot={printable(entry.slots[:40])}; expected {kind} of "
                f"{where}, 0-{len(objects) - 1}: is the file for another machine, or for "
                "--use-hwthread-cpus?",
                path=entry.path,
                line=entry.line,
            )
        found += objects[first : last + 1]
    return found
