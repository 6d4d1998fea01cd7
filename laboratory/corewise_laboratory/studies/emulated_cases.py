"""The cases of an emulated study: input files and placements for a cell (machine and values) and a size.

They stay in the study's folder, so that an interrupted study continues with the same.
"""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import corewise
from corewise import Placement, Run
from corewise.errors import InputError, RunError
from corewise.plugin.documents import write_whole
from corewise.plugin.emulation import as_emulated
from corewise.plugin.execution import Streams

from corewise_laboratory.studies.emulated_runs import Cell, EmulatedRuns, case_name

if TYPE_CHECKING:
    from corewise import Machine


class TracedRunFailed(RunError):
    """The traced run, from which placements are computed, failed."""


@dataclass(frozen=True)
class EmulatedCase:
    """A cell and a size, with the folder of its files, and its placements by label."""

    cell: Cell
    size: int
    machine: Machine
    folder: Path
    placements: dict[str, Placement] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return case_name(self.cell, self.size)

    @property
    def work(self) -> Path:
        """The program's working directory."""
        return self.folder / "work"


class RunCase(Protocol):
    """Runs a case once with a placement; writes the profile to `profile`, if given."""

    def __call__(
        self, case: EmulatedCase, label: str, streams: Streams, timeout_s: float, profile: Path | None = None
    ) -> Run: ...


def case_of(cell: Cell, size: int, folder: Path) -> EmulatedCase:
    """A case whose files don't exist yet; `folder` is the study's."""
    name = re.sub(r"[^A-Za-z0-9]+", "-", case_name(cell, size)).strip("-")
    return EmulatedCase(cell, size, corewise.machine(cell.machine), folder / "cases" / name)


def prepare(runs: EmulatedRuns, case: EmulatedCase, run_case: RunCase) -> None:
    """Writes the program's input files and computes the placements that no earlier call computed.

    Raises TracedRunFailed, and InputError as dealt() does.
    """
    case.work.mkdir(parents=True, exist_ok=True)
    for name, text in runs.files_for(case.cell, case.size).items():
        write_whole(case.work / name, text)
    for label, nodes_at_once in case.cell.nodes_at_once.items():
        case.placements[label] = dealt(case.machine, nodes_at_once)
        case.placements[label].write(case.folder / f"{label}.json")
    for label, asked in runs.mapped.items():
        path = case.folder / f"{label}.json"
        if not path.exists():
            traced, machine = _traced(runs, case, run_case), as_emulated(case.machine)
            found = corewise.map(traced, machine, objective=asked.objective, solver=asked.solver)
            found.placement.write(path)
        case.placements[label] = Placement.read(path)


def _traced(runs: EmulatedRuns, case: EmulatedCase, run_case: RunCase) -> Path:
    """The profile of a run with the baseline placement; its output is in a file next to it."""
    profile, log = case.folder / "profile", case.folder / "traced.txt"
    if not profile.exists():
        with open(log, "w") as printed:
            streams = Streams(subprocess.DEVNULL, printed, printed)
            run = run_case(case, runs.baseline, streams, runs.full.protocol.timeout_s, profile)
        if run.exit_code != 0:
            raise TracedRunFailed(
                f"{case.name}: the run to be traced ended with exit code {run.exit_code}; what it printed is "
                f"in {log}"
            )
    return profile


def dealt(machine: Machine, nodes_at_once: int) -> Placement:
    """Fills the first `nodes_at_once` nodes with ranks in turn (round robin), then the next ones, and so on.

    Raises InputError if their number is no multiple of `nodes_at_once`, or they are not equal.
    """
    from corewise.model import Assignment

    per_node = machine.n_cores // machine.n_nodes
    if machine.n_nodes % nodes_at_once or per_node * machine.n_nodes != machine.n_cores:
        raise InputError(
            f"{machine.name} has {machine.n_nodes} nodes with {machine.n_cores} cores; expected equal nodes, "
            f"a multiple of {nodes_at_once}"
        )
    cores = []
    for rank in range(machine.n_cores):
        group, place = divmod(rank, nodes_at_once * per_node)
        core, node = divmod(place, nodes_at_once)
        cores.append(machine.core_at(group * nodes_at_once + node, core))
    return Placement.of(Assignment.from_cores(cores), machine)
