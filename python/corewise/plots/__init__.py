"""Figures: SVG text for the report, PNG files for `show`."""
