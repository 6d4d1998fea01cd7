"""`corewise show`: matrix, ratio, sizes and calls of a profile or a matrix."""

from __future__ import annotations

from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click

from corewise.text.any_bytes import json_text

if TYPE_CHECKING:
    from corewise.model import CommMatrix
    from corewise.profile.inputs import Input
    from corewise.profile.ratio import NodeRatio

TOP_PAIRS = 8


@click.command()
@click.argument("source", metavar="INPUT")
@click.option("--layer", type=click.Choice(["p2p", "coll", "rma"]), default="p2p", help="Whose traffic.")
@click.option(
    "--ranks-per-node", type=int, metavar="K", help="Form the ratio for block mapping, K ranks a node."
)
@click.option("--png", type=click.Path(path_type=Path), metavar="FILE", help="Also write the heat map there.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def command(source: str, layer: str, ranks_per_node: int | None, png: Path | None, as_json: bool) -> None:
    """Show who sends how much to whom: matrix, ratio between and within nodes, sizes, calls.

    INPUT is a profile (a directory), a matrix (.npz, Matrix Market .mtx, METIS .graph, a text square) or
    Open MPI monitoring's .prof files (their prefix, directory or any of them).

    \b
    Example:  corewise show --ranks-per-node 8 matrix.npz
    """
    from rich.console import Console

    from corewise.profile.inputs import read_input

    with Console(stderr=True).status(f"reading {source}"):
        found = read_input(source, layer)
    matrix = found.traffic.folded()
    ratio = _ratio(found, matrix, ranks_per_node)
    document = _document(found, layer, matrix, ratio)
    if png is not None:
        _write_png(png, f"{found.name}: {layer}, {matrix.n_ranks} ranks", matrix, ranks_per_node)
    if as_json:
        click.echo(json_text(document))
    else:
        _print(found, matrix, ratio, document)


def _ratio(found: Input, matrix: CommMatrix, ranks_per_node: int | None) -> NodeRatio | None:
    """Block mapping where K is given, else the nodes of a profile whose every rank reported one."""
    from corewise.profile.ratio import block_ratio, nodes_ratio

    if ranks_per_node is not None:
        return block_ratio(matrix, ranks_per_node)
    nodes = [rank.node for rank in found.profile.ranks] if found.profile else []
    return nodes_ratio(matrix, nodes) if nodes and min(nodes) >= 0 else None


def _document(found: Input, layer: str, matrix: CommMatrix, ratio: NodeRatio | None) -> dict:
    """What `--json` prints; the text shows the same tables."""
    from corewise.profile import tables

    return {
        "name": found.name,
        "kind": found.kind,
        "layer": layer,
        "n_ranks": matrix.n_ranks,
        "bytes": matrix.bytes,
        "messages": matrix.messages,
        "self_bytes": matrix.self_bytes,
        "ratio": asdict(ratio) if ratio else None,
        "phases": [
            {"repeat": phase.repeat, "bytes": phase.matrix.bytes, "messages": phase.matrix.messages}
            for phase in found.traffic.phases
        ],
        "complete": found.complete,
        "top_pairs": tables.top_pairs(matrix, TOP_PAIRS),
        "sizes": tables.size_histogram(found.profile, layer) if found.profile else [],
        "calls": tables.call_table(found.profile) if found.profile else [],
        "faults": found.profile.faults if found.profile else [],
    }


def _write_png(path: Path, title: str, matrix: CommMatrix, ranks_per_node: int | None) -> None:
    from corewise.plots.heatmap import heatmap_png
    from corewise.plots.png import write_png

    write_png(path, heatmap_png(matrix, title, ranks_per_node))
    click.echo(f"wrote {path}", err=True)


def _print(found: Input, matrix: CommMatrix, ratio: NodeRatio | None, document: dict) -> None:
    from corewise.profile import text

    for fault in document["faults"]:
        click.echo(f"{found.name}: {fault}", err=True)
    click.echo("\n".join(text.summary(found, document["layer"], matrix, ratio)) + "\n")
    _print_heatmap(matrix)
    tables = (
        text.pairs(document["top_pairs"]),
        text.sizes(document["sizes"]),
        text.calls(document["calls"]),
    )
    for line in chain(*tables):
        click.echo(line)


def _print_heatmap(matrix: CommMatrix) -> None:
    """Half blocks on a terminal with enough colours to shade them, shading characters elsewhere.

    Colours that the environment forbids (NO_COLOR, no-color.org) would leave half blocks all alike.
    """
    from rich.console import Console

    from corewise.plots.heatmap import colour_heatmap, text_heatmap

    console = Console(highlight=False)
    has_colours = console.is_terminal and not console.no_color
    if has_colours and console.color_system in ("256", "truecolor"):
        console.print(colour_heatmap(matrix, console.width))
    else:
        click.echo("\n".join(text_heatmap(matrix, console.width)))
