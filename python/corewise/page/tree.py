"""Section: the ranks on the machine for each placement; if there are many nodes, only some in full."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from corewise.model import Machine
from corewise.nouns.placement import Placement
from corewise.nouns.tune_result import Candidate, TuneResult
from corewise.plots.node_strip import legend_entries, node_strip_svg, nodes_a_cell
from corewise.plots.tree import is_drawn_whole, most_loaded_nodes, node_object, node_svgs, placed_svg

TITLE = "Ranks on the machine"


@dataclass(frozen=True)
class Strip:
    """All nodes in one line. `opened` are drawn in full; `n_as_loaded` nodes have at least their load."""

    svg: Markup
    greatest: float
    n_idle: int
    opened: list[int]
    n_as_loaded: int


@dataclass(frozen=True)
class Drawn:
    """A placement's nodes; all of them if there is no strip."""

    label: str
    nodes: list[Markup]
    strip: Strip | None = None


@dataclass(frozen=True)
class Context:
    """What the template shows; `with_strips` says that only some nodes are drawn in full."""

    machine: Machine
    with_strips: bool
    legend: list[tuple[int, str]]
    a_cell: int
    placements: list[Drawn]


def context(result: TuneResult) -> Context:
    """The picture of each placement; all have the same shades."""
    machine = result.machine
    loads = {candidate.label: _node_loads(result, candidate) for candidate in result.candidates}
    greatest = max(max(of_nodes) for of_nodes in loads.values())
    with_strips = machine.n_nodes > 1 and not is_drawn_whole(machine)
    drawn_placements = [
        _drawn(result, c, _strip(machine, loads[c.label], greatest) if with_strips else None)
        for c in result.candidates
    ]
    a_cell = nodes_a_cell(machine.n_nodes)
    return Context(machine, with_strips, legend_entries(greatest), a_cell, drawn_placements)


def _node_loads(result: TuneResult, candidate: Candidate) -> list[float]:
    """[node]: bytes over the link from the node to the network; 0 for a single node."""
    machine = result.machine
    if machine.node_level == machine.n_levels:
        return [0.0]
    loads = candidate.link_bytes[machine.node_level]
    return [loads[node_object(machine, node)] for node in range(machine.n_nodes)]


def _strip(machine: Machine, loads: list[float], greatest: float) -> Strip:
    opened = most_loaded_nodes(machine, loads)
    least = min(loads[node] for node in opened)
    svg = Markup(node_strip_svg(loads, greatest, opened))
    return Strip(svg, max(loads), loads.count(0), opened, sum(load >= least for load in loads))


def _drawn(result: TuneResult, candidate: Candidate, strip: Strip | None) -> Drawn:
    nodes = strip.opened if strip else range(result.machine.n_nodes)
    pictures = drawn(result.machine, candidate.placement, nodes, candidate.link_bytes)
    return Drawn(candidate.label, pictures, strip)


@dataclass(frozen=True)
class Placed:
    """A placement by itself, for the template placement.html."""

    machine: str
    n_ranks: int
    nodes: list[Markup]


def drawn(
    machine: Machine,
    placement: Placement,
    nodes: Sequence[int],
    link_bytes: Sequence[Sequence[float]] | None = None,
) -> list[Markup]:
    """A picture of each of these nodes with its ranks, and with `link_bytes` if given."""
    ranks = ranks_by_core(machine, placement)
    return [Markup(svg) for svg in node_svgs(machine, nodes, ranks, link_bytes)]


def picture(result: TuneResult, candidate: Candidate) -> str:
    """An SVG of the machine, or of its most loaded nodes, with the ranks of the candidate's placement."""
    machine = result.machine
    whole = is_drawn_whole(machine)
    nodes = (
        range(machine.n_nodes)
        if whole
        else sorted(most_loaded_nodes(machine, _node_loads(result, candidate)))
    )
    ranks = ranks_by_core(machine, candidate.placement)
    return placed_svg(machine, nodes, ranks, candidate.link_bytes)


def ranks_by_core(machine: Machine, placement: Placement) -> dict[int, list[int]]:
    """The ranks on each core, numbered over the whole machine."""
    ranks: dict[int, list[int]] = {}
    for rank, node in enumerate(placement.node):
        for core in placement.cores_on(machine, rank, node):
            ranks.setdefault(core, []).append(rank)
    return ranks
