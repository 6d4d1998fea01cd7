"""For pages and pictures: HTML pages of tables, colours of series."""

from corewise.page import TextTable, tables_page, write_page
from corewise.plots.style import SERIES_COLOURS

__all__ = ["SERIES_COLOURS", "TextTable", "tables_page", "write_page"]
