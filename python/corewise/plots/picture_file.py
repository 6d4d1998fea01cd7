"""Writes a picture as PNG, SVG, PDF or HTML, and never replaces other kinds of files."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from corewise.errors import InputError
from corewise.files.whole_file import check_folder, write_whole
from corewise.plots.style import Style, fitted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.figure import Figure

Form = Literal["png", "svg", "pdf", "html"]
SIGNATURE = b"\x89PNG\r\n\x1a\n"  # of PNG files
FORMS: tuple[Form, ...] = ("png", "svg", "pdf", "html")

_HTML_HEAD = '<!DOCTYPE html>\n<html lang="en"><meta charset="utf-8"><title>'
_BEGINS = {
    "png": (SIGNATURE,),
    "svg": (b"<svg ", b"<?xml"),
    "pdf": (b"%PDF-",),
    "html": (_HTML_HEAD.encode(),),
}
_KINDS = {"png": "no PNG file", "svg": "no SVG file", "pdf": "no PDF file", "html": "no picture of corewise"}


class Picture(NamedTuple):
    """A picture file to write; style "paper" is for a column of a paper."""

    path: Path
    form: Form
    style: Style = "page"

    @staticmethod
    def by_ending(path: Path, forms: Sequence[Form] = FORMS, style: Style = "page") -> Picture:
        """The form by the path's suffix; raises InputError if it is none of `forms`."""
        for form in forms:
            if path.suffix.lower() == f".{form}":
                return Picture(path, form, style)
        endings = ", ".join(f".{form}" for form in forms)
        raise InputError(f"ends in '{path.suffix}'; expected one of {endings}", path=path)

    def check(self) -> None:
        """Raises InputError if the file exists and is of another kind, or if its folder doesn't exist."""
        check_folder(self.path)
        if not self.path.is_file():
            return
        begins = _BEGINS[self.form]
        with self.path.open("rb") as file:
            begin = file.read(max(map(len, begins)))
        if not begin.startswith(begins):
            kind = _KINDS[self.form]
            raise InputError(
                f"exists and is {kind}, so it stays unchanged; give another name", path=self.path
            )

    def write(self, content: str | bytes, title: str = "") -> None:
        """Writes the file whole; `content` has the file's form, or is an SVG for HTML with `title`.

        Raises what check() raises, and InputError if the file can't be written.
        """
        self.check()
        if self.form == "html":
            svg = content if isinstance(content, str) else content.decode()
            content = f"{_HTML_HEAD}{escape(title)}</title>{svg[svg.index('<svg') :]}</html>\n"
        write_whole(self.path, content)

    def write_figure(self, draw: Callable[[], Figure], title: str) -> None:
        """Writes the Matplotlib figure that `draw` returns; raises as write() does."""
        from corewise.plots.drawing import saved

        self.check()
        with fitted(draw, self.style) as figure:
            self.write(saved(figure, "svg" if self.form == "html" else self.form), title)
