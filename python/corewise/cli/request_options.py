"""The options of a request for a placement, the same wherever a solver is asked: `map`, `advise`, `tune`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import click

from corewise.cli import completing
from corewise.cli.constraint_options import constraint_options
from corewise.cli.layer_option import FORMAT_OPTION, LAYER_OPTION

# A solver's seed has 64 bits.
SEED = click.IntRange(0, 2**64 - 1)


class CpuSeconds(click.FloatRange):
    """A number of seconds from 0; not-a-number, which no comparison refuses, is refused too."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        seconds = super().convert(value, param, ctx)
        if math.isnan(seconds):
            self.fail(f"{value} is not a number of seconds", param, ctx)
        return seconds


_SEARCH_OPTIONS = (
    click.option(
        "--objective",
        metavar="O",
        shell_complete=completing.objectives,
        help="What to minimise; `corewise map --list` lists the objectives. Default: time if latency and "
        "bandwidth of the machine are known, else hop-bytes.",
    ),
    click.option(
        "--solver",
        metavar="S",
        shell_complete=completing.solvers,
        default="auto",
        show_default=True,
        help="Algorithm; `corewise map --list` lists them.",
    ),
    click.option(
        "--seed", metavar="K", type=SEED, default=1, show_default=True, help="Seed of random choices."
    ),
    click.option(
        "--effort",
        metavar="LEVEL",
        type=click.Choice(["fast", "default", "strong"]),
        default="default",
        show_default=True,
        help="How hard to search: fast, default or strong.",
    ),
    click.option(
        "--deadline",
        metavar="CPU_SECONDS",
        type=CpuSeconds(min=0),
        help="Stop each search after this much CPU time. Default: no limit.",
    ),
    click.option(
        "--threads",
        metavar="K",
        type=click.IntRange(1, 1024),
        default=1,
        show_default=True,
        help="Threads of the search. They don't change the answer.",
    ),
)

_TRAFFIC_OPTIONS = (
    click.option(
        "--phase",
        "phases",
        metavar="N|INPUT",
        multiple=True,
        help="Use phase N alone, numbered as `corewise show` does, or add another INPUT as a phase. "
        "Repeatable.",
    ),
    LAYER_OPTION,
    FORMAT_OPTION,
)


# The keywords that traffic_options() adds.
TRAFFIC_OPTIONS = ("phases", "layer", "format")


def request_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Gives a command these options: the keywords of mapping.request.request_of()."""
    command = constraint_options(command)
    for option in reversed(_SEARCH_OPTIONS):
        command = option(command)
    return command


def traffic_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Gives a command the options that say which traffic is mapped: keywords of verbs.read()."""
    for option in reversed(_TRAFFIC_OPTIONS):
        command = option(command)
    return command
