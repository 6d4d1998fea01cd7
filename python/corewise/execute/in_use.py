"""Hidden folders that say whether they are in use, and the removal of those that a killed command left.

A command holds a lock on a file in its folder, and so does the launcher that it starts: the lock lasts as
long as one of them lives, in whatever PID namespace. Nothing else tells: numbers of processes are used again,
and mean another process in a container.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from corewise.execute.this_node import boot_id

_LOCK = "in-use"  # binder/corewise_bind.c knows that name, and how those of hidden folders begin
_HIGH = 900  # a launcher and its ranks get the numbers of descriptors that they get without corewise
_held: set[int] = set()


@contextmanager
def inherited_locks() -> Iterator[None]:
    """Processes that are started in the block hold the locks that are held now, too."""
    for descriptor in _held:
        os.set_inheritable(descriptor, True)
    try:
        yield
    finally:
        for descriptor in _held:
            os.set_inheritable(descriptor, False)


@contextmanager
def hidden_folder(
    parent: Path, prefix: str, keeps: Callable[[Path], bool] = lambda folder: False
) -> Iterator[Path]:
    """A new folder in `parent` that only the user can enter, in use while the block runs and then removed
    unless `keeps` says that it holds what would be lost.

    Before, folders of the same user and prefix are removed that nobody uses. Raises OSError where no folder
    can be made.
    """
    remove_abandoned(parent, prefix)
    path = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
    descriptor = _lock_in(path)
    try:
        if descriptor is not None:
            _held.add(descriptor)
        yield path
    finally:
        if keeps(path):
            with suppress(OSError):
                (path / _LOCK).unlink()
        else:
            shutil.rmtree(path, ignore_errors=True)
        if descriptor is not None:
            _held.discard(descriptor)
            os.close(descriptor)


def remove_abandoned(parent: Path, prefix: str) -> None:
    """Removes what commands of this user on this host left in `parent` when they were killed."""
    name = re.compile(re.escape(prefix) + r"[a-z0-9_]{8}")  # as tempfile.mkdtemp() makes them
    try:
        paths = [Path(entry.path) for entry in os.scandir(parent) if name.fullmatch(entry.name)]
    except OSError:
        return
    for path in paths:
        if _is_private(path) and _is_abandoned(path):
            shutil.rmtree(path, ignore_errors=True)


def _is_private(path: Path) -> bool:
    try:
        found = path.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & 0o077


def _lock_in(path: Path) -> int | None:
    """Makes the lock and holds it; None if the file system has no locks: then nobody removes the folder.

    The lock names this boot of this host, since on some file systems another host does not see it. It gets
    its name once it is held.
    """
    draft = path / f"{_LOCK}.new"
    descriptor = os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        os.write(descriptor, boot_id().encode())
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        draft.rename(path / _LOCK)
    except OSError:
        os.close(descriptor)
        return None
    return _moved_up(descriptor)


def _moved_up(descriptor: int) -> int:
    try:
        moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _HIGH)
    except OSError:  # of a low limit (ulimit -n)
        return descriptor
    os.close(descriptor)
    return moved


def _is_abandoned(path: Path) -> bool:
    """Whether the folder has a lock of this host that nobody holds."""
    try:
        descriptor = os.open(path / _LOCK, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError:
        return False
    try:
        if not boot_id() or os.read(descriptor, 64).decode(errors="replace") != boot_id():
            return False
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return True
