"""Machines by name: `load("draco:16")`. Each preset is a .toml file in this folder."""

from corewise.machines.machine_file import MachineFile
from corewise.machines.spec import MachineLike, here, load, machine_like, preset, presets, without_count

__all__ = [
    "MachineFile",
    "MachineLike",
    "here",
    "load",
    "machine_like",
    "preset",
    "presets",
    "without_count",
]
