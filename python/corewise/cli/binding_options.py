"""--binding and related options: the width of masks, and the binding of threads and memory."""

from __future__ import annotations

import click

from corewise.cli.options import BINDING_NAMES, together

# The keywords of Bound (mapping/binding_request.py).
binding_options = together(
    click.option(
        "--binding",
        metavar="OBJECT",
        type=click.Choice(BINDING_NAMES),
        help="Bind each rank to a whole core, l3, numa, package (socket) or node (board) around its cores, "
        "or to one hardware thread of each core (pu). Without a placement: to the objects in order.",
    ),
    click.option(
        "--processes-per-object",
        type=click.IntRange(min=1),
        metavar="K",
        help="Without a placement: ranks on each object. Default: from the command's number, or one.",
    ),
    click.option(
        "--share",
        is_flag=True,
        help="Without a placement: each rank gets all cores of its object, shared with the others there.",
    ),
    click.option(
        "--omp-places",
        is_flag=True,
        help="Set OMP_PLACES and OMP_PROC_BIND=close, so that OpenMP threads get the cores of their rank.",
    ),
    click.option(
        "--membind", is_flag=True, help="Allocate each rank's memory on the NUMA domains of its cores."
    ),
)
