"""For tables in text."""

from corewise.page import TextTable

__all__ = ["TextTable"]
