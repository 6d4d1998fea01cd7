"""Emulation: the real program on network namespaces as nodes, with links as slow as the machine's."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from corewise.clusters.kind import MOST_NODES
from corewise.errors import InputError, option
from corewise.model import Machine
from corewise.nouns.placement import Placement
from corewise.nouns.run import Run
from corewise.observe.preconditions import MOST_RANKS_PER_PU
from corewise.observe.repeats import Limits, Series, run_repeats
from corewise.simulation.emulated_nodes import EmulatedNodes, EmulatedProgram, emulated_nodes, link_rate
from corewise.simulation.engine import Engine, Simulation, SimulationRequest
from corewise.start.folder import working_directory
from corewise.start.streams import Streams
from corewise.text.quantities import counted, rate_bits_text, seconds_text


def emulate(request: SimulationRequest) -> Simulation:
    """Runs the program under every placement in turn; raises InputError, MissingError or WrongHost.

    Only the nodes of ranks are emulated: all nodes share this machine's cores, and ranks are not bound.
    """
    if request.mpi_library is not None:
        raise InputError(
            f"{option('mpi', request.mpi_library)}; an emulated program runs with the MPI that it was built "
            "with: leave the option out"
        )
    if request.compute_factor != 1:
        raise InputError(
            f"{option('compute-factor', request.compute_factor)}; an emulated program computes as fast as "
            "this host does: expected 1"
        )
    rate = link_rate(request.machine)
    n_nodes, slots = size_for(request.placements.values())
    streams = Streams(stdin=subprocess.DEVNULL, stdout=request.output)
    program = EmulatedProgram.of(request.command, streams=streams)
    with emulated_nodes(n_nodes, slots, rate) as nodes, working_directory() as folder:
        series = [Series(label, file) for label, file in request.placements.items()]
        limits = Limits(request.timeout_s, n_rounds=request.n_repeats)
        starter = _Starter(nodes, program, request.timeout_s)
        repeats = run_repeats(starter, series, folder, limits, lambda _: False, request.say)
    if repeats.interrupted:
        raise KeyboardInterrupt
    return Simulation(repeats.runs, emulation_notes(request.machine, n_nodes, rate))


def size_for(placements: Iterable[Placement]) -> tuple[int, int]:
    """The number of nodes for all of these placements, and the most ranks on one; raises InputError."""
    files = list(placements)
    n_nodes = max(max(file.node) for file in files) + 1
    n_ranks = max(file.n_ranks for file in files)
    n_pus = len(os.sched_getaffinity(0))
    if n_nodes > MOST_NODES:
        raise InputError(f"found ranks on {n_nodes} nodes; emulation has at most {MOST_NODES}")
    if n_ranks > MOST_RANKS_PER_PU * n_pus:
        raise InputError(
            f"found {n_ranks} ranks, which would share {counted(n_pus, 'hardware thread')} here; expected "
            f"at most {MOST_RANKS_PER_PU * n_pus}"
        )
    return n_nodes, max(file.node.count(node) for file in files for node in set(file.node))


@dataclass(frozen=True)
class _Starter:
    """Runs the program once under the placement of a series."""

    nodes: EmulatedNodes
    program: EmulatedProgram
    timeout_s: float

    def __call__(self, series: Series, place: Path) -> Run:
        assert series.wanted is not None
        return self.nodes.run(series.label, series.wanted, self.program, place, self.timeout_s)


def emulation_notes(machine: Machine, n_nodes: int, rate_bits_per_s: float) -> list[str]:
    """Full sentences on what the times are valid for."""
    level = machine.levels[-1]
    n_pus = len(os.sched_getaffinity(0))
    return [
        f"Emulated: {counted(n_nodes, 'node')} on this machine, each link limited to "
        f"{rate_bits_text(rate_bits_per_s)} in either direction, {machine.name}'s bandwidth and the headers. "
        f"Its latency, {seconds_text(level.latency_s)}, is not emulated.",
        f"All ranks share {counted(n_pus, 'hardware thread')} here and are not bound: a rank's node counts "
        "in these times, its core doesn't, and what the program computes takes as long as it does here.",
    ]


EMULATE = Engine(
    name="emulate",
    sentence="the real program on namespaces as nodes, their links limited to the machine's bandwidth",
    source="emulated",
    run=emulate,
    takes=("program",),
    n_repeats=3,
)
