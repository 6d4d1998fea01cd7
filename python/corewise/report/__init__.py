"""The HTML report: one file that loads nothing; each section is a module here and a template of its name."""

from corewise.report.page import runs_page, tables_page, tune_page, write_page
from corewise.report.steering import SteeredLog
from corewise.report.tables import TextTable

__all__ = ["SteeredLog", "TextTable", "runs_page", "tables_page", "tune_page", "write_page"]
