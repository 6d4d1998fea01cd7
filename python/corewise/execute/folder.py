"""Folders that a command makes: the new one of a tune, and a hidden one that is removed at the end."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from itertools import count
from pathlib import Path

from corewise.errors import InputError
from corewise.execute.exchangeable import refuse_exchangeable, who_could_exchange
from corewise.execute.in_use import hidden_folder, remove_abandoned
from corewise.execute.this_node import is_this_host

DEFAULT = "corewise-tune"
HIDDEN = ".corewise-"  # how names of hidden folders begin
Keeps = Callable[[Path, BaseException], bool]


@contextmanager
def fresh_folder(wanted: Path | None, keeps: Keeps = lambda folder, error: False) -> Iterator[Path]:
    """Makes `wanted`, or the first of corewise-tune, corewise-tune-2, ... that isn't there (absolute path).

    Removed again when the block ends in an exception, Ctrl-C included, unless `keeps` says so.
    Raises InputError where `wanted` can't be made, and as refuse_existing() and refuse_exchangeable() do.
    """
    folder = (wanted or _unused()).absolute()
    try:
        refuse_existing(folder)
        refuse_exchangeable(folder)
        folder.mkdir(parents=True, exist_ok=True)
        refuse_existing(folder)  # another user may have been faster
    except OSError as error:
        raise InputError(f"could not be made ({error.strerror})", path=folder) from error
    try:
        yield folder
    except BaseException as error:
        if not keeps(folder, error):
            shutil.rmtree(folder, ignore_errors=True)
        raise


def refuse_existing(folder: Path) -> None:
    """Raises InputError if `folder` is there already, unless it is an empty folder of the user's own.

    What another user owns can be changed under a running job, and a link leads wherever its owner wants.
    """
    try:
        found = folder.lstat()
    except FileNotFoundError:
        return
    except OSError as error:
        raise InputError(f"could not be made ({error.strerror})", path=folder) from error
    if stat.S_ISDIR(found.st_mode):
        remove_abandoned(folder, HIDDEN)
    if not stat.S_ISDIR(found.st_mode) or any(folder.iterdir()):
        raise InputError(f"{folder} already exists; choose another folder or remove it")
    if found.st_uid != os.geteuid():
        raise InputError(
            f"{folder} belongs to another user (number {found.st_uid}); choose one of your folders"
        )


def refuse_foreign_link(folder: Path) -> None:
    """Raises InputError if `folder` is another user's link: they would choose the target."""
    try:
        found = folder.lstat()
    except OSError:
        return  # nothing there, or nothing that can be written to: making it says so
    if stat.S_ISLNK(found.st_mode) and found.st_uid != os.geteuid():
        raise InputError(
            f"{folder} is a link of another user (number {found.st_uid}); choose one of your folders"
        )


@contextmanager
def private_folder(parent: Path, keeps: Callable[[Path], bool] = lambda folder: False) -> Iterator[Path]:
    """A hidden folder in `parent` that only the user can enter (absolute path), removed at the end unless
    `keeps` says that it holds what would be lost.

    Raises InputError where it can't be made, and as refuse_exchangeable() does.
    """
    refuse_exchangeable(parent / HIDDEN)
    with ExitStack() as stack:
        try:
            path = stack.enter_context(hidden_folder(parent, HIDDEN, keeps))
        except OSError as error:
            raise InputError(f"{parent} can't be written to ({error.strerror})") from error
        yield path


class InUse(InputError):
    """Another command was given the same folder at the same time, and what is in it is that one's."""


@contextmanager
def alone_in(folder: Path) -> Iterator[Path]:
    """A private_folder() in the empty folder that a command has made, as a sign that it is in use.

    Of two commands that are given one name at the same time, one at least raises InUse.
    """
    with private_folder(folder) as own:
        if list(folder.iterdir()) != [own]:
            raise InUse(f"{folder} is in use by another command; choose another folder")
        yield own


def working_directory(
    keeps: Callable[[Path], bool] = lambda folder: False,
    hosts: Sequence[str] | None = None,
) -> AbstractContextManager[Path]:
    """A private_folder() for a plan's files and the profile, where no other user could exchange it.

    If all `hosts` are this one, it lies in the temporary directory, so that the program finds nothing new in
    its own. Else it lies in the current directory, which a job's nodes share more often than the temporary
    one. Where another user could exchange it there, it lies in the home directory, else in the remaining
    one. Raises InputError if that could happen in all of them.
    """
    home = Path(os.path.expanduser("~"))  # "~" itself for a user without one
    places = [Path.cwd(), *([home] if home.is_absolute() else []), Path(tempfile.gettempdir()).absolute()]
    if hosts is not None and all(map(is_this_host, hosts)):
        places.reverse()
    reasons = [who_could_exchange(place) for place in places]
    if None not in reasons:
        raise InputError(
            f"nowhere can a private folder be made: {'; '.join(filter(None, reasons))}; start corewise in a "
            "folder of your own"
        )
    return private_folder(places[reasons.index(None)], keeps)


def _unused() -> Path:
    names = (Path(DEFAULT if number == 1 else f"{DEFAULT}-{number}") for number in count(1))
    return next(path for path in names if not path.exists())
