"""All launchers, one file each; and functions on their commands that other packages use."""

from __future__ import annotations

from corewise.errors import InputError, did_you_mean
from corewise.launchers import (
    cray_mpich,
    flux,
    hydra,
    intel_mpi,
    openmpi4,
    openmpi5,
    pals,
    srun,
)
from corewise.launchers.command import Command, Program, parse_command
from corewise.launchers.command_semantics import (
    kept_options,
    number_of_hosts,
    number_of_ranks,
    oversubscribes,
    placing_options,
    refuse_choosing_hosts,
    refuse_placing,
    refuse_starting_nothing,
    without_placing,
)
from corewise.launchers.launcher import HostsFrom, Injection, Job, Launcher, inject_unplaced

# Launchers that corewise starts; the tests run and verify them.
LAUNCHERS: dict[str, Launcher] = {
    module.LAUNCHER.name: module.LAUNCHER for module in (hydra, openmpi4, openmpi5, srun)
}

# Launchers for which corewise only writes plans, by their documentation, because they can't be tested here.
EXPORTED: dict[str, Launcher] = {
    module.LAUNCHER.name: module.LAUNCHER for module in (cray_mpich, flux, intel_mpi, pals)
}

__all__ = [
    "EXPORTED",
    "LAUNCHERS",
    "Command",
    "HostsFrom",
    "Injection",
    "Job",
    "Launcher",
    "Program",
    "inject_unplaced",
    "kept_options",
    "launcher",
    "number_of_hosts",
    "number_of_ranks",
    "oversubscribes",
    "parse_command",
    "placing_options",
    "refuse_choosing_hosts",
    "refuse_placing",
    "refuse_starting_nothing",
    "without_placing",
]


def launcher(name: str) -> Launcher:
    """One of LAUNCHERS or EXPORTED; raises InputError with the nearest name."""
    known = LAUNCHERS | EXPORTED
    if name not in known:
        near = did_you_mean(str(name), known)
        raise InputError(f"unknown launcher '{name}'; supported are {', '.join(sorted(known))}{near}")
    return known[name]
