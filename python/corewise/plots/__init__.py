"""Figures: SVG for pages, and files in PNG, SVG, PDF and HTML."""
