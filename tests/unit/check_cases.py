"""Situations for the tests of checks: recorded hosts, commands as they would be parsed, ranks as seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from corewise.checks.situation import Asked, SeenRank, Situation
from corewise.execute.application import Application
from corewise.execute.host_cpus import HostCpus, of_node, recorded
from corewise.launchers import LAUNCHERS, parse_command
from corewise.launchers.hosts import Host
from corewise.launchers.wrapper import unwrapped
from corewise.machines import load, node_shapes

FIXTURES = Path(__file__).parents[2] / "fixtures"
START = {"hydra": "mpiexec", "openmpi4": "mpirun", "openmpi5": "mpirun", "srun": "srun"}


def plain(n_cores: int = 4) -> HostCpus:
    """A host with one hardware thread a core, numbered in order."""
    return of_node("n0", load(f"synthetic:1:core:{n_cores} pu:1"), 0)


def fixture(path: str) -> HostCpus:
    return recorded("n0", node_shapes.cpus_from_xml(str(FIXTURES / path)))


def asked(launcher: str, words: str, hosts: Sequence[str] = ("n0",), **known) -> Asked:
    """`words` is the command; what stands before the launcher's name are wrappers."""
    argv = [START[launcher] if word == "LAUNCHER" else word for word in words.split()]
    inner = unwrapped(argv)
    command = parse_command(inner, LAUNCHERS[launcher].options)
    named = [Host(name) for name in hosts]
    family = LAUNCHERS[launcher].families[0]
    application = Application(inner, LAUNCHERS[launcher], command, named, "command", family)
    return Asked(application, tuple(argv[: len(argv) - len(inner)]), **known)


def situation(
    host: HostCpus,
    command: Asked | None = None,
    masks: Sequence[set[int]] = (),
    nodes: Sequence[int] | None = None,
    **environment: str,
) -> Situation:
    """Rank i was seen with masks[i] on node nodes[i] (all on the first); every node is like `host`."""
    where = nodes or [0] * len(masks)
    seen = tuple(
        SeenRank(i, node, frozenset(mask)) for i, (mask, node) in enumerate(zip(masks, where, strict=True))
    )
    hosts = [host] + [replace(host, host=f"n{i}") for i in range(1, max(where, default=0) + 1)]
    return Situation(host, environment, command and replace(command, seen=seen), hosts if masks else ())
