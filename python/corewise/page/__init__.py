"""The HTML report: one file that loads nothing; each section is a module here and a template of its name."""

from corewise.page.page import fragment, runs_page, tables_page, tune_page, write_page
from corewise.page.steering import SeenLog
from corewise.page.tables import TextTable

__all__ = ["SeenLog", "TextTable", "fragment", "runs_page", "tables_page", "tune_page", "write_page"]
