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
        help="Cores of each rank, next to each other on one node. Default: one for each thread in the "
        "profile if there is room, else one.",
    ),
    click.option(
        "--free",
        multiple=True,
        metavar="NODE:CORES",
        help="Leave these cores free, for example all:0 or 0:2-3 (logical numbers). Repeatable.",
    ),
    click.option(
        "--free-per-node",
        type=click.IntRange(min=0),
        metavar="N",
        help="Leave N cores of each node free, the last ones of each package in turn.",
    ),
    click.option(
        "--fix",
        multiple=True,
        metavar="RANK=PLACE",
        help="Fix a rank to a node (3=0) or to a core of it (3=0:5). Repeatable.",
    ),
    near_option("Only cores near such a device are used."),
    click.option(
        "--constraints",
        metavar="FILE.toml",
        type=click.Path(path_type=Path),
        help="Read constraints from this file. Options add to it.",
    ),
    click.option(
        "--oversubscribe", is_flag=True, help="Let ranks share cores if there are more ranks than cores."
    ),
)


def constraint_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Gives a command these options, which are keywords of mapping.request.request_of()."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
