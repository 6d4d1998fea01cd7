"""For pages and pictures: HTML pages of tables, link curves, colours of series."""

from corewise.page import TextTable, tables_page, write_page
from corewise.plots.link_curves import link_curves
from corewise.plots.style import SERIES_COLOURS

__all__ = ["SERIES_COLOURS", "TextTable", "link_curves", "tables_page", "write_page"]
