"""--layer and --format: whose traffic of an INPUT a command reads, and how the file is read."""

from __future__ import annotations

import click

from corewise.cli import completing

# The names of corewise.profile.inputs.LAYERS, written out because that module is heavy to import.
LAYER_OPTION = click.option(
    "--layer",
    metavar="LAYER",
    type=click.Choice(["p2p", "coll", "coll:binomial", "coll:recursive-doubling", "coll:ring", "rma"]),
    default="p2p",
    show_default=True,
    help="Traffic to read: p2p (point to point), coll (collectives), rma (one-sided), or the messages of an "
    "algorithm: coll:binomial, coll:recursive-doubling, coll:ring.",
)

FORMAT_OPTION = click.option(
    "--format",
    metavar="NAME",
    shell_complete=completing.formats,
    help="Format of INPUT, for example edges; `corewise show --list` lists them. Default: detected.",
)
