"""Writes the head of a steering log, with a node's cores, for the library in the job (FORMATS.md)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from corewise.errors import InputError

if TYPE_CHECKING:
    from corewise.model import Machine

LOG_FIRST_LINE = "corewise-steer-log 1"
MOST_CORES = 1024  # limits in formats/include/corewise_formats/steer.h
MOST_PUS = 8  # per core


def steer_settings_text(machine: Machine, settings: Mapping[str, int]) -> str:
    """The head of a steering log: the settings, and the cores of this machine's first node.

    `settings` are those that differ from the defaults (preload/steer/settings.def). Raises as core_lines()
    does.
    """
    cores = "".join(f"{line}\n" for line in core_lines(machine))
    chosen = "".join(f" {name}={value}" for name, value in settings.items())
    return f"{LOG_FIRST_LINE}\n{cores}settings{chosen}\n"


def core_lines(machine: Machine, node: int = 0) -> list[str]:
    """A line for each core of a node (logical, on the node), with os_index of its PUs.

    Caches are shared caches, the innermost first. All cores have capability 1000, because a Machine has no
    speeds of cores. Raises InputError for a machine without OS indices, and for more cores or PUs per core
    than a log allows.
    """
    if not machine.has_os_indices:
        raise InputError(f"{machine.name} has no OS indices; expected a real machine (local, or hwloc XML)")
    cores = machine.cores_on(node)
    if len(cores) > MOST_CORES or max(len(machine.os_pus(core)) for core in cores) > MOST_PUS:
        raise InputError(
            f"node {node} of {machine.name} has {len(cores)} cores, or a core with more than {MOST_PUS} PUs; "
            f"expected at most {MOST_CORES} cores with {MOST_PUS} PUs each"
        )
    caches = [_groups(machine, level, cores) for level in _levels(machine, r"l\d\w?")]
    numa, package = (_only(machine, name, cores) for name in ("numa", "package"))
    lines = []
    for index, core in enumerate(cores):
        pus = ",".join(map(str, machine.os_pus(core)))
        shared = ",".join(str(groups[index]) for groups in caches)
        lines.append(
            f"core id={index} pus={pus}{f' caches={shared}' if shared else ''} numa={numa[index]} "
            f"package={package[index]} capability=1000"
        )
    return lines


def _levels(machine: Machine, name: str) -> list[int]:
    """Levels within the node with a matching name, including names of merged levels; innermost first."""
    inside = enumerate(machine.levels[: machine.node_level], start=1)
    return [number for number, level in inside if any(re.fullmatch(name, found) for found in level.names)]


def _groups(machine: Machine, level: int, cores: range) -> list[int]:
    """[core on the node] the index on the node of its object at `level`."""
    numbers: dict[int, int] = {}
    return [numbers.setdefault(machine.group(level, core), len(numbers)) for core in cores]


def _only(machine: Machine, name: str, cores: range) -> list[int]:
    """[core on the node] its object of level `name`; 0 without such a level."""
    levels = _levels(machine, name)
    return _groups(machine, levels[0], cores) if levels else [0] * len(cores)
