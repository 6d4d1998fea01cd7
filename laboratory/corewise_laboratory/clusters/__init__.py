"""Emulated clusters and virtual machines for `corewise lab`, one file per kind."""

from __future__ import annotations

from corewise.clusters.kind import ClusterSpec, Kind
from corewise.clusters.netns import NETNS
from corewise.errors import InputError, did_you_mean

from corewise_laboratory.clusters.numa_vm import NUMA_VM
from corewise_laboratory.clusters.slurm import SLURM

__all__ = ["KINDS", "ClusterSpec", "Kind", "kind_named"]

# Sorted by name.
KINDS: dict[str, Kind] = {kind.name: kind for kind in (NETNS, NUMA_VM, SLURM)}


def kind_named(name: str) -> Kind:
    """The kind with this name; raises InputError, which suggests a similar name."""
    if name not in KINDS:
        raise InputError(
            f"the lab has no kind '{name}' (it has {', '.join(KINDS)}){did_you_mean(name, KINDS)}"
        )
    return KINDS[name]
