"""Writing a picture as PNG, SVG or HTML page without harming what is there."""

from __future__ import annotations

import io
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from corewise.errors import InputError
from corewise.files.whole_file import check_folder, write_whole
from corewise.plots.png import SIGNATURE, FileFormat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure

Form = Literal["png", "svg", "html"]
FORMS: tuple[Form, ...] = ("png", "svg", "html")

_HTML_HEAD = '<!DOCTYPE html>\n<html lang="en"><meta charset="utf-8"><title>'
_BEGINS = {"png": (SIGNATURE,), "svg": (b"<svg ", b"<?xml"), "html": (_HTML_HEAD.encode(),)}
_KINDS = {"png": "no PNG file", "svg": "no SVG file", "html": "no picture of corewise"}


class Picture(NamedTuple):
    """A file to be written and what it is to hold."""

    path: Path
    form: Form

    @staticmethod
    def by_ending(path: Path, forms: Sequence[Form] = FORMS) -> Picture:
        """Raises InputError for an ending that is none of `forms`."""
        for form in forms:
            if path.suffix.lower() == f".{form}":
                return Picture(path, form)
        endings = ", ".join(f".{form}" for form in forms)
        raise InputError(f"ends in '{path.suffix}'; expected one of {endings}", path=path)

    @property
    def drawn_as(self) -> FileFormat:
        """What write() takes: an HTML page holds an SVG."""
        return "png" if self.form == "png" else "svg"

    def check(self) -> None:
        """Raises InputError where the file is of another kind, or where its folder is not there."""
        check_folder(self.path)
        if not self.path.is_file():
            return
        begins = _BEGINS[self.form]
        with self.path.open("rb") as file:
            begin = file.read(max(map(len, begins)))
        if not begin.startswith(begins):
            kind = _KINDS[self.form]
            raise InputError(f"exists and is {kind}, so it stays as it is; give another name", path=self.path)

    def write(self, content: str | bytes, title: str = "") -> None:
        """Writes the file whole: a PNG or an SVG, as `drawn_as` says; `title` is an HTML page's.

        Raises what check() raises, and InputError where the file can't be written.
        """
        self.check()
        if self.form == "html":
            svg = content if isinstance(content, str) else content.decode()
            content = f"{_HTML_HEAD}{escape(title)}</title>{svg[svg.index('<svg') :]}</html>\n"
        write_whole(self.path, content)

    def write_figure(self, figure: Figure, title: str) -> None:
        """Writes a figure of Matplotlib, as write() does."""
        self.check()
        file = io.BytesIO()
        figure.savefig(file, format=self.drawn_as)
        self.write(file.getvalue(), title)
