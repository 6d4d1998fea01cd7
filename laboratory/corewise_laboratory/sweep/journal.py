"""runs.jsonl: finished runs of a sweep, appended one by one, so that an interrupt loses at most one run.

The first line is the plan; only a sweep with the same plan can continue.
"""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from corewise.errors import InputError
from corewise.plugin.documents import MOST_INDEX, Table, json_text, parse_json
from corewise.plugin.execution import refuse_exchangeable, refuse_foreign_link

FILE = "runs.jsonl"
FORMAT, VERSION = "corewise-sweep-runs", 1


@dataclass(frozen=True)
class RunRecord:
    """A finished run. `value` is None if it has none; then `problem` is a sentence with the reason.

    `configuration` and `repeat` are those of grid.PlannedRun; `started` is a UTC time (ISO 8601).
    """

    configuration: int
    repeat: int
    warmup: bool
    value: float | None
    wall_s: float
    exit_code: int
    problem: str | None
    started: str
    host: str

    @classmethod
    def from_table(cls, line: Table) -> RunRecord:
        """Reads a line of the journal; raises InputError with file, line and key."""
        return cls(
            configuration=line.whole("configuration"),
            repeat=line.whole("repeat"),
            warmup=line.get("warmup", bool),
            value=line.number("value") if line.holds("value") else None,
            wall_s=line.number("wall_s"),
            exit_code=line.whole("exit_code", least=-MOST_INDEX),
            problem=line.get("problem", str) if line.holds("problem") else None,
            started=line.get("started", str),
            host=line.get("host", str),
        )


class Journal:
    """An open runs.jsonl; `records` are its runs, including appended ones."""

    def __init__(self, path: Path, descriptor: int, records: list[RunRecord]) -> None:
        self.path = path
        self.records = records
        self._descriptor = descriptor

    def append(self, record: RunRecord) -> None:
        """Writes the run to disk before it returns; else raises InputError, with an unchanged file."""
        _append_line(self.path, self._descriptor, asdict(record))
        self.records.append(record)


@contextmanager
def open_journal(folder: Path, plan: dict[str, Any]) -> Iterator[Journal]:
    """Opens the journal in `folder` for a sweep with this plan; creates both if necessary.

    Removes an incomplete last line, which remains from a killed sweep. Raises InputError if the folder
    contains other things, has another plan, or is in use.
    """
    path = folder / FILE
    _make(folder, path)
    descriptor = _open(path)
    try:
        _lock(path, descriptor)
        header = {"format": FORMAT, "version": VERSION, "plan": plan}
        records = _read(path, header)
        if records is None:
            os.ftruncate(descriptor, 0)
            _append_line(path, descriptor, header)
        else:
            os.ftruncate(descriptor, _end_of_lines(path))
        yield Journal(path, descriptor, records or [])
    finally:
        os.close(descriptor)


def _make(folder: Path, path: Path) -> None:
    refuse_foreign_link(folder)
    refuse_exchangeable(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not path.exists() and any(folder.iterdir()):
            raise InputError(f"{folder} is there already and holds no sweep; choose another folder")
    except OSError as error:
        raise InputError(f"could not be made ({error.strerror})", path=folder) from error


def _open(path: Path) -> int:
    """Opens or creates the journal; refuses a link, device or FIFO."""
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        descriptor = os.open(path, flags, 0o666)
    except OSError as error:
        raise InputError(
            f"could not be opened ({error.strerror}); choose another folder", path=path
        ) from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise InputError("is no regular file; choose another folder", path=path)
    return descriptor


def _lock(path: Path, descriptor: int) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise InputError(
            f"{path} is in use by another sweep; wait for it or choose another folder"
        ) from error


def _read(path: Path, header: dict[str, Any]) -> list[RunRecord] | None:
    """The runs in complete lines; None if the file has only a part of its first line."""
    content = path.read_bytes()
    lines = content[: _end_of_lines(path)].splitlines()
    if not lines and _line(header).startswith(content):
        return None
    found = _parsed(path, 1, lines[0]) if lines else None
    if found is None or (found.get("format"), found.get("version")) != (FORMAT, VERSION):
        raise InputError(f"{path} is no journal of a sweep of this corewise; choose another folder")
    _check_plan(path.parent, found.get("plan"), header["plan"])
    return [_record(path, number, line) for number, line in enumerate(lines[1:], start=2)]


def _end_of_lines(path: Path) -> int:
    """The number of bytes in complete lines."""
    return path.read_bytes().rfind(b"\n") + 1


def _check_plan(folder: Path, found: Any, plan: dict[str, Any]) -> None:
    if found == plan:
        return
    held = found if isinstance(found, dict) else {}
    differ = [key for key in plan if held.get(key) != plan[key]]
    key = differ[0] if differ else "keys"
    what = f"its {key} differ"
    if not isinstance(plan.get(key, []), list):
        what += f": {_short(held.get(key))} there, {_short(plan[key])} here"
    raise InputError(f"{folder} holds runs of another specification ({what}); choose another folder with -o")


def _short(value: Any) -> str:
    text = json_text(value)
    return text if len(text) <= 100 else f"{text[:97]}..."


def _record(path: Path, number: int, line: bytes) -> RunRecord:
    return RunRecord.from_table(Table(path, "", _parsed(path, number, line), number))


def _parsed(path: Path, number: int, line: bytes) -> dict[str, Any]:
    expected = "a line that `corewise sweep` wrote (-o chooses another folder)"
    try:
        return parse_json(line.decode(), expected, path, number)
    except UnicodeDecodeError as error:
        raise InputError(f"not a text; expected {expected}", path=path, line=number) from error


def _line(document: dict[str, Any]) -> bytes:
    return (json_text(document) + "\n").encode()


def _append_line(path: Path, descriptor: int, document: dict[str, Any]) -> None:
    line = _line(document)
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
