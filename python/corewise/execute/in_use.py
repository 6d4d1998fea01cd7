"""Creates hidden folders that are marked as in use, and removes those of killed commands.

A command and the launcher that it starts hold a lock on a file in the folder. The kernel releases the lock
when both have ended. Process IDs would not do: they are reused, and they differ between PID namespaces.
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

_LOCK = "in-use"  # binder/corewise_bind.c uses this name and the prefix of hidden folders
_HIGH = 900  # keeps low descriptor numbers free, as for a launcher without corewise
_held: set[int] = set()


@contextmanager
def inherited_locks() -> Iterator[None]:
    """Processes that are started in the block inherit all present locks."""
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
    """A new folder in `parent` that only the user can enter, marked as in use while the block runs.

    At the end it is removed unless `keeps` returns True. First, this removes abandoned folders of the same
    user and prefix. Raises OSError if no folder can be created.
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
    """Removes the folders in `parent` of this user's commands that were killed on this host."""
    name = re.compile(re.escape(prefix) + r"[a-z0-9_]{8}")  # the names of tempfile.mkdtemp()
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
    """Creates and holds the lock; None if the file system has no locks. Such a folder is never removed.

    The lock contains this host's boot ID, because some file systems don't show locks to other hosts. The file
    gets its final name when the lock is held.
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
    except OSError:  # the limit (ulimit -n) is low
        return descriptor
    os.close(descriptor)
    return moved


def _is_abandoned(path: Path) -> bool:
    """Whether the folder has a lock file of this host whose lock nobody holds."""
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
