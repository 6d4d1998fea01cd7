"""corewise report: an HTML page of results, its pictures, or the same as text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from corewise.cli import completing
from corewise.cli.help import GroupedCommand
from corewise.cli.options import (
    TRAFFIC_OPTIONS,
    json_option,
    machine_option,
    output_option,
    picture_option,
    request_options,
    traffic_options,
)
from corewise.errors import InputError
from corewise.text.escaping import json_text

if TYPE_CHECKING:
    from corewise.plots.picture_file import Picture

EXAMPLE = """\b
Example:
  corewise report tune-out -o report.html
  corewise report app.mtx --machine draco:16
  corewise report tune-out --picture times.pdf --style paper
"""


@click.command(cls=GroupedCommand, epilog=EXAMPLE)
@click.argument("inputs", metavar="RUN|INPUT ...", nargs=-1, required=True, shell_complete=completing.files)
@machine_option("For INPUT. Repeatable: compares the machines.", several=True)
@output_option(
    "output",
    "FILE.html",
    "The page to write. An existing file is replaced only if it is such a page. Default: report.html.",
)
@picture_option(
    "The file's name says which one: gains, links, machine-default, machine-best, machine-worst, matrix, "
    "steering or times, as far as the page has it. A page is then written only with -o."
)
@click.option("--text", "as_text", is_flag=True, help="Print the result; write a page only with -o.")
@request_options
@traffic_options
@json_option()
def command(
    inputs: tuple[str, ...],
    specs: tuple[str, ...],
    output: Path | None,
    pictures: list[Picture],
    as_text: bool,
    as_json: bool,
    **asked: Any,
) -> None:
    """Write the HTML page of RUN or INPUT; the page is one file that loads nothing else.

    RUN is the folder or tune.json of `corewise tune`, a file of `corewise run --json` or `corewise simulate
    --json`, or a log of `corewise steer` (NAME.steer-log). INPUT is a profile or a matrix: its default, best
    and worst placement on the machine are predicted, and simulations of them are shown next to that.

    Several tunes, INPUTs or machines are compared: each gain with its interval. Several run files are set
    side by side; those of one label and source are repeats.
    """
    from functools import partial

    from corewise.cli.progress import with_progress
    from corewise.machines import load
    from corewise.mapping.request import request_of
    from corewise.page import write_page
    from corewise.reporting import report_of

    of_traffic = {name: asked.pop(name) for name in TRAFFIC_OPTIONS}
    machines, request = {spec: partial(load, spec) for spec in specs}, request_of(**asked)
    found = with_progress(
        f"searching for the best and the worst placement of {', '.join(inputs)}",
        lambda: report_of(inputs, machines, of_traffic, request),
    )
    source = click.get_current_context().get_parameter_source("specs")
    if source == click.core.ParameterSource.COMMANDLINE and not found.inputs:
        raise click.UsageError("--machine is for a profile or a matrix; found none among the inputs")
    figures = found.figures() if pictures else {}
    for picture in pictures:
        if picture.path.stem not in figures:
            raise InputError(
                f"{picture.path}: found no figure '{picture.path.stem}'; expected a file named after one of "
                f"{', '.join(sorted(figures))}"
            )
        picture.write_figure(figures[picture.path.stem])
        click.echo(f"wrote {picture.path}", err=True)
    if output is not None or not (as_text or pictures):
        output = output or Path("report.html")
        write_page(found.page(), output)
        click.echo(f"report: {output}", err=True)
    if as_json:
        click.echo(json_text({"report": str(output) if output else None, "inputs": list(inputs)}))
    elif as_text:
        from corewise.cli.report_text import print_report

        print_report(found)
