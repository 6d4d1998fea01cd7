"""Folders that a command makes: the new one of a tune, and a hidden one that is removed at the end."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from corewise.errors import InputError

DEFAULT = "corewise-tune"


@contextmanager
def fresh_folder(wanted: Path | None) -> Iterator[Path]:
    """Makes `wanted`, or the first of corewise-tune, corewise-tune-2, ... that isn't there (absolute path).

    Removed again when the block ends in an exception, Ctrl-C included. Raises InputError where `wanted` holds
    something already or can't be made.
    """
    folder = (wanted or _unused()).absolute()
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise InputError(f"{folder} is there already; choose another folder or remove it")
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: could not be made ({error.strerror})") from error
    try:
        yield folder
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


@contextmanager
def working_directory() -> Iterator[Path]:
    """A hidden folder for a plan's files and the profile, removed at the end.

    It lies in the current directory, which a job's nodes share more often than the temporary one.
    """
    try:
        path = Path(tempfile.mkdtemp(prefix=".corewise-", dir=Path.cwd()))
    except OSError as error:
        raise InputError(f"the current directory can't be written to ({error.strerror})") from error
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def _unused() -> Path:
    names = (Path(DEFAULT if number == 1 else f"{DEFAULT}-{number}") for number in count(1))
    return next(path for path in names if not path.exists())
