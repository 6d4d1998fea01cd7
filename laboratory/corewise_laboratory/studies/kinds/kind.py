"""Kind: the interface of kinds of runs in studies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corewise.plugin.documents import Table

from corewise_laboratory.studies.rows import Outcome
from corewise_laboratory.sweep.running import Say


@dataclass(frozen=True)
class StudyOptions:
    """Options of a study. With `started` False, no program is started; `say` and `tell` report progress.

    `program` is the user's build for emulated runs; by default the study builds it. Stored inputs in the
    folder `data` precede those in the package.
    """

    folder: Path
    full: bool = False
    started: bool = True
    program: str | None = None
    data: Path | None = None
    say: Say = lambda _: None
    tell: Callable[[str], None] = lambda _: None

    @property
    def scale(self) -> str:
        """ "full" or "quick"."""
        return "full" if self.full else "quick"


@dataclass(frozen=True)
class Runs:
    """The table [runs.NAME] of a study; `spec` is what their kind read from it.

    `origins` are by parameter; "all" is for parameters without one. `conditions` are differences from the
    paper's runs, for the table of claims.
    """

    study: str
    name: str
    kind: Kind
    spec: Any
    origins: dict[str, Any]
    conditions: str

    @property
    def source(self) -> str:
        """The source of their numbers: measured, emulated, simulated or computed."""
        return self.kind.source_of(self.spec)


@dataclass(frozen=True)
class Kind:
    """A kind of runs. `starts` is whether it starts programs; --computed skips these.

    `read` reads the table [runs.NAME] and raises InputError. `run` executes the runs, or continues them, and
    raises MissingError if they are impossible here. `takes_program` is whether --program can replace their
    program.
    """

    name: str
    sentence: str
    starts: bool
    read: Callable[[Table], Any]
    run: Callable[[Runs, StudyOptions], Outcome]
    source_of: Callable[[Any], str]
    takes_program: bool = False
