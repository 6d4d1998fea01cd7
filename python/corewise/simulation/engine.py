"""Interface of simulation engines: from a program or its record, a machine and placements to runs."""

from __future__ import annotations

import re
import resource
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal

from corewise.errors import RunError
from corewise.nouns.placement import Placement
from corewise.nouns.run import Run, Source
from corewise.observe.repeats import Progress

if TYPE_CHECKING:
    from corewise.model import Machine
    from corewise.profile.inputs import Input
    from corewise.statistics import Interval


# MPI libraries with known algorithms of collectives, and their names in messages.
MpiLibrary = Literal["mpich", "openmpi"]
MPI_NAMES: dict[MpiLibrary, str] = {"mpich": "MPICH", "openmpi": "Open MPI"}

# Kinds of input; `corewise trace --mode events` records an events profile.
Subject = Literal["program", "events profile", "counted profile", "matrix"]


class SimulationFailed(RunError):
    """A simulation that did not reach its end and has no time."""


@dataclass(frozen=True)
class Recorded:
    """The INPUT of a command: a profile or a matrix, read from `path`."""

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
        """The MPI family of the recorded run; None if unknown."""
        ranks = self.found.profile.ranks if self.found.profile else []
        named = (library for rank in ranks for library in MPI_NAMES if rank.mpi_library == library)
        return next(named, None)


@dataclass(frozen=True)
class SimulationRequest:
    """A request to an engine.

    `placements` are on `machine`, by label, all with the same number of ranks. Either `command` is the
    program with its arguments, without a launcher, or `recorded` is its record. Each placement runs
    `n_repeats` times, each run at most `timeout_s`. `output` takes the program's output. Computation between
    MPI calls takes `compute_factor` times as long as measured here or recorded. `mpi_library` is the user's
    choice; engines use `rules`.
    """

    machine: Machine
    placements: dict[str, Placement]
    command: list[str] = field(default_factory=list)
    recorded: Recorded | None = None
    n_repeats: int = 1
    timeout_s: float = 300.0
    compute_factor: float = 1.0
    mpi_library: MpiLibrary | None = None
    output: IO[Any] | None = None
    say: Callable[[Progress], None] = lambda _: None  # called before each run

    @property
    def subject(self) -> Subject:
        return self.recorded.subject if self.recorded else "program"

    @property
    def rules(self) -> MpiLibrary:
        """The library whose collective algorithms to simulate: as requested, as recorded, else Open MPI."""
        return self.mpi_library or (self.recorded and self.recorded.mpi_library) or "openmpi"


@dataclass(frozen=True)
class Simulation:
    """The runs of each placement, by label, and full sentences on what the times are valid for.

    `intervals` has a placement's time, s, with the engine's own error bounds. Without an entry, the interval
    is that of the median over the runs.
    """

    runs: dict[str, list[Run]]
    notes: list[str] = field(default_factory=list)
    intervals: dict[str, Interval] = field(default_factory=dict)


@dataclass(frozen=True)
class Engine:
    """One engine. `source` is the source of its runs; `run` raises InputError or MissingError.

    `run` gets only requests with the subjects in `takes`. `n_repeats` is the default number of runs per
    placement: 1 for a deterministic engine.
    """

    name: str
    sentence: str
    source: Source
    run: Callable[[SimulationRequest], Simulation]
    takes: tuple[Subject, ...]
    n_repeats: int = 1


_UNKNOWN_BYTES = 1 << 32  # if free memory is unknown


def memory_bytes(reserved_bytes: int = 0) -> int:
    """The free memory plus `reserved_bytes` of unused address space, at most this process's limit."""
    said = re.search(r"MemAvailable:\s+(\d+) kB", Path("/proc/meminfo").read_text())
    wanted = (int(said[1]) * 1024 if said else _UNKNOWN_BYTES) + reserved_bytes
    allowed, _ = resource.getrlimit(resource.RLIMIT_AS)
    return wanted if allowed == resource.RLIM_INFINITY else min(wanted, allowed)
