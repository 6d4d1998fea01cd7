"""What PNG files share: their colours, and writing one without harming what is there."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from corewise.errors import InputError
from corewise.files.whole_file import write_whole

FileFormat = Literal["png", "svg"]

SIGNATURE = b"\x89PNG\r\n\x1a\n"

# Okabe and Ito's colours, told apart by colour-blind readers.
SERIES_COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#5b646d")


def write_png(path: Path, png: bytes) -> None:
    """Writes the file whole; raises InputError where `path` holds anything but a PNG, or can't be written."""
    check_png_target(path)
    write_whole(path, png)


def check_png_target(path: Path) -> None:
    """Raises InputError where `path` holds a file that is no PNG."""
    if path.is_file() and not _is_png(path):
        raise InputError(f"{path}: exists and is no PNG file, so it stays as it is; give another name")


def _is_png(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(SIGNATURE)) == SIGNATURE
