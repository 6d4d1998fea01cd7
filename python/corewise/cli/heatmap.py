"""Prints a matrix as a heat map."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from corewise.model import CommMatrix


def print_heatmap(matrix: CommMatrix, most_width: int | None = None) -> None:
    """Prints coloured half blocks on a terminal with enough colours, else shading characters.

    If the environment forbids colours (NO_COLOR, no-color.org), half blocks would all be the same.
    """
    from rich.console import Console

    from corewise.plots.heatmap import colour_heatmap, text_heatmap

    console = Console(highlight=False)
    width = min(console.width, most_width or console.width)
    has_colours = console.is_terminal and not console.no_color
    if has_colours and console.color_system in ("256", "truecolor"):
        console.print(colour_heatmap(matrix, width))
    else:
        click.echo("\n".join(text_heatmap(matrix, width)))
