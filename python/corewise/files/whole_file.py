"""Writing a file whole or not at all: beside its name first, then renamed."""

from __future__ import annotations

import os
from pathlib import Path

from corewise.errors import InputError


def write_whole(path: Path, content: str | bytes) -> None:
    """Puts `content` (text as UTF-8) at `path`, replacing what is there; a file is never half there.

    Raises InputError where `path` can't be written; what was there stays.
    """
    beside = path.parent / f".{path.name}.{os.getpid()}"
    if path.is_dir():
        raise InputError(f"{path}: could not be written (it is a directory)")
    try:
        beside.write_bytes(content.encode() if isinstance(content, str) else content)
        beside.replace(path)
    except OSError as error:
        raise InputError(f"{path}: could not be written ({error.strerror})") from error
    finally:
        if beside.exists():
            beside.unlink()
