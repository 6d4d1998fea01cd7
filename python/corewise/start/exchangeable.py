"""Refuses folders that another user could replace while a command runs.

Ranks and the launcher open their files by name, from other processes and nodes. A user who may rename
a folder on the path can put another folder or a link in its place. This user then decides what the ranks read
and where they write.
"""

from __future__ import annotations

import grp
import os
import pwd
import stat
from collections.abc import Iterator
from pathlib import Path, PurePath

from corewise.errors import InputError

_MOST_LINKS = 40  # the kernel's limit (path_resolution(7))


def refuse_exchangeable(folder: Path) -> None:
    """Raises InputError if another user could exchange a folder that is made at `folder`."""
    if reason := who_could_exchange(folder.absolute().parent):
        raise InputError(
            f"another user could exchange it while it is in use ({reason}); choose a place where "
            f"only you can rename folders, for example in {os.path.expanduser('~')}",
            path=folder,
        )


def who_could_exchange(parent: Path) -> str | None:
    """Why another user could rename entries of `parent`, an absolute path; None if nobody could.

    Root and the user are trusted. For a user other than root, folders that one of the user's groups may write
    to are shared on purpose, so their owners and the group's members are trusted too.
    """
    passed = list(_passed(parent))
    # The owner of "/" is root, even if a user namespace maps root to another number.
    trusted = {0, os.geteuid(), os.stat("/").st_uid}
    if os.geteuid() != 0:
        own = {os.getegid(), *os.getgroups()}
        trusted |= {
            found.st_uid for _, found in passed if found.st_mode & stat.S_IWGRP and found.st_gid in own
        }
    else:
        own = {0}
    reasons = (_reason(path, found, trusted, own) for path, found in passed)
    return next(filter(None, reasons), None)


def _reason(path: Path, found: os.stat_result, trusted: set[int], own_groups: set[int]) -> str | None:
    if found.st_uid not in trusted:
        return f"{path} belongs to user number {found.st_uid}"
    if stat.S_ISLNK(found.st_mode) or found.st_mode & stat.S_ISVTX:
        return None
    if found.st_mode & stat.S_IWOTH:
        return f"everybody may write to {path}, which has no sticky bit"
    if found.st_mode & stat.S_IWGRP and found.st_gid not in own_groups and _has_members(found.st_gid):
        return f"group number {found.st_gid} may write to {path}"
    return None


def _has_members(group: int) -> bool:
    """Whether the group has another member; True if that can't be determined."""
    try:
        members = set(grp.getgrgid(group).gr_mem)
    except KeyError:
        return True  # an unknown group
    members |= {user.pw_name for user in pwd.getpwall() if user.pw_gid == group}
    return any(_uid(name) not in (0, os.geteuid()) for name in members)


def _uid(name: str) -> int | None:
    try:
        return pwd.getpwnam(name).pw_uid
    except KeyError:
        return None


def _passed(path: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """Each existing folder and link that the kernel resolves on the way to the absolute `path`."""
    here, left, n_links = Path("/"), list(path.parts[1:]), 0
    try:
        yield here, here.lstat()
        while left:
            part = left.pop(0)
            here = here.parent if part == ".." else here / part
            found = here.lstat()
            yield here, found
            if stat.S_ISLNK(found.st_mode) and (n_links := n_links + 1) <= _MOST_LINKS:
                target = PurePath(os.readlink(here))
                left = [*target.parts[target.is_absolute() :], *left]
                here = Path("/") if target.is_absolute() else here.parent
    except OSError:  # the rest does not exist yet; what corewise creates will belong to the user
        return
