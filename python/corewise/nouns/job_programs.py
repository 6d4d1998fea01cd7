"""The programs of a job that starts several: beside its profile, and in a placement (formats/FORMATS.md)."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from corewise.errors import InputError
from corewise.files.document import read_json
from corewise.files.table import Table, check_format
from corewise.files.whole_file import write_whole
from corewise.text.any_bytes import json_text
from corewise.text.quantities import index_text, indices_of

FORMAT = "corewise-programs"
VERSION = 1
NAME = "programs.json"  # in the folder of a profile


@dataclass(frozen=True)
class JobProgram:
    """One of several programs: its ranks, and the words that start it, wrappers such as numactl too."""

    ranks: list[int]
    app: list[str]

    def to_json(self) -> dict[str, Any]:
        """The entry of a list "programs"."""
        return asdict(self) | {"ranks": index_text(self.ranks)}


def write_programs(folder: Path, programs: list[JobProgram]) -> None:
    """Writes the programs beside a profile; nothing for a job of one."""
    if len(programs) > 1:
        document = {"format": FORMAT, "version": VERSION, "programs": [one.to_json() for one in programs]}
        write_whole(folder / NAME, json_text(document, indent=1) + "\n")


def programs_beside(source: Path) -> list[JobProgram]:
    """The programs of a profile's job; empty for a job of one, and for what is no profile."""
    if not (source / NAME).is_file():
        return []
    top = read_json(source / NAME, "what `corewise trace` writes beside a profile")
    check_format(top, FORMAT, VERSION)
    return programs_in(top)


def programs_in(top: Table) -> list[JobProgram]:
    """The list "programs" of a document; empty where it has none. Raises InputError naming file and key."""
    return [_program(table) for table in top.tables("programs", [])]


def _program(table: Table) -> JobProgram:
    text, app = table.get("ranks", str), table.texts("app")
    try:
        ranks = sorted(indices_of(text))
    except ValueError as error:
        raise table.error("ranks", text, "ranks such as 0-3,5") from error
    if not ranks or not app:
        raise InputError(
            f"{table.path}: {table.where}app or ranks is empty; expected a program and its ranks"
        )
    return JobProgram(ranks, app)
