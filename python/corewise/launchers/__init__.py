"""Launchers: one file each, one line here, sorted by name."""

from __future__ import annotations

from corewise.errors import InputError, did_you_mean
from corewise.launchers import hydra, openmpi4, openmpi5, srun
from corewise.launchers.command import Command, Program, parse_command
from corewise.launchers.launcher import HostsFrom, Injection, Job, Launcher, inject_unplaced
from corewise.launchers.meaning import (
    number_of_hosts,
    number_of_ranks,
    oversubscribes,
    placing_options,
    refuse_choosing_hosts,
    refuse_placing,
    refuse_several_programs,
    refuse_starting_nothing,
    without_placing,
)

LAUNCHERS: dict[str, Launcher] = {
    module.LAUNCHER.name: module.LAUNCHER for module in (hydra, openmpi4, openmpi5, srun)
}

__all__ = [
    "LAUNCHERS",
    "Command",
    "HostsFrom",
    "Injection",
    "Job",
    "Launcher",
    "Program",
    "inject_unplaced",
    "launcher",
    "number_of_hosts",
    "number_of_ranks",
    "oversubscribes",
    "parse_command",
    "placing_options",
    "refuse_choosing_hosts",
    "refuse_placing",
    "refuse_several_programs",
    "refuse_starting_nothing",
    "without_placing",
]


def launcher(name: str) -> Launcher:
    """Raises InputError with the nearest name."""
    if name not in LAUNCHERS:
        near = did_you_mean(name, LAUNCHERS)
        raise InputError(f"there is no launcher '{name}' (there are {', '.join(LAUNCHERS)}){near}")
    return LAUNCHERS[name]
