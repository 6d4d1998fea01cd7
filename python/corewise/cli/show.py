"""`corewise show`: matrix, ratio, phases, sizes and calls of a profile or a matrix."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from corewise.cli import completing
from corewise.cli.help import GroupedCommand
from corewise.cli.options import FORMAT_OPTION, LAYER_OPTION, json_option, output_option, picture_option
from corewise.text.escaping import json_text

if TYPE_CHECKING:
    from corewise.model import CommMatrix
    from corewise.nouns.input_summary import InputSummary
    from corewise.plots.picture_file import Picture
    from corewise.profile.inputs import Input
    from corewise.text.table import TextTable


@click.command(cls=GroupedCommand, epilog="Example:  corewise show --ranks-per-node 8 matrix.npz")
@click.argument("source", metavar="INPUT", shell_complete=completing.files, required=False)
@LAYER_OPTION
@FORMAT_OPTION
@click.option(
    "--ranks-per-node",
    type=int,
    metavar="K",
    help="Compute the ratio of traffic between and within nodes for K ranks on each node.",
)
@picture_option("The matrix as a heat map.", by_form="png")
@click.option(
    "--timeline",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Draw the events of the profile to this file (.png, .svg, .pdf), or write them as .json for "
    "Perfetto.",
)
@output_option(
    "target", "FILE", "Write the matrix to this file: .npz (bytes and messages), .mtx or .csv (bytes)."
)
@click.option("--list", "list_formats", is_flag=True, help="List the formats of INPUT.")
@json_option()
def command(
    source: str | None,
    layer: str,
    format: str | None,
    ranks_per_node: int | None,
    pictures: list[Picture],
    timeline: Path | None,
    target: Path | None,
    list_formats: bool,
    as_json: bool,
) -> None:
    """Show who sends how much to whom: matrix, ratio between and within nodes, phases, sizes, calls.

    INPUT is a profile (a folder), a matrix, a list of pairs or an OTF2 trace; --list shows the formats and
    how each is detected. Files may be compressed (.gz); - is standard input.
    """
    if list_formats:
        _print_formats(as_json)
        return
    if source is None:
        raise click.UsageError("expected an INPUT (or --list)")
    from msgspec import structs
    from rich.console import Console

    from corewise.files.matrix import write_matrix
    from corewise.profile import tables
    from corewise.profile.inputs import read_input
    from corewise.profile.tables import block_ratio

    with Console(stderr=True).status(f"reading {source}"):
        found = read_input(source, layer, several_worlds=True, form=format)
    matrix = found.traffic.folded()
    ratio = (
        block_ratio(matrix, ranks_per_node)
        if ranks_per_node is not None
        else tables.seen_ratio(found, matrix)
    )
    summary = tables.summary(found, layer, matrix, ratio)
    for picture in pictures:
        _draw(picture, f"{found.name}: {layer}, {matrix.n_ranks} ranks", matrix, ranks_per_node)
    if timeline is not None:
        _write_timeline(timeline, source, found)
    if target is not None:
        write_matrix(target, matrix)
        click.echo(f"wrote {target}", err=True)
    if as_json:
        if found.profile is not None:
            summary = structs.replace(summary, sizes_by_pair=tables.sizes_by_pair(found.profile, layer))
        click.echo(json_text(summary.to_json()))
    else:
        _print(found, matrix, summary)


def _print_formats(as_json: bool) -> None:
    from corewise.cli.listing import print_rows
    from corewise.profile.formats import FORMATS
    from corewise.profile.formats.format import unread_formats

    rows = {name: row.sentence for name, row in FORMATS.items()}
    print_rows(rows, as_json)
    if not as_json:
        click.echo("\nRecognised and not read:")
        for row in unread_formats():
            click.echo(f"  {row['name']}: {row['instead']}")


def _print_tables(tables: dict[str, TextTable]) -> None:
    from corewise.text.table import text_table

    for title, table in tables.items():
        click.echo("\n".join(text_table(title, table.heads, table.rows)))


def _draw(picture: Picture, title: str, matrix: CommMatrix, ranks_per_node: int | None) -> None:
    from corewise.plots.heatmap import heatmap

    picture.write_figure(lambda: heatmap(matrix, title, ranks_per_node))
    click.echo(f"wrote {picture.path}", err=True)


def _write_timeline(path: Path, source: str, found: Input) -> None:
    from rich.console import Console

    from corewise.errors import InputError
    from corewise.plots.timeline import write_timeline
    from corewise.profile.reading import read_event_log

    if found.profile is None:
        raise InputError(
            "found another kind of input; expected a profile of corewise trace --mode events for --timeline",
            path=source,
        )
    with Console(stderr=True).status(f"reading the events of {source}"):
        log = read_event_log(Path(source))
    with Console(stderr=True).status(f"writing {path}"):
        write_timeline(path, log, f"{found.name}: {found.profile.n_ranks} ranks")
    click.echo(f"wrote {path}", err=True)
    if log.n_nodes > 1:
        click.echo(f"{found.name}: times of {log.n_nodes} nodes are by their own clocks", err=True)
    if log.n_dropped:
        click.echo(f"{found.name}: {log.n_dropped:,} events were left out while tracing", err=True)
    if log.n_damaged:
        click.echo(f"{found.name}: {log.n_damaged:,} damaged chunks of events were left out", err=True)


def _print(found: Input, matrix: CommMatrix, summary: InputSummary) -> None:
    from corewise.plots.heatmap import text_heatmap
    from corewise.profile import text

    for fault in summary.faults:
        click.echo(f"{found.name}: {fault}", err=True)
    click.echo("\n".join(text.summary(found, summary.layer, matrix, summary.ratio)) + "\n")
    click.echo("\n".join(text_heatmap(matrix)))
    _print_tables(text.tables(summary))
