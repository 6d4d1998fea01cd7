"""Writes a picture as PNG, SVG or PDF, and never replaces other kinds of files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from corewise.errors import InputError
from corewise.files.whole_file import check_folder, write_whole
from corewise.plots.style import Style, fitted

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.figure import Figure

Form = Literal["png", "svg", "pdf"]
SIGNATURE = b"\x89PNG\r\n\x1a\n"  # of PNG files
_BEGINS: dict[Form, tuple[bytes, ...]] = {
    "png": (SIGNATURE,),
    "svg": (b"<svg ", b"<?xml"),
    "pdf": (b"%PDF-",),
}


class Picture(NamedTuple):
    """A picture file to write; style "paper" is for a column of a paper."""

    path: Path
    form: Form
    style: Style = "page"

    @staticmethod
    def by_ending(path: Path, style: Style = "page") -> Picture:
        """The form by the path's suffix; raises InputError if it is none of _BEGINS."""
        for form in _BEGINS:
            if path.suffix.lower() == f".{form}":
                return Picture(path, form, style)
        endings = ", ".join(f".{form}" for form in _BEGINS)
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
            kind = self.form.upper()
            raise InputError(
                f"exists and is no {kind} file, so it stays unchanged; give another name", path=self.path
            )

    def write(self, content: bytes) -> None:
        """Writes the file whole; raises what check() raises, and InputError if it can't be written."""
        self.check()
        write_whole(self.path, content)

    def write_figure(self, draw: Callable[[], Figure]) -> None:
        """Writes the Matplotlib figure that `draw` returns; raises as write() does."""
        from corewise.plots.drawing import saved

        self.check()
        with fitted(draw, self.style) as figure:
            self.write(saved(figure, self.form))
