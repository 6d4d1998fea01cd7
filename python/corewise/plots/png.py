"""Writing a PNG file without harming what is there."""

from __future__ import annotations

import os
from pathlib import Path

from corewise.errors import InputError

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def write_png(path: Path, png: bytes) -> None:
    """Writes beside `path` and renames, so that the file is never half there.

    Raises InputError where `path` holds anything but a PNG, or can't be written.
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        if path.exists() and not _is_png(path):
            raise InputError(f"{path}: exists and is no PNG file, so it stays as it is; give another name")
        beside.write_bytes(png)
        beside.replace(path)
    except OSError as error:
        raise InputError(f"{path}: could not be written ({error.strerror})") from error
    finally:
        beside.unlink(missing_ok=True)


def _is_png(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(SIGNATURE)) == SIGNATURE
