"""Machines by name: `load("draco:16")`. Each preset is a .toml file in this folder."""

from corewise.machines.machine_file import MachineFile
from corewise.machines.node_shapes import HwlocTopology
from corewise.machines.spec import here, load, of_topology, preset, presets, without_count

__all__ = [
    "HwlocTopology",
    "MachineFile",
    "here",
    "load",
    "of_topology",
    "preset",
    "presets",
    "without_count",
]
