"""corewise report: the HTML page of a tune, or of several runs side by side."""

from __future__ import annotations

from pathlib import Path

import click

from corewise.cli.options import json_option
from corewise.text.any_bytes import json_text


@click.command(epilog="Example:  corewise report tune-out -o report.html")
@click.argument("inputs", metavar="RUN ...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "-o",
    "output",
    metavar="FILE.html",
    type=click.Path(path_type=Path),
    default=Path("report.html"),
    show_default=True,
    help="The page to write; a file there that is no such page is left alone.",
)
@json_option()
def command(inputs: tuple[Path, ...], output: Path, as_json: bool) -> None:
    """Write the HTML page of RUN: the folder or tune.json that `corewise tune` left, or run files.

    Several run files (corewise run --json > NAME.json) and simulations (corewise simulate --json > NAME.json)
    are set side by side; those of one label and source are repeats. Logs of corewise steer (NAME.steer-log),
    alone or beside them, are drawn with their decisions. The page is one file that loads nothing else.
    """
    from corewise import verbs

    verbs.report(*inputs, output=output)
    if as_json:
        click.echo(json_text({"report": str(output), "inputs": [str(path) for path in inputs]}))
    else:
        click.echo(f"report: {output}", err=True)
