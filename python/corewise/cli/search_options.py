"""What --seed and --deadline take, wherever a solver is asked."""

from __future__ import annotations

import math

import click

# A solver's seed has 64 bits.
SEED = click.IntRange(0, 2**64 - 1)


class CpuSeconds(click.FloatRange):
    """A number of seconds from 0; not-a-number, which no comparison refuses, is refused too."""

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        seconds = super().convert(value, param, ctx)
        if math.isnan(seconds):
            self.fail(f"{value} is not a number of seconds", param, ctx)
        return seconds


CPU_SECONDS = CpuSeconds(min=0)
