"""For pages and pictures: tables on an HTML page, bars with intervals, points and curves as PNG."""

from corewise.page import TextTable, tables_page, write_page
from corewise.plots.interval_bars import Panels, interval_bars_png
from corewise.plots.link_curves import link_curves_png
from corewise.plots.picture_file import Picture
from corewise.plots.scatter import Point, scatter_png
from corewise.plots.value_curves import value_curves_png

__all__ = [
    "Panels",
    "Picture",
    "Point",
    "TextTable",
    "interval_bars_png",
    "link_curves_png",
    "scatter_png",
    "tables_page",
    "value_curves_png",
    "write_page",
]
