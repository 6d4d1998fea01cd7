"""--binding and related options: the width of masks, and the binding of threads and memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from corewise.cli.options import BINDING_NAMES, together

if TYPE_CHECKING:
    from corewise.model import Machine
    from corewise.nouns.placement import Placement

# The keywords of placement_wanted() and binder_settings().
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
        "per_object",
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


def binder_settings(*, omp_places: bool, membind: bool, **_: object) -> tuple[str, ...]:
    """The lines of the binder's file that bind threads and memory (FORMATS.md, "Binder settings")."""
    wanted = {"places cores": omp_places, "memory domains": membind}
    return tuple(line for line, asked in wanted.items() if asked)


def placement_wanted(
    path: Path | None,
    machine: Callable[[Placement | None], Machine],
    n_ranks: int | None = None,
    *,
    binding: str | None,
    per_object: int | None,
    share: bool,
    hosts: Sequence[str] | None = None,
    **_: object,
) -> Placement:
    """The placement in a file, with the width of --binding, or the placement that --binding makes alone.

    `machine` is called with the placement to widen, if there is one, for --binding, a rankfile or a rank
    order. `n_ranks` is the number in the command, `hosts` are the names of the nodes. Prints a note if ranks
    may run on cores of other ranks. Raises click.UsageError for conflicting options.
    """
    from corewise.mapping.binding_width import sharing_sentence, with_width
    from corewise.mapping.placement_input import read_placement_input

    if path is None:
        return _bound_to_objects(machine, n_ranks, binding, per_object, share)
    if per_object is not None or share:
        raise click.UsageError("--processes-per-object and --share are for --binding without a placement")
    placement = read_placement_input(path, lambda: machine(None), hosts)
    if binding is None:
        return placement
    placement = with_width(placement, machine(placement), binding)
    if sentence := sharing_sentence(placement):
        click.echo(f"--binding {binding}: {sentence}", err=True)
    return placement


def _bound_to_objects(
    machine: Callable[[Placement | None], Machine],
    n_ranks: int | None,
    binding: str | None,
    per_object: int | None,
    share: bool,
) -> Placement:
    from corewise.mapping.binding_width import PU
    from corewise.mapping.process_binding import binding_file, bound_objects

    if binding is None:
        raise click.UsageError("expected a placement, --binding, or both")
    if binding == PU:
        raise click.UsageError(
            "--binding pu narrows a placement to hardware threads: expected a placement too"
        )
    bound_on = machine(None)
    if per_object is not None:
        n_ranks = per_object * len(bound_objects(bound_on, binding))
    return binding_file(bound_on, binding, n_ranks, share).named(f"--binding {binding}")
