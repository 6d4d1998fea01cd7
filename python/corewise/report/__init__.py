"""The HTML report: one file that loads nothing; each section is a module here and a template of its name."""

from corewise.report.page import runs_page, sweep_page, tune_page, write_page

__all__ = ["runs_page", "sweep_page", "tune_page", "write_page"]
