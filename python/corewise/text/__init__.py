"""Formats numbers and tables as text. Imports no other package, so that all may use it."""
