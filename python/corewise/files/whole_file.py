"""Writes files whole or not at all: under a temporary name first, then renamed."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from corewise.errors import InputError
from corewise.text.escaping import printable


def write_whole(path: Path, content: str | bytes | Iterable[str]) -> None:
    """Writes `content` to `path`; a regular file there is replaced, and its mode is kept.

    Text, whole or in pieces, is written as printable UTF-8.

    The new file has an unpredictable name until it is renamed, so that a file is never incomplete, and no
    link that another user prepared is followed. Raises InputError if `path` can't be written, or if it is not
    a regular file (a folder, a device, a symbolic link).
    """
    mode = _mode_of_replaced(path)
    temporary = path.with_name(f".corewise-{os.urandom(8).hex()}")
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
        with open(descriptor, "wb") as file:
            if mode is not None:
                os.fchmod(descriptor, mode)
            if isinstance(content, bytes):
                file.write(content)
            else:
                for piece in [content] if isinstance(content, str) else content:
                    file.write(printable(piece).encode())
        temporary.replace(path)
    except OSError as error:
        raise InputError(f"could not be written ({error.strerror})", path=path) from error
    finally:
        with suppress(OSError):
            temporary.unlink()


def write_new(path: Path, content: str) -> None:
    """Writes `content` to `path`; raises InputError if `path` exists."""
    if os.path.lexists(path):
        raise InputError("already exists; choose another name or remove it", path=path)
    write_whole(path, content)


def check_folder(path: Path) -> None:
    """Raises InputError if the folder of `path` does not exist."""
    if not path.absolute().parent.is_dir():
        raise InputError("its folder does not exist; expected an existing folder", path=path)


def _mode_of_replaced(path: Path) -> int | None:
    """Permission bits of the file at `path`; None if there is none."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError(f"could not be written ({error.strerror})", path=path) from error
    if not stat.S_ISREG(mode):
        raise InputError(
            f"could not be written (it is {_kind(mode)}; expected the name of a regular file)", path=path
        )
    return stat.S_IMODE(mode)


def _kind(mode: int) -> str:
    kinds = {
        stat.S_IFDIR: "a directory",
        stat.S_IFLNK: "a symbolic link",
        stat.S_IFIFO: "a FIFO",
        stat.S_IFSOCK: "a socket",
    }
    return kinds.get(stat.S_IFMT(mode), "a device")
