"""Writing a PNG file without harming what is there."""

from __future__ import annotations

from pathlib import Path

from corewise.errors import InputError
from corewise.whole_file import write_whole

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def write_png(path: Path, png: bytes) -> None:
    """Writes the file whole; raises InputError where `path` holds anything but a PNG, or can't be written."""
    if path.is_file() and not _is_png(path):
        raise InputError(f"{path}: exists and is no PNG file, so it stays as it is; give another name")
    write_whole(path, png)


def _is_png(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(SIGNATURE)) == SIGNATURE
