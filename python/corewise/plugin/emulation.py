"""For emulated runs: a machine's nodes as network namespaces, and programs that run there."""

from corewise.simulation.emulate import emulation_notes, size_for
from corewise.simulation.emulated_nodes import (
    EmulatedNodes,
    EmulatedProgram,
    as_emulated,
    emulated_nodes,
    link_rate,
)

__all__ = [
    "EmulatedNodes",
    "EmulatedProgram",
    "as_emulated",
    "emulated_nodes",
    "emulation_notes",
    "link_rate",
    "size_for",
]
