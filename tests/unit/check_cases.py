"""Situations for the tests of checks: recorded hosts, parsed commands, and the masks of ranks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from corewise.checks.situation import AskedCommand, Situation, StartedRank, programs_of
from corewise.launchers import LAUNCHERS, HostsFrom, parse_command
from corewise.launchers.hosts import Host
from corewise.launchers.wrapper import unwrapped
from corewise.machines import load
from corewise.machines.hwloc_xml import read_xml
from corewise.model import read_cpus_xml
from corewise.observe.host_cpus import HostCpus, of_node, recorded
from corewise.start.application import Application
from corewise.start.program_file import ProgramFile

FIXTURES = Path(__file__).parents[2] / "fixtures"


def plain(n_cores: int = 4) -> HostCpus:
    """A host with one hardware thread per core, numbered in order."""
    return of_node("n0", load(f"synthetic:1:core:{n_cores} pu:1"), 0)


def fixture(path: str) -> HostCpus:
    return recorded("n0", read_cpus_xml(read_xml(FIXTURES / path), path))


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
