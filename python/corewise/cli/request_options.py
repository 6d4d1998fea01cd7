"""The options of all commands that search for a placement: search, constraints, traffic."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import click

from corewise.cli import completing
from corewise.cli.options import FORMAT_OPTION, LAYER_OPTION, near_option, together

# A solver's seed has 64 bits.
SEED = click.IntRange(0, 2**64 - 1)


class CpuSeconds(click.FloatRange):
    """A number of seconds from 0; also refuses NaN, which passes click's comparison."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        seconds = super().convert(value, param, ctx)
        if math.isnan(seconds):
            self.fail(f"{value} is not a number of seconds", param, ctx)
        return seconds


# The keywords of mapping.request.request_of().
request_options = together(
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

# The keywords of verbs.read().
TRAFFIC_OPTIONS = ("phases", "layer", "format")
traffic_options = together(
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
