"""Emulated runs: a program on nodes in network namespaces with a machine's link rates, under placements.

Input files, placements and the numbers of runs stay in the study's folder, so that an interrupted study
continues with the same.
"""

from __future__ import annotations

import itertools
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Any, ClassVar

import corewise
from corewise import Placement
from corewise.errors import InputError, MissingError, RunError
from corewise.files.whole_file import write_whole
from corewise.model import Assignment, Machine
from corewise.simulation.emulate import emulation_notes, size_for
from corewise.simulation.emulated_nodes import (
    EmulatedNodes,
    EmulatedProgram,
    as_emulated,
    emulated_nodes,
    link_rate,
)
from corewise.start.folder import private_folder
from corewise.start.streams import Streams
from corewise.statistics import median_interval

from corewise_laboratory.studies.rows import Row, Rows
from corewise_laboratory.studies.study import (
    Options,
    Outcome,
    Runs,
    interval_values,
    kept_or_run,
    program_files,
    row_of,
)


@dataclass(frozen=True)
class Cell:
    """A machine whose every core gets a rank, and `values` for {KEY} in the program's input files.

    `labels` are labels of result rows, by axis. `nodes_at_once` has, by label, placements that fill this
    number of nodes at a time in turn: 1 is block order, all nodes is round-robin.
    """

    labels: dict[str, str]
    machine: str
    values: dict[str, str]
    nodes_at_once: dict[str, int]

    def folder(self, study: Path, size: int) -> Path:
        """The folder of the case of this cell and size."""
        return study / "cases" / re.sub(r"[^A-Za-z0-9]+", "-", "-".join([*self.labels.values(), str(size)]))


@dataclass(frozen=True, kw_only=True)
class Emulated(Runs):
    """Each of `sizes` is a case of every cell, and replaces {size} in input files.

    The script laboratory/`build`/build builds the program and prints its path. `files`, of
    programs/, are written to the program's working directory. `measure` is a pattern whose group is the time
    in the output, s. `mapped` are placements that solvers find for the trace of a run under the
    `baseline`, by label. `sizes` and `repeats` are by scale.
    """

    build: str
    environment: dict[str, str]
    measure: str
    files: list[str]
    baseline: str
    cells: list[Cell]
    mapped: dict[str, str]
    sizes: dict[str, list[int]]
    repeats: dict[str, int]
    timeout_s: float
    source: ClassVar[str] = "emulated"
    starts: ClassVar[bool] = True
    columns: ClassVar[tuple[str, ...]] = ("t", "low", "high")

    def run(self, options: Options) -> Outcome:
        """A row for each case and placement, with the median time. Raises MissingError, RunError."""
        path = built(self.build) if options.program is None else _found(options.program)
        rows: list[Row] = []
        notes: list[str] = [f"Scale {options.scale}."]
        problems: list[str] = []
        for cell in self.cells:
            machine = corewise.machine(cell.machine)
            notes += emulation_notes(machine, machine.n_nodes, link_rate(machine))
            with _nodes(machine, options.folder) as (nodes, place):
                for size in self.sizes[options.scale]:
                    case = _Case(self, cell, size, machine, path, nodes, place, options)
                    case.place_ranks()
                    rows += case.run(problems)
        notes = [*dict.fromkeys([*notes, *problems])]
        because = f"emulated with the machine's link rates, scale {options.scale}"
        return Outcome(Rows(rows), because, failed=bool(problems), notes=notes)

    def files_for(self, cell: Cell, size: int) -> dict[str, str]:
        """The program's input files for this cell and size, by name."""
        return program_files(self.files, cell.values | {"size": str(size)})


@dataclass(frozen=True)
class _Case:
    """A cell and a size on its running nodes, with its placements by label."""

    runs: Emulated
    cell: Cell
    size: int
    machine: Machine
    program: str
    nodes: EmulatedNodes
    place: Path  # a private folder for the files of a run
    options: Options
    placements: dict[str, Placement] = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        return self.cell.folder(self.options.folder, self.size)

    def place_ranks(self) -> None:
        """Writes input files, and the placements that no earlier call computed. Raises RunError."""
        (self.folder / "work").mkdir(parents=True, exist_ok=True)
        for name, text in self.runs.files_for(self.cell, self.size).items():
            write_whole(self.folder / "work" / name, text)
        for label, nodes_at_once in self.cell.nodes_at_once.items():
            self.placements[label] = dealt(self.machine, nodes_at_once)
        for label, solver in self.runs.mapped.items():
            path = self.folder / f"{label}.json"
            if not path.exists():
                found = corewise.map(self._traced(), as_emulated(self.machine), solver=solver)
                found.placement.write(path)
            self.placements[label] = Placement.read(path)

    def run(self, problems: list[str]) -> list[Row]:
        """The rows of all placements: repeats alternate between them. Adds a sentence for each failed run."""
        times: dict[str, list[float]] = {label: [] for label in self.placements}
        n_repeats = self.runs.repeats[self.options.scale]
        for repeat, label in itertools.product(range(n_repeats), self.placements):
            self.options.tell(f"{self.folder.name}: {label}, {repeat + 1} of {n_repeats}")
            path = self.folder / "runs" / f"{label}-{repeat}.json"
            try:
                times[label].append(kept_or_run(path, partial(self._timed, label))["t"])
            except RunError as error:
                problems.append(str(error))
        labels = self.cell.labels | {"size": str(self.size)}
        rows = []
        for label, found in times.items():
            median = median_interval(found) if found else None
            rows.append(row_of(labels | {"placement": label}, **interval_values(median)))
        return rows

    def _timed(self, label: str) -> dict[str, Any]:
        printed = self.folder / "printed.txt"
        self._start(label, printed)
        match = re.search(self.runs.measure, printed.read_text(errors="replace"), re.MULTILINE)
        if match is None:
            raise RunError(f"{self.folder.name}, {label}: nothing like '{self.runs.measure}' is in {printed}")
        return {"t": float(match[1])}

    def _traced(self) -> Path:
        """The profile of a run with the baseline placement."""
        profile = self.folder / "profile"
        if not profile.exists():
            self._start(self.runs.baseline, self.folder / "traced.txt", profile)
        return profile

    def _start(self, label: str, printed: Path, profile: Path | None = None) -> None:
        """Runs the program once, with its output in a file; raises RunError."""
        place = self.place / "run"
        with open(printed, "w") as output:
            program = EmulatedProgram.of(
                [self.program],
                directory=self.folder / "work",
                environment=self.runs.environment,
                streams=Streams(subprocess.DEVNULL, output, output),
            )
            keeps = profile is not None
            run = self.nodes.run(label, self.placements[label], program, place, self.runs.timeout_s, keeps)
        if profile is not None:
            if run.exit_code == 0:
                shutil.move(place / "profile", profile)
            shutil.rmtree(place)
        if run.exit_code != 0:
            raise RunError(
                f"{self.folder.name}, {label}: a run ended with exit code {run.exit_code}; its output is in "
                f"{printed}"
            )


@contextmanager
def _nodes(machine: Machine, folder: Path) -> Iterator[tuple[EmulatedNodes, Path]]:
    """Running nodes of the machine, and a folder for files of runs."""
    folder.mkdir(parents=True, exist_ok=True)
    n_nodes, slots = size_for([dealt(machine, 1)])
    with private_folder(folder) as place, emulated_nodes(n_nodes, slots, link_rate(machine)) as nodes:
        yield nodes, place


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


def _found(program: str) -> str:
    path = shutil.which(program)
    if path is None:
        raise MissingError(f"program '{program}' was not found; give its path")
    return str(Path(path).absolute())


def dealt(machine: Machine, nodes_at_once: int) -> Placement:
    """Fills the first `nodes_at_once` nodes with ranks in turn (round robin), then the next ones, and so on.

    Raises InputError if their number is no multiple of `nodes_at_once`, or they are not equal.
    """
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
