"""--layer and --format: whose traffic of an INPUT a command looks at, and how the file is read."""

from __future__ import annotations

import click

from corewise.cli import completing

# The names of corewise.profile.inputs.LAYERS, written out because that module is heavy to import.
LAYER_OPTION = click.option(
    "--layer",
    type=click.Choice(["p2p", "coll", "coll:binomial", "coll:recursive-doubling", "coll:ring", "rma"]),
    default="p2p",
    show_default=True,
    help="Whose traffic; with an algorithm, allgathers and their like as it sends them.",
)

FORMAT_OPTION = click.option(
    "--format",
    metavar="NAME",
    shell_complete=completing.formats,
    help="Read INPUT as this format. Default: as it is recognised; corewise show --list names all.",
)
