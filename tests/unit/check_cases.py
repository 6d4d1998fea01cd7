"""Situations for the tests of checks: recorded hosts, parsed commands, and the masks of ranks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from corewise.checks.situation import AskedCommand, Situation, StartedRank, programs_of
from corewise.files.document import read_toml
from corewise.launchers import LAUNCHERS, HostsFrom, parse_command
from corewise.launchers.hosts import Host, host_list
from corewise.launchers.options import VARIABLE, SetParameter
from corewise.launchers.wrapper import unwrapped
from corewise.machines import load
from corewise.machines.node_shapes import read_xml
from corewise.model import read_cpus_xml
from corewise.observe.host_cpus import HostCpus, of_node, recorded
from corewise.start.application import Application
from corewise.start.program_file import ProgramFile
from corewise.text.quantities import indices_of

ROOT = Path(__file__).parents[2]


def plain(n_cores: int = 4) -> HostCpus:
    """A host with one hardware thread per core, numbered in order."""
    return of_node("n0", load(f"synthetic:1:core:{n_cores} pu:1"), 0)


def fixture(path: str) -> HostCpus:
    return recorded("n0", read_cpus_xml(read_xml(ROOT / "fixtures" / path), path))


HOSTS = {
    "cpuset": replace(plain(8), allowed=frozenset({2, 3}), affinity=frozenset({2, 3})),
    "hybrid": fixture("topologies/core-kinds.xml"),  # fast: {0,1}, {8,9}; slow: 16, 18, 20, 22
    "offline": fixture("affinity/offline.xml"),  # 6, 7, 14 and 15 of 16 are offline
    "smt": fixture("topologies/smt-interleaved.xml"),  # core c has the hardware threads c and c + 8
    "taskset": replace(plain(), affinity=frozenset({1})),
}


def asked(
    launcher: str,
    words: str,
    hosts: Sequence[str | Host] = ("n0",),
    files: Sequence[ProgramFile] = (),
    hosts_from: HostsFrom = "command",
    **known,
) -> AskedCommand:
    """Parses the command `words`; the words before the launcher are wrappers.

    `files` describes its programs.
    """
    argv = [LAUNCHERS[launcher].executables[0] if word == "LAUNCHER" else word for word in words.split()]
    inner = unwrapped(argv)
    command = parse_command(inner, LAUNCHERS[launcher].options)
    named = [Host(name) if isinstance(name, str) else name for name in hosts]
    family = LAUNCHERS[launcher].families[0]
    application = Application(inner, LAUNCHERS[launcher], command, named, hosts_from, family)
    found = files or [ProgramFile(family)] * len(command.programs)
    return AskedCommand(
        application,
        programs_of(application, {}, found),
        tuple(argv[: len(argv) - len(inner)]),
        **known,
    )


def situation(
    host: HostCpus,
    command: AskedCommand | None = None,
    masks: Sequence[set[int]] = (),
    nodes: Sequence[int] | None = None,
    **environment: str,
) -> Situation:
    """Rank i had the mask masks[i] on node nodes[i], by default the first. Every node is like `host`."""
    where = nodes or [0] * len(masks)
    seen = tuple(
        StartedRank(i, node, frozenset(mask)) for i, (mask, node) in enumerate(zip(masks, where, strict=True))
    )
    hosts = [host] + [replace(host, host=f"n{i}") for i in range(1, max(where, default=0) + 1)]
    if command is None:
        return Situation(host, environment)
    programs = programs_of(command.application, environment, [one.file for one in command.programs])
    command = replace(command, seen=seen, programs=programs)
    return Situation(host, environment, command, hosts if masks else ())


def recorded_cases(kind: str) -> list[dict[str, Any]]:
    """The cases of this kind ("trap" or "clean") in tests/golden/checks/cases.toml."""
    return read_toml(ROOT / "tests/golden/checks/cases.toml", "cases").values[kind]


def situation_of(case: dict[str, Any]) -> Situation:
    """The situation of a recorded case."""
    known = dict(case)
    host = known["host"]
    host = plain(host) if isinstance(host, int) else HOSTS[host]
    environment = known.get("environment", {})
    if "command" not in known:
        return situation(host, **environment)
    as_read = {
        "files": lambda files: [ProgramFile(**file) for file in files],
        "host_lines": _hosts,
        "hosts": _hosts,
        "mask_before": indices_of,
        "parameters": lambda rows: tuple(_parameter(*row) for row in rows),
        "rankfile": lambda text: ("ranks.txt", text),
    }
    others = {"check", "name", "host", "launcher", "command", "masks", "nodes", "environment"}
    facts = {key: as_read.get(key, lambda value: value)(known[key]) for key in known.keys() - others}
    masks = [set(indices_of(mask)) for mask in known.get("masks", "").split()]
    command = asked(known["launcher"], known["command"], **facts)
    return situation(host, command, masks, known.get("nodes"), **environment)


def _hosts(text: str) -> tuple[Host, ...]:
    return tuple(host_list(text.replace(" ", ",")))


def _parameter(name: str, value: str, project: str, origin: str = "") -> SetParameter:
    return SetParameter(name, value, project, origin or f"{VARIABLE[project]}{name}")
