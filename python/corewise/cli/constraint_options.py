"""Options for what a placement must keep: several cores a rank, cores left free, ranks fixed in place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from corewise.cli.options import near_option

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
    near_option("Ranks get only cores that are local to them, and share GPUs evenly."),
    click.option(
        "--constraints",
        metavar="FILE.toml",
        type=click.Path(path_type=Path),
        help="All of these in a file; options add to it.",
    ),
    click.option("--oversubscribe", is_flag=True, help="Let ranks share cores where they outnumber them."),
)


def constraint_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Gives a command these options, which are keywords of mapping.request.request_of()."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
