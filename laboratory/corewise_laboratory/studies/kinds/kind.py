"""Kind: what kinds of runs are to a study; one file and one row of the register each."""

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
    """How a study is run. `started` False starts no program; `say` and `tell` are for progress.

    `program` is the user's own for emulated runs, None the one that the study builds; `data` is a folder
    that stored inputs are searched for in before those of the package.
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
    """The runs of one name in the file of the study `study`: `spec` is what their kind read from it.

    `origins` are those of their parameters; "all" is that of each parameter without its own. `conditions`
    says how they differ from the paper's runs, for readers of the table of claims.
    """

    study: str
    name: str
    kind: Kind
    spec: Any
    origins: dict[str, Any]
    conditions: str

    @property
    def source(self) -> str:
        """Where their numbers come from: measured, emulated or computed."""
        return self.kind.source_of(self.spec)


@dataclass(frozen=True)
class Kind:
    """One kind of runs. `starts`: it starts programs, which --computed leaves out.

    `read` takes the table [runs.NAME] and raises InputError; `run` does what is left of them and raises
    MissingError where something that they need isn't here. `takes_program`: the user's own may take the place
    of the program that it starts.
    """

    name: str
    sentence: str
    starts: bool
    read: Callable[[Table], Any]
    run: Callable[[Runs, StudyOptions], Outcome]
    source_of: Callable[[Any], str]
    takes_program: bool = False
