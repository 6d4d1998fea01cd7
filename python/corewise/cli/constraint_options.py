"""Options for what a placement must keep: several cores a rank, cores left free, ranks fixed in place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from corewise.mapping.constraints import ConstraintRequest

_OPTIONS = (
    click.option(
        "--cores-per-rank",
        type=click.IntRange(min=1),
        metavar="K",
        help="Cores of each rank, side by side on one node, shared with nobody. Default: one for each thread "
        "that a profile shows, as far as the machine has room; else one.",
    ),
    click.option(
        "--free",
        multiple=True,
        metavar="NODE:CORE[-CORE],...",
        help="Cores that no rank gets (logical, on the node; NODE may be 'all'). Repeatable.",
    ),
    click.option(
        "--free-per-node",
        type=click.IntRange(min=0),
        metavar="N",
        help="Cores of each node that no rank gets: the last ones, from each package in turn.",
    ),
    click.option(
        "--fix",
        multiple=True,
        metavar="RANK=NODE[:CORE]",
        help="A rank that stays on a node, or on the core of it that is its first. Repeatable.",
    ),
    click.option(
        "--near",
        metavar="gpu|nic|NAME",
        help="Only cores local to the GPUs, the network cards, or the device of that name (corewise topo); "
        "ranks share GPUs evenly.",
    ),
    click.option(
        "--constraints",
        "path",
        metavar="FILE.toml",
        type=click.Path(path_type=Path),
        help="All of these in a file; options add to it.",
    ),
    click.option("--oversubscribe", is_flag=True, help="Let ranks share cores where they outnumber them."),
)

# The keywords that the options arrive under.
CONSTRAINT_OPTIONS = ("cores_per_rank", "free", "free_per_node", "fix", "near", "path", "oversubscribe")


def constraint_options(command: Callable) -> Callable:
    """Gives a command these options: the keywords of constraints_asked()."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def constraints_asked(
    *,
    cores_per_rank: int | None,
    free: tuple[str, ...],
    free_per_node: int | None,
    fix: tuple[str, ...],
    near: str | None,
    path: Path | None,
    oversubscribe: bool,
) -> ConstraintRequest:
    """The options as one request; raises InputError for what none of them means."""
    from corewise.mapping.constraints import (
        ConstraintRequest,
        merged,
        parse_fix,
        parse_free,
        read_constraints,
    )

    return merged(
        read_constraints(path) if path else ConstraintRequest(),
        cores_per_rank=cores_per_rank,
        free_per_node=free_per_node,
        free=[cores for text in free for cores in parse_free(text)],
        fixed=[parse_fix(text) for text in fix],
        oversubscribe=oversubscribe,
        near=near,
    )
