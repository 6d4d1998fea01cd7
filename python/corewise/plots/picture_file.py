"""Writing a figure as .png, .svg or .html, by the file's ending."""

from __future__ import annotations

import io
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from corewise.errors import InputError
from corewise.files.whole_file import write_whole
from corewise.plots.png import check_png_target, write_png

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PICTURE_ENDINGS = (".html", ".png", ".svg")


def check_picture_target(path: Path, endings: tuple[str, ...] = PICTURE_ENDINGS) -> None:
    """Raises InputError for another ending, and for a file that is there already; a PNG may be replaced."""
    if path.suffix.lower() not in endings:
        raise InputError(f"{path}: ends in '{path.suffix}'; expected one of {', '.join(endings)}")
    if path.suffix.lower() == ".png":
        check_png_target(path)
    elif path.exists() or path.is_symlink():
        raise InputError(f"{path}: is there already and stays as it is; give another name")


def write_picture(path: Path, figure: Figure, title: str) -> None:
    """Writes the figure whole; `title` is an HTML page's. Raises what check_picture_target() raises."""
    check_picture_target(path)
    ending = path.suffix.lower()
    file = io.BytesIO()
    figure.savefig(file, format="png" if ending == ".png" else "svg")
    if ending == ".png":
        write_png(path, file.getvalue())
    elif ending == ".svg":
        write_whole(path, file.getvalue())
    else:
        svg = file.getvalue().decode()
        head = f'<meta charset="utf-8"><title>{escape(title)}</title>'
        write_whole(path, f'<!DOCTYPE html>\n<html lang="en">{head}{svg[svg.index("<svg") :]}</html>\n')
