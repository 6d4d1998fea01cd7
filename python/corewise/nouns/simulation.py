"""Simulated: how long a program takes under each placement on a machine that isn't here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import msgspec
from msgspec import structs

from corewise.nouns.codec import FieldError, Noun, Number, Seconds
from corewise.nouns.run import Run, RunKey, Source, runs_columns
from corewise.nouns.scores import Scores
from corewise.nouns.tables import Tabular
from corewise.statistics import Interval

if TYPE_CHECKING:
    from corewise.text.svg_text import Svg


class SimulatedPlacement(Noun, frozen=True, kw_only=True):
    """The runs of one placement; `placement` is its file's name, or the label of the runs.

    `makespan_s` lies in `interval_s` with that `confidence`, None if the confidence is unknown. All three are
    None if every run failed. `comm_s` is the median time inside MPI, None if unknown. `scores` has the
    objective time of a recorded job, as map, score, advise and tune print it; it is empty if the machine has
    no figures.
    """

    DERIVED: ClassVar[tuple[str, ...]] = ("n_failed",)

    placement: str
    engine: str
    source: Source
    makespan_s: Seconds | None
    interval_s: tuple[Number, Number] | None
    confidence: Number | None
    comm_s: Seconds | None
    repeats: list[Run]
    scores: Scores

    def __post_init__(self) -> None:
        """Raises FieldError if there is no run."""
        if not self.repeats:
            raise FieldError("repeats", self.repeats, "one run at least")

    @property
    def label(self) -> str:
        return self.repeats[0].label

    @property
    def n_failed(self) -> int:
        return sum(run.time_s is None for run in self.repeats)

    @property
    def interval(self) -> Interval | None:
        """The time, s, from MPI_Init to MPI_Finalize; None if every run failed."""
        if self.makespan_s is None or self.interval_s is None:
            return None
        return Interval(self.interval_s[0], self.makespan_s, self.interval_s[1], self.confidence)


class Simulated(Tabular, Noun, frozen=True, kw_only=True):
    """The times of each placement; `notes` are full sentences on what the times are valid for."""

    FORMAT: ClassVar[str] = "corewise-simulation"
    WRITTEN_BY: ClassVar[str] = "corewise simulate --json"
    FLAT: ClassVar[str] = "runs"

    machine: str
    notes: list[str]
    placements: list[SimulatedPlacement] = msgspec.field(name="runs")

    def placement(self, label: str) -> SimulatedPlacement:
        """The placement with that label; raises KeyError if none has it."""
        return {one.label: one for one in self.placements}[label]

    @property
    def runs(self) -> list[Run]:
        """All runs; those that failed have no time (`Run.time_s`)."""
        return [run for one in self.placements for run in one.repeats]

    @property
    def intervals(self) -> dict[RunKey, Interval]:
        """The interval of each placement's time, s, as its engine states it."""
        return {one.repeats[0].key: one.interval for one in self.placements if one.interval}

    @property
    def has_failed(self) -> bool:
        """Whether any run ended without a time."""
        return any(one.n_failed for one in self.placements)

    if TYPE_CHECKING:  # notebook.py adds it

        def plot(self) -> Svg: ...

    def columns(self) -> dict[str, Any]:
        """A row for each run."""
        return runs_columns(self.runs)

    def named_by_machine(self) -> Simulated:
        """A copy with the machine in every label, so that times on different machines are not pooled."""
        renamed = [
            structs.replace(
                one,
                repeats=[structs.replace(run, label=f"{run.label} on {self.machine}") for run in one.repeats],
            )
            for one in self.placements
        ]
        return structs.replace(self, placements=renamed)
