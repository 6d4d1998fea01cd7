"""The HTML report, a single file. Each section is a module here and a template of the same name."""

from corewise.page.page import fragment, results_page, runs_page, tune_page, write_page
from corewise.page.steering import SeenLog
from corewise.text.table import TextTable

__all__ = [
    "SeenLog",
    "TextTable",
    "fragment",
    "results_page",
    "runs_page",
    "tune_page",
    "write_page",
]
