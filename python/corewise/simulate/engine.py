"""What an engine is to corewise: from a program, a machine and placements to runs that weren't made there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING

from corewise.execute.repeats import Progress
from corewise.files.placement import PlacementFile
from corewise.files.run import Run, Source

if TYPE_CHECKING:
    from corewise.model import Machine


@dataclass(frozen=True)
class Request:
    """What is asked of an engine.

    `placements` are on `machine`, by label, all of as many ranks. `command` is the program with its
    arguments, without a launcher. Each placement runs `n_repeats` times, none longer than `timeout_s`;
    `output` takes what the program prints.
    """

    machine: Machine
    placements: dict[str, PlacementFile]
    command: list[str]
    n_repeats: int = 3
    timeout_s: float = 300.0
    output: IO | None = None
    say: Callable[[Progress], None] = lambda _: None  # which run comes


@dataclass(frozen=True)
class Simulation:
    """The runs of each placement, by label, and full sentences on what they hold for, for people."""

    runs: dict[str, list[Run]]
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Engine:
    """One engine. `source` is that of its runs; `run` raises InputError or MissingError."""

    name: str
    sentence: str
    source: Source
    run: Callable[[Request], Simulation]
