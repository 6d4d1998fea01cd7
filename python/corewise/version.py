"""The version of the package, which documents and pages name."""

__version__ = "0.1.0"
