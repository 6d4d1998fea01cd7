"""--binding and what goes with it: ranks bound to whole objects in place of a placement file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from corewise.files.placement import PlacementFile
    from corewise.model import Machine

_OPTIONS = (
    click.option(
        "--binding",
        type=click.Choice(["board", "socket", "numa"]),
        help="Instead of a placement: bind each rank to a whole node, package or NUMA domain.",
    ),
    click.option(
        "--processes-per-object",
        "per_object",
        type=click.IntRange(min=1),
        metavar="K",
        help="Ranks for each board, socket or domain; else the command's own number, or one.",
    ),
    click.option("--share", is_flag=True, help="Ranks of one object all get its cores, and don't divide it."),
)


def binding_options(command: Callable) -> Callable:
    """Gives a command the options `binding`, `per_object` and `share`: the keywords of placement_wanted()."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def placement_wanted(
    path: Path | None,
    machine: Callable[[], Machine],
    n_ranks: int | None = None,
    *,
    binding: str | None,
    per_object: int | None,
    share: bool,
) -> PlacementFile:
    """The placement in a file, or the one that --binding asks for on `machine` (called only then).

    `n_ranks` is the command's own number. Raises click.UsageError unless it is exactly one of the two.
    """
    from corewise.files.placement import read_placement
    from corewise.mapping.process_binding import binding_file, bound_objects

    if (path is None) == (binding is None):
        raise click.UsageError("expected either a placement or --binding")
    if path is not None:
        if per_object is not None or share:
            raise click.UsageError("--processes-per-object and --share say how --binding places ranks")
        return read_placement(path)
    bound_on = machine()
    if per_object is not None:
        n_ranks = per_object * len(bound_objects(bound_on, binding))
    return replace(binding_file(bound_on, binding, n_ranks, share), path=f"--binding {binding}")
