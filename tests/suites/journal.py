"""The journal of a comparison: a line of JSON for each verdict, so that a run that was cut off continues."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from suites.comparing import Verdict


@dataclass(frozen=True)
class Entry:
    """One verdict and what it is of."""

    suite: str
    mpi: str
    program: str
    mode: str
    verdict: Verdict


class Journal:
    """Appends to its file at once; the last line about the same start holds."""

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
                continue  # the line that was being written when the run was cut off
            self._entries[_key(entry)] = entry

    def __iter__(self) -> Iterable[Entry]:
        return iter(self._entries.values())

    def missing(self, suite: str, mpi: str, program: str, modes: Iterable[str]) -> list[str]:
        """The modes that have no verdict yet."""
        return [mode for mode in modes if (suite, mpi, program, mode) not in self._entries]

    def add(self, entries: Iterable[Entry]) -> None:
        """Notes verdicts, in the file too."""
        with self.path.open("a") as file:
            for entry in entries:
                self._entries[_key(entry)] = entry
                file.write(json.dumps(asdict(entry)) + "\n")


def _key(entry: Entry) -> tuple[str, str, str, str]:
    return entry.suite, entry.mpi, entry.program, entry.mode
