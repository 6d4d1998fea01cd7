"""The journal of a comparison: one line of JSON per verdict, so that an interrupted run continues."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from suites.comparing import Verdict


@dataclass(frozen=True)
class Entry:
    """A verdict, and the program, MPI and mode that it is about."""

    suite: str
    mpi: str
    program: str
    mode: str
    verdict: Verdict


class Journal:
    """Appends each verdict to its file at once. Of several lines about the same run the last one counts."""

    def __init__(self, path: Path):
        self.path = path
        self._entries = {}
        text = path.read_text() if path.exists() else ""
        if not text.endswith("\n"):
            with path.open("a") as file:
                file.write("\n")
        for line in text.splitlines():
            try:
                row = json.loads(line)
                entry = Entry(
                    *(row[key] for key in ("suite", "mpi", "program", "mode")), Verdict(**row["verdict"])
                )
            except (ValueError, KeyError, TypeError):
                continue  # an incomplete line from an interrupted run
            self._entries[_key(entry)] = entry

    def __iter__(self) -> Iterable[Entry]:
        return iter(self._entries.values())

    def missing(self, suite: str, mpi: str, program: str, modes: Iterable[str]) -> list[str]:
        """The modes without a verdict."""
        return [mode for mode in modes if (suite, mpi, program, mode) not in self._entries]

    def add(self, entries: Iterable[Entry]) -> None:
        """Stores verdicts, also in the file."""
        with self.path.open("a") as file:
            for entry in entries:
                self._entries[_key(entry)] = entry
                file.write(json.dumps(asdict(entry)) + "\n")


def _key(entry: Entry) -> tuple[str, str, str, str]:
    return entry.suite, entry.mpi, entry.program, entry.mode
