"""Writing SVG files without harming what is there."""

from __future__ import annotations

from pathlib import Path

from corewise.errors import InputError
from corewise.files.whole_file import write_whole


def write_svg(path: Path, svg: str | bytes) -> None:
    """Writes the file whole; raises InputError as check_svg_target() does, or where it can't be written."""
    check_svg_target(path)
    write_whole(path, svg)


def check_svg_target(path: Path) -> None:
    """Raises InputError where `path` holds a file that is no SVG."""
    if path.is_file() and not _is_svg(path):
        raise InputError(f"{path}: exists and is no SVG file, so it stays as it is; give another name")


def _is_svg(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(5) in (b"<svg ", b"<?xml")
