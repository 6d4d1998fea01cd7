"""Where a steered run's logs are kept: app.steer-log, and app-2.steer-log, ... where there are several."""

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
_LOGS = f"*{LOG_ENDING}"  # as the job names them (preload/README.md, COREWISE_STEER)


def unused_names(log: Path) -> Iterator[Path]:
    """app.steer-log, app-2.steer-log, ... without those that are there."""
    numbered = (log.with_name(f"{log.stem}-{number}{log.suffix}") for number in count(2))
    return (path for path in chain([log], numbered) if not os.path.lexists(path))


def check_log_target(log: Path) -> None:
    """Raises InputError if no file can be made at `log`, or something is there already."""
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
    """Whether logs of a run are in its working folder."""
    return any(folder.glob(_LOGS))


@contextmanager
def held_place(log: Path) -> Iterator[int]:
    """A descriptor of the folder that `log` is to be in: at the end the same one, whatever its name means.

    Raises as check_log_target() does, which checks the folder first.
    """
    check_log_target(log)
    place = os.open(log.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield place
    finally:
        os.close(place)


def keep_logs(folder: Path, log: Path, place: int) -> tuple[list[Path], list[str]]:
    """Moves the logs in a run's folder to `log` and its further names, those of a node in order of time.

    `place` is of held_place(). Returns where each is, and a sentence for each that could not be moved and so
    is still in the folder.
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
    """To a new file in the folder `place`: nothing that is there is replaced, and no link followed."""
    try:
        os.link(source, name, dst_dir_fd=place, follow_symlinks=False)
    except FileExistsError:
        raise
    except OSError:  # on another file system, or on one without hard links
        _copy(source, name, place)
    source.unlink()


def _copy(source: Path, name: str, place: int) -> None:
    """Nothing is left of a copy that there is no room for."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with source.open("rb") as log, open(os.open(name, flags, 0o600, dir_fd=place), "wb") as kept:
        try:
            shutil.copyfileobj(log, kept)
            kept.flush()
        except OSError:
            os.unlink(name, dir_fd=place)
            raise


def _place(log: Path) -> tuple[int, int, str]:
    """Of a log among those of a run: its node, then when its first interval ended.

    Not the number in its name: a leader that follows may take one that its forerunner has dropped.
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
