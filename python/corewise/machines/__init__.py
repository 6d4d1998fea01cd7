"""Machines by name: `load("draco:16")`; every preset is one .toml file of this folder."""

from corewise.machines.machine_file import MachineFile
from corewise.machines.spec import here, load, preset, presets, without_count

__all__ = ["MachineFile", "here", "load", "preset", "presets", "without_count"]
