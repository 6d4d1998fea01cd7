"""Section: the bytes over the links of each level under each placement."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from corewise.model import Machine
from corewise.nouns.tune_result import Candidate, TuneResult
from corewise.plots.bars import WIDTH, grouped_bars_svg
from corewise.text.quantities import bytes_text, seconds_text

TITLE = "Link loads"


@dataclass(frozen=True)
class Row:
    """The links of a level under a placement."""

    link: str
    label: str
    n_links: int
    n_idle: int
    greatest: str
    mean: str
    time: str
    source: str


@dataclass(frozen=True)
class Context:
    """What the template shows."""

    figure: Markup
    rows: list[Row]


def context(result: TuneResult) -> Context:
    """One group for each level, the highest first; a bar is the most loaded link."""
    levels = range(len(result.machine.levels) - 1, -1, -1)
    rows = [_row(result, index, candidate) for index in levels for candidate in result.candidates]
    return Context(Markup(picture(result)), rows)


def picture(result: TuneResult, width: int = WIDTH) -> str:
    """The bars as an SVG."""
    groups = {
        link_name(result.machine, index): {
            candidate.label: float(max(candidate.link_bytes[index])) for candidate in result.candidates
        }
        for index in range(len(result.machine.levels) - 1, -1, -1)
    }
    description = "Bytes over the most loaded link of each level, one bar a placement"
    return grouped_bars_svg(groups, bytes_text, description, width)


def link_name(machine: Machine, index: int) -> str:
    """The name of the links between levels[index] and the level below."""
    below = "core" if index == 0 else machine.levels[index - 1].name
    return f"{below} to {machine.levels[index].name}"


def _row(result: TuneResult, index: int, candidate: Candidate) -> Row:
    loads = [float(load) for load in candidate.link_bytes[index]]
    bandwidth = result.machine.levels[index].bandwidth_bytes_per_s
    return Row(
        link_name(result.machine, index),
        candidate.label,
        n_links=len(loads),
        n_idle=loads.count(0),
        greatest=bytes_text(max(loads)),
        mean=bytes_text(sum(loads) / len(loads)),
        time=seconds_text(max(loads) / bandwidth) if bandwidth else "unknown",
        source=result.machine.levels[index].source,
    )
