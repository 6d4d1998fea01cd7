"""Executes emulated runs: a program on nodes in network namespaces, with the link rates of a machine."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

from corewise import Run
from corewise.errors import MissingError
from corewise.plugin.emulation import (
    EmulatedNodes,
    EmulatedProgram,
    emulated_nodes,
    emulation_notes,
    link_rate,
    size_for,
)
from corewise.plugin.execution import Streams, load_now, private_folder
from corewise.statistics import Interval

from corewise_laboratory.studies.emulated_cases import EmulatedCase, case_of, prepare
from corewise_laboratory.studies.emulated_runs import AXES, EmulatedRuns, EmulatedScale
from corewise_laboratory.sweep.grid import Configuration
from corewise_laboratory.sweep.results import SweepResult, write_results
from corewise_laboratory.sweep.running import Say, Start, run_sweep
from corewise_laboratory.sweep.spec import SweepSpec


@dataclass(frozen=True)
class Emulated:
    """Results; `program` is its path, estimates are in s."""

    program: str
    cases: list[EmulatedCase]
    sweep: SweepResult

    @property
    def estimates(self) -> dict[tuple[str, str], Interval]:
        """The times by case and placement; without those that have no successful run."""
        return {
            (row.configuration.values["case"], row.configuration.values["placement"]): row.interval
            for row in self.sweep.rows
            if row.interval
        }

    @property
    def n_samples(self) -> dict[tuple[str, str], int]:
        """Numbers of successful runs without warm-ups, by case and placement."""
        return {
            (row.configuration.values["case"], row.configuration.values["placement"]): len(row.samples)
            for row in self.sweep.rows
        }

    @property
    def notes(self) -> list[str]:
        """Sentences on the validity of the times, once for each machine."""
        by_machine = {case.cell.machine: case.machine for case in self.cases}
        found = [
            sentence
            for machine in by_machine.values()
            for sentence in emulation_notes(machine, machine.n_nodes, link_rate(machine))
        ]
        return list(dict.fromkeys(found))


def emulate_cases(
    name: str,
    runs: EmulatedRuns,
    scale: EmulatedScale,
    folder: Path,
    program: str | None,
    say: Say,
    tell: Callable[[str], None],
) -> Emulated:
    """Runs all cases, or continues after an interrupt; `program` None builds the program.

    `name` is the study's. Raises MissingError without the program or nodes, TracedRunFailed, and errors of
    wrong placements.
    """
    if program is None:
        tell(f"building {runs.build}")
    path = built(runs.build) if program is None else _found(program)
    cases = [case_of(cell, size, folder) for cell in runs.cells for size in scale.sizes]
    with _Clusters(runs, path, folder) as clusters:
        for case in cases:
            tell(f"tracing {case.name}")
            prepare(runs, case, clusters.run)
        grid = [
            Configuration({"case": case.name, "placement": label}, [path], runs.environment)
            for case in cases
            for label in runs.placements
        ]
        spec = _spec(name, runs, scale, grid)
        load = load_now()
        records = run_sweep(spec, grid, folder / "runs", say, _start_in(clusters, cases))
    return Emulated(path, cases, write_results(spec, grid, records, folder / "runs", load))


def _spec(name: str, runs: EmulatedRuns, scale: EmulatedScale, grid: list[Configuration]) -> SweepSpec:
    """The sweep for this grid, whose configurations already have commands."""
    return SweepSpec(
        name=name,
        command=[],
        axes={axis: {entry.values[axis]: [entry.values[axis]] for entry in grid} for axis in AXES},
        group_by="case",
        measure=runs.measure,
        protocol=scale.protocol,
        source="emulated",
    )


def built(name: str) -> str:
    """Builds a program with the script `name`/build, and returns its path; raises MissingError."""
    script = str(resources.files("corewise_laboratory") / name / "build")
    try:
        done = subprocess.run([script], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    except OSError as error:
        raise MissingError(f"{script} could not be started ({error.strerror})") from error
    if done.returncode != 0:
        said = done.stderr.strip().splitlines()
        raise MissingError(said[-1] if said else f"{script} ended with exit code {done.returncode}")
    return done.stdout.strip()


@dataclass
class _Clusters(AbstractContextManager[Any]):
    """Runs the program on nodes of each machine, which are created at first use and end with the block."""

    runs: EmulatedRuns
    path: str
    folder: Path
    up: dict[str, EmulatedNodes] = field(default_factory=dict)
    stack: ExitStack = field(default_factory=ExitStack)

    def __enter__(self) -> _Clusters:
        self.folder.mkdir(parents=True, exist_ok=True)
        self.places = self.stack.enter_context(private_folder(self.folder))
        return self

    def __exit__(self, *error: object) -> None:
        self.stack.close()

    def run(
        self, case: EmulatedCase, label: str, streams: Streams, timeout_s: float, profile: Path | None = None
    ) -> Run:
        """Runs a case under a placement; see RunCase."""
        program = EmulatedProgram.of(
            [self.path], directory=case.work, environment=self.runs.environment, streams=streams
        )
        place, keeps = self.places / "run", profile is not None
        run = self._nodes(case).run(label, case.placements[label], program, place, timeout_s, keeps)
        if profile is not None:
            if run.exit_code == 0:
                shutil.move(place / "profile", profile)
            shutil.rmtree(place)
        return run

    def _nodes(self, case: EmulatedCase) -> EmulatedNodes:
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


def _start_in(clusters: _Clusters, cases: list[EmulatedCase]) -> Start:
    """A function that starts a configuration: its case with its placement."""
    by_name = {case.name: case for case in cases}

    def start(configuration: Configuration, streams: Streams, timeout_s: float) -> tuple[int, float]:
        values = configuration.values
        run = clusters.run(by_name[values["case"]], values["placement"], streams, timeout_s)
        return run.exit_code, run.wall_s

    return start
