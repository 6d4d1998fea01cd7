"""Keeps the logs of a steered run: app.steer-log, and app-2.steer-log, ... if there are several."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain, count
from pathlib import Path

from corewise.errors import InputError

DEFAULT_LOG = Path("corewise.steer-log")
LOG_ENDING = ".steer-log"
_LOGS = f"*{LOG_ENDING}"  # the job's names (preload/README.md, COREWISE_STEER)


def unused_names(log: Path) -> Iterator[Path]:
    """app.steer-log, app-2.steer-log, ... without existing files."""
    numbered = (log.with_name(f"{log.stem}-{number}{log.suffix}") for number in count(2))
    return (path for path in chain([log], numbered) if not os.path.lexists(path))


def check_log_target(log: Path) -> None:
    """Raises InputError if `log` exists or can't be created."""
    try:
        os.close(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        log.unlink()
    except FileExistsError as error:
        raise InputError(f"{log} already exists; choose another name with -o, or remove it") from error
    except OSError as error:
        raise InputError(
            f"could not be written ({error.strerror}); expected a new file in a folder of yours; "
            "choose another name with -o",
            path=log,
        ) from error


def holds_logs(folder: Path) -> bool:
    """Whether a run's working folder contains logs."""
    return any(folder.glob(_LOGS))


@contextmanager
def held_place(log: Path) -> Iterator[int]:
    """A descriptor of the folder for `log`, so that it is the same at the end even if it was renamed.

    Raises as check_log_target() does.
    """
    check_log_target(log)
    place = os.open(log.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield place
    finally:
        os.close(place)


def keep_logs(folder: Path, log: Path, place: int) -> tuple[list[Path], list[str]]:
    """Moves the logs in a run's folder to unused_names(`log`), those of a node in order of time.

    `place` is from held_place(). Returns the path of each log, and a sentence for each log that could not be
    moved and stays in the folder.
    """
    kept: list[Path] = []
    sentences = []
    names = unused_names(log)
    for source in sorted(folder.glob(_LOGS), key=_place):
        target = next(names)
        try:
            _move(source, target.name, place)
            kept.append(target)
        except OSError as error:
            kept.append(source)
            sentences.append(
                f"{target}: could not be written ({error.strerror or error}); the log stays in {source}, "
                "from where it can be moved to a place with room"
            )
    return kept, sentences


def _move(source: Path, name: str, place: int) -> None:
    """Moves a log to a new file in the folder `place`, without replacing a file or following a link."""
    try:
        os.link(source, name, dst_dir_fd=place, follow_symlinks=False)
    except FileExistsError:
        raise
    except OSError:  # another file system, or no hard links
        _copy(source, name, place)
    source.unlink()


def _copy(source: Path, name: str, place: int) -> None:
    """Copies a log; removes an incomplete copy."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with source.open("rb") as log, open(os.open(name, flags, 0o600, dir_fd=place), "wb") as kept:
        try:
            shutil.copyfileobj(log, kept)
            kept.flush()
        except OSError:
            os.unlink(name, dir_fd=place)
            raise


def _place(log: Path) -> tuple[int, int, str]:
    """The sort key of a run's log: its node, and the end of its first interval.

    Not the number in its name, because a later leader may reuse the number of a removed log.
    """
    node = begin_ns = 0
    with log.open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if line.startswith("settings "):
                node = _number("node", line)
            elif line.startswith("tick "):
                begin_ns = _number("time_ns", line)
                break
    return node, begin_ns, log.name


def _number(name: str, line: str) -> int:
    found = re.search(rf" {name}=(\d+)", line)
    return int(found[1]) if found else 0
