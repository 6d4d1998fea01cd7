"""The style of pictures outside the page: colours, fonts and sizes for a screen or for a paper."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal
from xml.etree import ElementTree

if TYPE_CHECKING:
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.figure import Figure

Style = Literal["page", "paper"]

# The light colours in page/templates/style.css, by their names; a test compares both.
COLOURS = {
    "page": "#ffffff",
    "text": "#1f2428",
    "quiet": "#5b646d",
    "line": "#d9dee3",
    "raised": "#f5f7f9",
    "default": "#5b646d",
    "best": "#0072b2",
    "worst": "#d55e00",
    "marked": "#e69f00",
    "shade-1": "#e6eff7",
    "shade-2": "#cbdff0",
    "shade-3": "#a5c9e4",
    "shade-4": "#79aed4",
    "shade-5": "#4f90c1",
    "shade-6": "#2f71a8",
    "shade-7": "#1a5289",
    "shade-8": "#0b3563",
}
BLUES = [COLOURS[f"shade-{number}"] for number in range(1, 9)]
FONTS = ["Liberation Sans", "Arial", "Helvetica", "DejaVu Sans"]
FONT_SIZE = 12  # px, of SVGs
PIXELS = 96  # per inch, as in CSS

# Width of a column (ACM 3.33, IEEE 3.5 inches), and size of its text.
COLUMN_INCHES, PAPER_POINTS = 3.33, 7.0
PAGE_INCHES = 7.0  # both columns
WIDEST_IN_COLUMN = 8.0  # inches; wider pictures are not readable in a column
PAGE_PIXELS = 640  # width of an SVG, as on the page
COLUMN_PIXELS = 360  # width of an SVG whose text has 8 points in a column

# The page's CSS rules for shapes, by class; later rules override earlier ones.
_RULES: dict[str, dict[str, str]] = {
    "tick": {"fill": COLOURS["quiet"], "font-size": "11"},
    "name": {"font-weight": "500"},
    "grid": {"stroke": COLOURS["line"]},
    "zero": {"stroke": COLOURS["quiet"]},
    "interval": {"fill": "currentColor", "opacity": "0.16"},
    "median": {"stroke": "currentColor", "stroke-width": "2"},
    "frame": {"fill": "none", "stroke": COLOURS["line"]},
    "cell": {"stroke": COLOURS["line"]},
    "opened": {"stroke": COLOURS["marked"], "stroke-width": "2"},
    "tree-background": {"fill": "none"},
    "tree-box": {"fill": COLOURS["raised"], "stroke": COLOURS["line"]},
    "tree-node": {"fill": COLOURS["page"], "stroke": COLOURS["line"]},
    "tree-core": {"fill": COLOURS["page"], "stroke": COLOURS["line"]},
    "tree-rank": {"fill": COLOURS["shade-2"], "stroke": COLOURS["shade-5"]},
    "tree-network": {"fill": "none"},
    "tree-track": {"fill": COLOURS["line"]},
    "tree-bar": {"fill": COLOURS["worst"]},
    "tree-load": {"fill": COLOURS["quiet"]},
    "tree-legend": {"fill": COLOURS["quiet"]},
    "series": {"fill": "currentColor"},
    "stay": {"stroke": COLOURS["page"]},
    "decision-kept": {"stroke": COLOURS["text"], "stroke-width": "2"},
    "decision-undone": {"stroke": COLOURS["worst"], "stroke-width": "2"},
    "decision-open": {"stroke": COLOURS["quiet"]},
    "decision-advice": {"stroke": COLOURS["marked"], "stroke-width": "2"},
    "shade-0": {"fill": "none"},
    **{f"shade-{number}": {"fill": colour} for number, colour in enumerate(BLUES, start=1)},
    **{f"series-{label}": {"color": COLOURS[label]} for label in ("default", "best", "worst")},
}
_OF_TAGS = {"circle": {"fill": "currentColor", "fill-opacity": "0.75"}, "text": {"fill": COLOURS["text"]}}
NAMESPACE = "http://www.w3.org/2000/svg"


def themed(svg: str, style: Style = "page") -> str:
    """An SVG of the page with the style sheet's rules as attributes; scaled to a column for a paper."""
    ElementTree.register_namespace("", NAMESPACE)
    root = ElementTree.fromstring(svg)
    if style == "paper":
        width, height = float(root.get("width", 1)), float(root.get("height", 1))
        fits = width_inches(width / PIXELS, style)
        root.set("width", f"{fits:.3g}in")
        root.set("height", f"{fits * height / width:.3g}in")
    root.set("font-family", ", ".join(FONTS + ["sans-serif"]))
    root.set("font-size", str(FONT_SIZE))
    _resolve(root, COLOURS["text"])
    return ElementTree.tostring(root, encoding="unicode")


def _resolve(element: ElementTree.Element, colour: str) -> None:
    """Replaces classes by attributes; `colour` is the value of currentColor."""
    tag = element.tag.removeprefix(f"{{{NAMESPACE}}}")
    wanted = dict(_OF_TAGS.get(tag, {}))
    for name in element.attrib.pop("class", "").split():
        wanted |= _RULES.get(name, {})
    colour = wanted.pop("color", colour)
    for name, value in wanted.items():
        element.set(name, colour if value == "currentColor" else value)
    for child in element:
        _resolve(child, colour)


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
        "savefig.dpi": 300 if style == "paper" else "figure",
    }
