"""What an engine is to corewise: from a program or a record of one, a machine and placements to runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Any, Literal

from corewise.errors import RunError
from corewise.execute.repeats import Progress
from corewise.nouns.placement import PlacementFile
from corewise.nouns.run import Run, Source

if TYPE_CHECKING:
    from corewise.model import Machine
    from corewise.profile.inputs import Input
    from corewise.statistics import Interval

# MPI libraries whose algorithms of collectives are known, and their names in messages.
MpiLibrary = Literal["mpich", "openmpi"]
MPI_NAMES: dict[MpiLibrary, str] = {"mpich": "MPICH", "openmpi": "Open MPI"}

# What an engine may work from; an events profile is one that `corewise trace --mode events` recorded.
Subject = Literal["program", "events profile", "counted profile", "matrix"]


class SimulationFailed(RunError):
    """A simulation that did not reach its end: it has no time."""


@dataclass(frozen=True)
class Recorded:
    """What an INPUT of the command line holds: a profile or a matrix, read from `path`."""

    path: str
    found: Input

    @property
    def n_ranks(self) -> int:
        return self.found.traffic.n_ranks

    @property
    def subject(self) -> Subject:
        profile = self.found.profile
        if profile is None:
            return "matrix"
        return "events profile" if profile.n_events else "counted profile"

    @property
    def mpi_library(self) -> MpiLibrary | None:
        """The family of the MPI that it was recorded with; None if that isn't known."""
        ranks = self.found.profile.ranks if self.found.profile else []
        named = (library for rank in ranks for library in MPI_NAMES if rank.mpi_library == library)
        return next(named, None)


@dataclass(frozen=True)
class SimulationRequest:
    """What is asked of an engine.

    `placements` are on `machine`, by label, all of as many ranks. Either `command` is the program with its
    arguments, without a launcher, or `recorded` is what was recorded of one. Each placement runs `n_repeats`
    times, none longer than `timeout_s`; `output` takes what the program prints. What the program computes
    between its MPI calls takes `compute_factor` times as long as it does here, or did where it was recorded.
    `mpi_library` is the one that was asked for; what counts is `rules`.
    """

    machine: Machine
    placements: dict[str, PlacementFile]
    command: list[str] = field(default_factory=list)
    recorded: Recorded | None = None
    n_repeats: int = 1
    timeout_s: float = 300.0
    compute_factor: float = 1.0
    mpi_library: MpiLibrary | None = None
    output: IO[Any] | None = None
    say: Callable[[Progress], None] = lambda _: None  # which run comes

    @property
    def subject(self) -> Subject:
        return self.recorded.subject if self.recorded else "program"

    @property
    def rules(self) -> MpiLibrary:
        """The library whose algorithms of collectives apply: as requested, as recorded, else Open MPI."""
        return self.mpi_library or (self.recorded and self.recorded.mpi_library) or "openmpi"


@dataclass(frozen=True)
class Simulation:
    """The runs of each placement, by label, and full sentences on what they hold for, for people.

    `intervals` has the time of a placement, s, where the engine knows how far off it may be; without an
    entry the interval is that of the median over the runs.
    """

    runs: dict[str, list[Run]]
    notes: list[str] = field(default_factory=list)
    intervals: dict[str, Interval] = field(default_factory=dict)


@dataclass(frozen=True)
class Engine:
    """One engine. `source` is that of its runs; `run` raises InputError or MissingError.

    `run` is given requests of the subjects in `takes` alone. `n_repeats` is how often a placement runs where
    the user doesn't say: 1 for an engine that always answers the same.
    """

    name: str
    sentence: str
    source: Source
    run: Callable[[SimulationRequest], Simulation]
    takes: tuple[Subject, ...]
    n_repeats: int = 1
