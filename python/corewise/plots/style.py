"""The style of pictures: colours, fonts and sizes for a screen or for a paper."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.figure import Figure

Style = Literal["page", "paper"]

# The style sheet of pages; pictures have its light colours.
STYLE_SHEET = Path(__file__).with_name("style.css").read_text(encoding="utf-8")
COLOURS: dict[str, str] = dict(re.findall(r"--([\w-]+): (#\w{6})", STYLE_SHEET.partition("@media")[0]))
BLUES = [COLOURS[f"shade-{number}"] for number in range(1, 9)]
# Okabe and Ito's colours, which colour-blind readers can distinguish.
SERIES_COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#5b646d")
FONTS = ["Liberation Sans", "Arial", "Helvetica", "DejaVu Sans"]

# Width of a column (ACM 3.33, IEEE 3.5 inches), and size of its text.
COLUMN_INCHES, PAPER_POINTS = 3.33, 7.0
PAGE_INCHES = 7.0  # both columns
WIDEST_IN_COLUMN = 8.0  # inches; wider pictures are not readable in a column


def width_inches(inches: float, style: Style) -> float:
    """The width in `style` of a picture that is `inches` wide; wide pictures get both columns of a paper."""
    if style == "page":
        return inches
    return min(inches, COLUMN_INCHES if inches <= WIDEST_IN_COLUMN else PAGE_INCHES)


@contextmanager
def fitted(draw: Callable[[], Figure], style: Style) -> Iterator[Figure]:
    """The figure that `draw` returns, with the fonts of `style`; without a title for a paper."""
    from matplotlib import rc_context

    with rc_context(settings(style)):
        figure = draw()
        if style == "paper":
            width, height = figure.get_size_inches()
            fits = width_inches(width, style)
            figure.set_size_inches(fits, height * fits / width)
            figure.suptitle("")
            for axes in figure.axes:
                axes.set_title("")
        yield figure


def blues() -> LinearSegmentedColormap:
    """The shades of the page as a colour map; higher values are darker."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("corewise", BLUES)


def settings(style: Style) -> Any:
    """Matplotlib's settings: fonts and colours of the page, fonts embedded in PDF files."""
    size = PAPER_POINTS if style == "paper" else 10.0
    return {
        "font.family": "sans-serif",
        "font.sans-serif": FONTS,
        "font.size": size,
        "axes.titlesize": size,
        "axes.edgecolor": COLOURS["quiet"],
        "axes.labelcolor": COLOURS["text"],
        "text.color": COLOURS["text"],
        "xtick.color": COLOURS["quiet"],
        "ytick.color": COLOURS["quiet"],
        "grid.color": COLOURS["line"],
        "pdf.fonttype": 42,
        "svg.fonttype": "none",
        "svg.hashsalt": "corewise",
        "savefig.dpi": 300 if style == "paper" else "figure",
    }
