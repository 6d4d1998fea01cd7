"""The register of batch systems, and the launchers that know their jobs."""

from __future__ import annotations

from corewise.batch.systems import SYSTEMS, BatchSystem, JobRequest
from corewise.errors import InputError, did_you_mean, option
from corewise.launchers import EXPORTED, LAUNCHERS, Launcher, launcher

BATCH_SYSTEMS: dict[str, BatchSystem] = {system.name: system for system in SYSTEMS}

__all__ = ["BATCH_SYSTEMS", "BatchSystem", "JobRequest", "batch_system", "launcher_in"]


def batch_system(name: str) -> BatchSystem:
    """One of BATCH_SYSTEMS; raises InputError with the nearest name."""
    if name not in BATCH_SYSTEMS:
        near = did_you_mean(str(name), BATCH_SYSTEMS)
        raise InputError(f"unknown batch system '{name}' (known: {', '.join(BATCH_SYSTEMS)}){near}")
    return BATCH_SYSTEMS[name]


def launcher_in(system: BatchSystem, name: str | None) -> Launcher:
    """The launcher of that name, or the system's own; raises InputError if it doesn't know such jobs."""
    found = launcher(name or system.launcher)
    if system.hosts not in found.allocations:
        known = [one.name for one in (LAUNCHERS | EXPORTED).values() if system.hosts in one.allocations]
        raise InputError(
            f"{found.name} doesn't read the hosts of a job of {system.name}; expected "
            f"{' or '.join(sorted(known))} ({option('for', keyword='launcher')})"
        )
    return found
