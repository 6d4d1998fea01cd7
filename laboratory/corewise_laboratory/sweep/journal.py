"""runs.jsonl: finished runs of a sweep, appended one by one, so that an interrupt loses at most one run.

The first line is the plan; only a sweep with the same plan can continue.
"""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

from corewise.errors import InputError
from corewise.files.document import parse_json
from corewise.files.table import Table
from corewise.nouns.codec import Noun
from corewise.start.exchangeable import refuse_exchangeable
from corewise.start.folder import refuse_foreign_link
from corewise.text.escaping import json_text
from msgspec import Meta

FILE = "runs.jsonl"
FORMAT, VERSION = "corewise-sweep-runs", 1
_EXPECTED = "a line that `corewise sweep` wrote (-o chooses another folder)"


class RunRecord(Noun, frozen=True):
    """A finished run. `value` is None if it has none; then `problem` is a sentence with the reason.

    `configuration` and `repeat` are those of spec.PlannedRun; `started` is a UTC time (ISO 8601).
    """

    configuration: Annotated[int, Meta(ge=0)]
    repeat: Annotated[int, Meta(ge=0)]
    warmup: bool
    value: float | None
    wall_s: float
    exit_code: int
    problem: str | None
    started: str
    host: str


class Journal:
    """An open runs.jsonl; `records` are its runs, including appended ones."""

    def __init__(self, path: Path, descriptor: int, records: list[RunRecord]) -> None:
        self.path = path
        self.records = records
        self._descriptor = descriptor

    def append(self, record: RunRecord) -> None:
        """Writes the run to disk before it returns; else raises InputError, with an unchanged file."""
        _append(self.path, self._descriptor, _line(record.to_json()))
        self.records.append(record)


@contextmanager
def open_journal(folder: Path, plan: dict[str, Any]) -> Iterator[Journal]:
    """Opens the journal in `folder` for a sweep with this plan; creates both if necessary.

    Removes an incomplete last line, which remains from a killed sweep. Raises InputError if the folder
    contains other things, has another plan, or is in use.
    """
    path = folder / FILE
    descriptor = _open(folder, path)
    try:
        header = _line({"format": FORMAT, "version": VERSION, "plan": plan})
        content = path.read_bytes()
        lines = content[: content.rfind(b"\n") + 1]
        records: list[RunRecord] = []
        if lines or not header.startswith(content):
            records = _read(path, lines.splitlines(), plan)
            os.ftruncate(descriptor, len(lines))
        else:  # a new journal, or a part of its first line
            os.ftruncate(descriptor, 0)
            _append(path, descriptor, header)
        yield Journal(path, descriptor, records)
    finally:
        os.close(descriptor)


def _open(folder: Path, path: Path) -> int:
    """Opens or creates the journal, and locks it; refuses a link, device or FIFO."""
    refuse_foreign_link(folder)
    refuse_exchangeable(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not path.exists() and any(folder.iterdir()):
            raise InputError(f"{folder} is there already and holds no sweep; choose another folder")
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
        descriptor = os.open(path, flags, 0o666)
    except OSError as error:
        raise InputError(f"could not be made ({error.strerror}); choose another folder", path=path) from error
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise InputError("is no regular file; choose another folder", path=path)
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (OSError, InputError) as error:
        os.close(descriptor)
        if isinstance(error, InputError):
            raise
        raise InputError(
            f"{path} is in use by another sweep; wait for it or choose another folder"
        ) from error
    return descriptor


def _read(path: Path, lines: list[bytes], plan: dict[str, Any]) -> list[RunRecord]:
    found = _parsed(path, 1, lines[0]) if lines else {}
    if (found.get("format"), found.get("version")) != (FORMAT, VERSION):
        raise InputError(f"{path} is no journal of a sweep of this corewise; choose another folder")
    if found.get("plan") != plan:
        held = found["plan"] if isinstance(found.get("plan"), dict) else {}
        differ = [key for key in plan if held.get(key) != plan[key]] or ["keys"]
        raise InputError(
            f"{path.parent} holds runs of another specification (its {differ[0]} differ); choose another "
            "folder with -o"
        )
    tables = (Table(path, "", _parsed(path, at, line), at) for at, line in enumerate(lines[1:], start=2))
    return [RunRecord.from_table(table) for table in tables]


def _parsed(path: Path, number: int, line: bytes) -> dict[str, Any]:
    try:
        return parse_json(line.decode(), _EXPECTED, path, number)
    except UnicodeDecodeError as error:
        raise InputError(f"not a text; expected {_EXPECTED}", path=path, line=number) from error


def _line(document: dict[str, Any]) -> bytes:
    return (json_text(document) + "\n").encode()


def _append(path: Path, descriptor: int, line: bytes) -> None:
    before = os.fstat(descriptor).st_size
    try:
        if os.write(descriptor, line) < len(line):
            raise OSError(0, "only a part of a line fitted")
        os.fsync(descriptor)
    except OSError as error:
        os.ftruncate(descriptor, before)
        raise InputError(
            f"a run could not be written ({error.strerror}); make room and start again", path=path
        ) from error
