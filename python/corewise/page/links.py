"""Section: the bytes over the links of each level under each placement."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corewise.model import Machine
from corewise.nouns.tune_result import Candidate, TuneResult
from corewise.page.picture import picture
from corewise.text.quantities import bytes_text, seconds_text
from corewise.text.table import TextTable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HEADS = [
    "<links",
    "<placement",
    ">links",
    ">idle",
    ">greatest load",
    ">mean load",
    ">greatest load / bandwidth",
]


def shown(result: TuneResult) -> dict[str, Any]:
    """One group for each level, the highest first; a bar is the most loaded link."""
    levels = range(len(result.machine.levels) - 1, -1, -1)
    rows = [_row(result, index, candidate) for index in levels for candidate in result.candidates]
    alt = "Bytes over the most loaded link of each level, one bar a placement"
    table = TextTable([*HEADS, "<bandwidth from"], rows)
    return {"figure": picture(lambda: figure(result), alt), "table": table}


def figure(result: TuneResult) -> Figure:
    """The bars."""
    from corewise.plots.drawing import grouped_bars

    groups = {
        link_name(result.machine, index): {
            candidate.label: float(max(candidate.link_bytes[index])) for candidate in result.candidates
        }
        for index in range(len(result.machine.levels) - 1, -1, -1)
    }
    return grouped_bars(groups, bytes_text)


def link_name(machine: Machine, index: int) -> str:
    """The name of the links between levels[index] and the level below."""
    below = "core" if index == 0 else machine.levels[index - 1].name
    return f"{below} to {machine.levels[index].name}"


def _row(result: TuneResult, index: int, candidate: Candidate) -> list[str]:
    loads = [float(load) for load in candidate.link_bytes[index]]
    level = result.machine.levels[index]
    bandwidth = level.bandwidth_bytes_per_s
    return [
        link_name(result.machine, index),
        candidate.label,
        str(len(loads)),
        str(loads.count(0)),
        bytes_text(max(loads)),
        bytes_text(sum(loads) / len(loads)),
        seconds_text(max(loads) / bandwidth) if bandwidth else "unknown",
        level.source,
    ]
