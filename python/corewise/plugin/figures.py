"""For pages and pictures: HTML pages of tables, link curves, colours of series."""

from corewise.page import TextTable, tables_page, write_page
from corewise.plots.picture_file import Picture
from corewise.plots.style import SERIES_COLOURS

__all__ = ["SERIES_COLOURS", "Picture", "TextTable", "tables_page", "write_page"]
