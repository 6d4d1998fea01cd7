"""Creates a command's folders: new ones for results, and hidden temporary ones."""

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
from corewise.start.exchangeable import refuse_exchangeable, who_could_exchange
from corewise.start.this_node import is_this_host

DEFAULT = "corewise-tune"
HIDDEN = ".corewise-"  # prefix of hidden folders
Keeps = Callable[[Path, BaseException], bool]


@contextmanager
def fresh_folder(wanted: Path | None, keeps: Keeps = lambda folder, error: False) -> Iterator[Path]:
    """Creates `wanted`, or the first unused name of corewise-tune, corewise-tune-2, ... (absolute path).

    If the block ends with an exception, including Ctrl-C, the folder is removed unless `keeps` returns True.
    Raises InputError if `wanted` can't be created, and as refuse_existing() and refuse_exchangeable() do.
    """
    folder = (wanted or _unused()).absolute()
    try:
        refuse_existing(folder)
        refuse_exchangeable(folder)
        folder.mkdir(parents=True, exist_ok=True)
        refuse_existing(folder)  # another user may have created it meanwhile
    except OSError as error:
        raise InputError(f"could not be made ({error.strerror})", path=folder) from error
    try:
        yield folder
    except BaseException as error:
        if not keeps(folder, error):
            shutil.rmtree(folder, ignore_errors=True)
        raise


def refuse_existing(folder: Path) -> None:
    """Raises InputError if `folder` exists, unless it is an empty folder of the user.

    Another user could change a folder of theirs while the job runs, or redirect a link.
    """
    try:
        found = folder.lstat()
    except FileNotFoundError:
        return
    except OSError as error:
        raise InputError(f"could not be made ({error.strerror})", path=folder) from error
    if not stat.S_ISDIR(found.st_mode) or any(folder.iterdir()):
        raise InputError(f"{folder} already exists; choose another folder or remove it")
    if found.st_uid != os.geteuid():
        raise InputError(
            f"{folder} belongs to another user (number {found.st_uid}); choose one of your folders"
        )


def refuse_foreign_link(folder: Path) -> None:
    """Raises InputError if `folder` is another user's link, because they could choose the target."""
    try:
        found = folder.lstat()
    except OSError:
        return  # creating the folder reports the error
    if stat.S_ISLNK(found.st_mode) and found.st_uid != os.geteuid():
        raise InputError(
            f"{folder} is a link of another user (number {found.st_uid}); choose one of your folders"
        )


@contextmanager
def hidden_folder(
    parent: Path, prefix: str, keeps: Callable[[Path], bool] = lambda folder: False
) -> Iterator[Path]:
    """A new folder in `parent` that only the user can enter; it is removed at the end unless `keeps` is True.

    It stays if this process is killed. Raises OSError if no folder can be created.
    """
    path = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
    try:
        yield path
    finally:
        if not keeps(path):
            shutil.rmtree(path, ignore_errors=True)


@contextmanager
def private_folder(parent: Path, keeps: Callable[[Path], bool] = lambda folder: False) -> Iterator[Path]:
    """A hidden folder in `parent` that only the user can enter (absolute path).

    It is removed at the end unless `keeps` returns True. Raises InputError if it can't be created, and as
    refuse_exchangeable() does.
    """
    refuse_exchangeable(parent / HIDDEN)
    with ExitStack() as stack:
        try:
            path = stack.enter_context(hidden_folder(parent, HIDDEN, keeps))
        except OSError as error:
            raise InputError(f"{parent} can't be written to ({error.strerror})") from error
        yield path


class InUse(InputError):
    """Another command uses the same folder at the same time; its contents belong to that command."""


@contextmanager
def alone_in(folder: Path) -> Iterator[Path]:
    """A private_folder() in a command's empty new folder, so that no other command takes it.

    If two commands get the same name at the same time, at least one raises InUse.
    """
    with private_folder(folder) as own:
        if list(folder.iterdir()) != [own]:
            raise InUse(f"{folder} is in use by another command; choose another folder")
        yield own


def working_directory(
    keeps: Callable[[Path], bool] = lambda folder: False,
    hosts: Sequence[str] | None = None,
) -> AbstractContextManager[Path]:
    """A private_folder() for a plan's files and the profile, at a place where no other user can exchange it.

    If all `hosts` are this one, it is in the temporary directory, so that the program's own folder stays
    unchanged. Otherwise it is in the current directory, which nodes share more often than the temporary one.
    If another user could exchange it there, the home directory is next, then the remaining one. Raises
    InputError if none of them is safe.
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
