"""Reads and writes the measurements: profile, placements and runs of each program on each network.

DATA/MACHINE/PROGRAM/truth.json      what was traced, and the placements
                     runs.jsonl      a line for each run, written when it ends
                     profile.tar.xz  the events profile of block order
"""

from __future__ import annotations

import json
import tarfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from corewise import model
from corewise.errors import InputError
from corewise.files.document import read_json
from corewise.files.whole_file import write_whole
from corewise.nouns.load import Load

DATA = Path(__file__).parent / "data"
BASELINE = "block"
LEAST_RUNS = 2  # of a placement: a single run has no spread, so its time is not told from another
FORMAT, VERSION = "corewise-truth", 2


@dataclass(frozen=True)
class MeasuredPlacement:
    """One placement: the node of each rank, and the times of its successful runs, s.

    `names` are the rules and objectives that gave it: placements that put the same ranks together are one.
    """

    names: list[str]
    node: list[int]
    times_s: list[float] = field(default_factory=list)
    n_failed: int = 0

    @classmethod
    def of(cls, names: list[str], node: list[int], runs: Sequence[Timed]) -> MeasuredPlacement:
        """Takes its runs from `runs`; without times if fewer than LEAST_RUNS succeeded."""
        own = [run.time_s for run in runs if run.placement == " = ".join(names)]
        times_s = [time_s for time_s in own if time_s is not None]
        return cls(names, node, times_s if len(times_s) >= LEAST_RUNS else [], own.count(None))

    @property
    def label(self) -> str:
        return " = ".join(self.names)

    def on(self, machine: model.Machine) -> model.Assignment:
        """The placement with the ranks of each node in order on its first cores; only nodes are emulated."""
        per_node = machine.n_cores // machine.n_nodes
        cores = [node * per_node + self.node[:rank].count(node) for rank, node in enumerate(self.node)]
        return model.Assignment.from_cores(cores)


@dataclass(frozen=True)
class Timed:
    """A run of a placement: its time, s, None if it failed, and the load of the host before and after it."""

    placement: str
    time_s: float | None
    date: str
    before: float
    others: float | None
    n_threads: int

    @classmethod
    def of(cls, placement: MeasuredPlacement, time_s: float | None, during: Load) -> Timed:
        """A run that ended now."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        return cls(placement.label, time_s, now, during.before, during.others, during.n_threads)

    @property
    def is_idle(self) -> bool:
        """Whether other programs used less than a tenth of the hardware threads."""
        return not Load(before=self.before, others=self.others, n_threads=self.n_threads).is_busy


@dataclass(frozen=True)
class Truth:
    """The measurements of one program on the emulated nodes of `machine`, a name for --machine.

    `layer` is the traffic that placements were found for; `n_processors` hardware threads were shared by all
    ranks; `is_idle` is the traced run's. `n_busy` runs were left out because other programs ran.
    """

    program: str
    machine: str
    layer: str
    date: str
    n_processors: int
    is_idle: bool
    placements: list[MeasuredPlacement] = field(default_factory=list)
    n_busy: int = 0

    @property
    def has_processor_each(self) -> bool:
        """Whether each rank has its own hardware thread, as on a cluster."""
        return len(self.baseline.node) <= self.n_processors

    @property
    def baseline(self) -> MeasuredPlacement:
        """The placement in block order."""
        return self.named(BASELINE)

    def named(self, name: str) -> MeasuredPlacement:
        """The placement of this rule or objective."""
        return next(one for one in self.placements if name in one.names)

    @property
    def n_ran(self) -> int:
        """The number of placements with times."""
        return sum(bool(one.times_s) for one in self.placements)

    def folder(self, data: Path) -> Path:
        return data / self.machine.replace(":", "-") / self.program


def save(data: Path, truth: Truth, profile: Path) -> None:
    """Writes the traced program and its profile, and deletes runs of an earlier trace; see add_run()."""
    folder = truth.folder(data)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "runs.jsonl").unlink(missing_ok=True)
    with tarfile.open(folder / "profile.tar.xz", "w:xz", preset=9) as archive:
        archive.add(profile, "profile")
    placements = [{"names": one.names, "node": one.node} for one in truth.placements]
    kept = asdict(truth) | {"placements": placements}
    del kept["n_busy"]
    document = {"format": FORMAT, "version": VERSION} | kept
    write_whole(folder / "truth.json", json.dumps(document, indent=1) + "\n")


def add_run(data: Path, truth: Truth, run: Timed) -> None:
    """Appends a run to the file, so that an interrupted measurement loses no run."""
    with (truth.folder(data) / "runs.jsonl").open("a") as journal:
        journal.write(json.dumps(asdict(run)) + "\n")


def runs_of(data: Path, truth: Truth) -> list[Timed]:
    journal = truth.folder(data) / "runs.jsonl"
    lines = journal.read_text().splitlines() if journal.exists() else []
    return [Timed(**json.loads(line)) for line in lines]


def is_of_day(run: Timed, truth: Truth) -> bool:
    """Whether the run was made on the day of the trace: on another day the machine may be twice as fast."""
    return run.date.startswith(truth.date)


def load(data: Path, idle: bool = True) -> list[Truth]:
    """All programs, sorted by network and name, with the runs of the day on which each was traced.

    With `idle`, only the runs on an idle machine. Raises InputError for a file that isn't one of these.
    """
    found = []
    for path in sorted(data.glob("*/*/truth.json")):
        document = dict(read_json(path, "a program's measured times").values)
        if (document.pop("format", None), document.pop("version", None)) != (FORMAT, VERSION):
            raise InputError(f"{path}: expected the format {FORMAT}, version {VERSION}: measure it again")
        named = document.pop("placements")
        traced = Truth(**document)
        every = [run for run in runs_of(data, traced) if is_of_day(run, traced)]
        counted = [run for run in every if not idle or (traced.is_idle and run.is_idle)]
        placements = [MeasuredPlacement.of(**one, runs=counted) for one in named]
        found.append(replace(traced, placements=placements, n_busy=len(every) - len(counted)))
    return found


@contextmanager
def profile_of(data: Path, truth: Truth) -> Iterator[Path]:
    """The path of a program's events profile, which exists inside the block."""
    with TemporaryDirectory() as folder:
        with tarfile.open(truth.folder(data) / "profile.tar.xz") as archive:
            archive.extractall(folder, filter="data")
        yield Path(folder) / "profile"
