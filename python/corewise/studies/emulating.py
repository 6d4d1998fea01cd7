"""Emulated: a study's program on namespace nodes whose links have a machine's rates, one run after another.

Everything that a run needs is made once for each case and stays in the study's folder, so that a study that
was interrupted goes on with the same inputs and placements.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from corewise import machines
from corewise.errors import CorewiseError, InputError, MissingError
from corewise.execute.folder import working_directory
from corewise.execute.streams import Streams
from corewise.files.placement import PlacementFile, read_placement
from corewise.files.run import Run
from corewise.files.whole_file import write_whole
from corewise.mapping.request import Request
from corewise.mapping.solve import solve
from corewise.profile.inputs import read_input
from corewise.simulate.emulate import emulation_notes, size_for
from corewise.simulate.emulated_nodes import (
    EmulatedNodes,
    EmulatedProgram,
    as_emulated,
    emulated_nodes,
    link_rate,
)
from corewise.statistics import Interval
from corewise.studies.emulated_runs import AXES, Cell, EmulatedRuns, EmulatedScale, case_name
from corewise.studies.study_file import Study
from corewise.sweep.grid import Configuration
from corewise.sweep.results import SweepResult, write_results
from corewise.sweep.running import Say, Start, run_sweep
from corewise.sweep.spec import SweepSpec

if TYPE_CHECKING:
    from corewise.model import Machine


class TracedRunFailed(CorewiseError):
    """The run that placements are found from didn't end well: the answer is "no"."""

    exit_code = 1


@dataclass(frozen=True)
class Case:
    """A cell at a size: its machine, the folder of its files, and its placements by label."""

    cell: Cell
    size: int
    machine: Machine
    folder: Path
    placements: dict[str, PlacementFile] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return case_name(self.cell, self.size)

    @property
    def work(self) -> Path:
        """Where the program starts."""
        return self.folder / "work"


@dataclass(frozen=True)
class Emulated:
    """What ran: `program` is its path; estimates are in s."""

    program: str
    cases: list[Case]
    sweep: SweepResult

    @property
    def estimates(self) -> dict[tuple[str, str], Interval]:
        """By case and placement; those without a run that ended well are left out."""
        return {
            (row.configuration.values["case"], row.configuration.values["placement"]): row.interval
            for row in self.sweep.rows
            if row.interval
        }

    @property
    def n_samples(self) -> dict[tuple[str, str], int]:
        """Runs that count and ended well, by case and placement."""
        return {
            (row.configuration.values["case"], row.configuration.values["placement"]): len(row.samples)
            for row in self.sweep.rows
        }

    @property
    def notes(self) -> list[str]:
        """What the times hold for, once for each machine."""
        by_machine = {case.cell.machine: case.machine for case in self.cases}
        found = [
            sentence
            for machine in by_machine.values()
            for sentence in emulation_notes(machine, machine.n_nodes, link_rate(machine))
        ]
        return list(dict.fromkeys(found))


def emulate_study(
    study: Study,
    scale: EmulatedScale,
    folder: Path,
    program: str | None,
    say: Say,
    tell: Callable[[str], None],
) -> Emulated:
    """Runs the study's cases, or what is left of them; `program` is the user's own, None builds the study's.

    Raises MissingError where the program or the nodes can't be had here, TracedRunFailed, and what a wrong
    placement raises.
    """
    runs = study.emulated
    if program is None:
        tell(f"building {runs.build}")
    path = built(runs.build) if program is None else _found(program)
    cases = [_case(cell, size, folder) for cell in runs.cells for size in scale.sizes]
    with _Clusters(runs, path) as clusters:
        for case in cases:
            tell(f"tracing {case.name}")
            _prepare(runs, case, clusters)
        grid = [
            Configuration({"case": case.name, "placement": label}, [path], runs.environment)
            for case in cases
            for label in runs.placements
        ]
        spec = _spec(study, scale, grid)
        records = run_sweep(spec, grid, folder / "runs", say, _start_in(clusters, cases))
    return Emulated(path, cases, write_results(spec, grid, records, folder / "runs"))


def _spec(study: Study, scale: EmulatedScale, grid: list[Configuration]) -> SweepSpec:
    """The sweep around the grid, which stands by itself."""
    return SweepSpec(
        name=study.name,
        command=[],
        axes={axis: {entry.values[axis]: [entry.values[axis]] for entry in grid} for axis in AXES},
        group_by="case",
        measure=study.emulated.measure,
        protocol=scale.protocol,
        figures=study.figures,
        source="emulated",
    )


def built(name: str) -> str:
    """The path of the program that the lab's script `name` makes; raises MissingError with its reason."""
    script = str(resources.files("corewise") / "lab" / name / "build")
    done = subprocess.run([script], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        said = done.stderr.strip().splitlines()
        raise MissingError(said[-1] if said else f"{script} ended with exit code {done.returncode}")
    return done.stdout.strip()


def dealt(machine: Machine, nodes_at_once: int) -> PlacementFile:
    """A rank on each core: dealt round so many nodes until these are full, then round the next ones.

    Raises InputError where the machine's nodes can't be divided so, or are not alike.
    """
    from corewise.model import Placement

    per_node = machine.n_cores // machine.n_nodes
    if machine.n_nodes % nodes_at_once or per_node * machine.n_nodes != machine.n_cores:
        raise InputError(
            f"{machine.name} has {machine.n_nodes} nodes with {machine.n_cores} cores; expected equal nodes, "
            f"as many as a multiple of {nodes_at_once}"
        )
    cores = []
    for rank in range(machine.n_cores):
        group, place = divmod(rank, nodes_at_once * per_node)
        core, node = divmod(place, nodes_at_once)
        cores.append(machine.core_at(group * nodes_at_once + node, core))
    return PlacementFile.of(Placement.from_cores(cores), machine)


@dataclass
class _Clusters(AbstractContextManager):
    """Runs the program on each machine's nodes, which are made when first needed and end with the block."""

    runs: EmulatedRuns
    path: str
    up: dict[str, EmulatedNodes] = field(default_factory=dict)
    stack: ExitStack = field(default_factory=ExitStack)

    def __enter__(self) -> _Clusters:
        self.places = self.stack.enter_context(working_directory())
        return self

    def __exit__(self, *error) -> None:
        self.stack.close()

    def run(
        self, case: Case, label: str, streams: Streams, timeout_s: float, profile: Path | None = None
    ) -> Run:
        """Runs a case once under one of its placements; `profile` is where its profile goes, if anywhere."""
        program = EmulatedProgram.of(
            [self.path], directory=case.work, environment=self.runs.environment, streams=streams
        )
        place, keeps = self.places / "run", profile is not None
        run = self._nodes(case).run(label, case.placements[label], program, place, timeout_s, keeps)
        if keeps:
            if run.exit_code == 0:
                shutil.move(place / "profile", profile)
            shutil.rmtree(place)
        return run

    def _nodes(self, case: Case) -> EmulatedNodes:
        if case.cell.machine not in self.up:
            n_nodes, slots = size_for(case.placements.values())
            nodes = emulated_nodes(n_nodes, slots, link_rate(case.machine))
            self.up[case.cell.machine] = self.stack.enter_context(nodes)
        return self.up[case.cell.machine]


def _found(program: str) -> str:
    path = shutil.which(program)
    if path is None:
        raise MissingError(f"program '{program}' was not found; give its path")
    return str(Path(path).absolute())


def _case(cell: Cell, size: int, folder: Path) -> Case:
    name = re.sub(r"[^A-Za-z0-9]+", "-", case_name(cell, size)).strip("-")
    return Case(cell, size, machines.load(cell.machine), folder / "cases" / name)


def _prepare(runs: EmulatedRuns, case: Case, clusters: _Clusters) -> None:
    """Writes the program's files and finds all placements, those of an earlier call where they are there."""
    case.work.mkdir(parents=True, exist_ok=True)
    values = case.cell.values | {"size": str(case.size)}
    for name, text in runs.files.items():
        write_whole(case.work / name, text.format(**values))
    for label, nodes_at_once in case.cell.nodes_at_once.items():
        case.placements[label] = dealt(case.machine, nodes_at_once)
        case.placements[label].write(case.folder / f"{label}.json")
    for label, asked in runs.mapped.items():
        path = case.folder / f"{label}.json"
        if not path.exists():
            request = Request(objective=asked.objective, solver=asked.solver)
            found = read_input(str(_traced(runs, case, clusters)))
            solve(found, as_emulated(case.machine), request).file().write(path)
        case.placements[label] = read_placement(path)


def _traced(runs: EmulatedRuns, case: Case, clusters: _Clusters) -> Path:
    """The profile of a run under the baseline; what it printed lies beside it."""
    profile, log = case.folder / "profile", case.folder / "traced.txt"
    if not profile.exists():
        with open(log, "w") as printed:
            streams = Streams(subprocess.DEVNULL, printed, printed)
            run = clusters.run(case, runs.baseline, streams, runs.full.protocol.timeout_s, profile)
        if run.exit_code != 0:
            raise TracedRunFailed(
                f"{case.name}: the run to be traced ended with exit code {run.exit_code}; what it printed is "
                f"in {log}"
            )
    return profile


def _start_in(clusters: _Clusters, cases: list[Case]) -> Start:
    """Starts a configuration: its case's program under its placement."""
    by_name = {case.name: case for case in cases}

    def start(configuration: Configuration, streams: Streams, timeout_s: float) -> tuple[int, float]:
        values = configuration.values
        run = clusters.run(by_name[values["case"]], values["placement"], streams, timeout_s)
        return run.exit_code, run.wall_s

    return start
