"""The programs of a job, in a file next to its profile, and in a placement (formats/FORMATS.md)."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from corewise.nouns.codec import WIRES, FieldError, Noun, Wire
from corewise.text.quantities import index_text, indices_of

NAME = "programs.json"  # in the folder of a profile


class Ranks(list[int]):
    """Ranks in ascending order; in documents a text such as 0-3,5."""

    @classmethod
    def of_text(cls, text: str) -> Ranks:
        """The ranks in a text such as 0-3,5; raises ValueError if there are none."""
        ranks = sorted(indices_of(text))
        if not ranks:
            raise ValueError("no ranks")
        return cls(ranks)


WIRES[Ranks] = Wire(str, index_text, Ranks.of_text)


class JobProgram(Noun, frozen=True):
    """A program: its ranks, and its command, including wrappers such as time.

    `options` are the launcher's options for it that don't place ranks (see kept_options()).
    """

    LEFT_OUT: ClassVar[tuple[str, ...]] = ("launcher", "options")

    ranks: Ranks
    app: list[str]
    launcher: str = ""
    options: list[str] = []

    def __post_init__(self) -> None:
        if not self.app:
            raise FieldError("app", self.app, "a program")


class JobPrograms(Noun, frozen=True):
    """The programs of a job."""

    FORMAT: ClassVar[str] = "corewise-programs"
    WRITTEN_BY: ClassVar[str] = "corewise trace"

    programs: list[JobProgram]


def write_programs(folder: Path, programs: list[JobProgram]) -> None:
    """Writes the programs into the profile's folder, if they are known."""
    if programs:
        JobPrograms(programs).write(folder / NAME)


def programs_beside(source: Path) -> list[JobProgram]:
    """The programs of a profile's job; empty if they are unknown, or if `source` is no profile."""
    path = source / NAME
    return JobPrograms.read(path).programs if path.is_file() else []
