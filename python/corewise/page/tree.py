"""Section: the ranks on the machine, once a placement; of many nodes a strip and the most loaded ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from corewise.nouns.tune_result import Candidate, TuneResult
from corewise.plots.node_strip import legend_entries, node_strip_svg, nodes_a_cell
from corewise.plots.tree import is_drawn_whole, most_loaded_nodes, node_object, node_svgs

if TYPE_CHECKING:
    from corewise.model import Machine
    from corewise.nouns.placement import PlacementFile

TITLE = "Ranks on the machine"


def context(result: TuneResult) -> dict[str, Any]:
    """One entry a placement; `with_strips` says that only some nodes are drawn in full."""
    machine = result.machine
    loads = {candidate.label: _node_loads(result, candidate) for candidate in result.candidates}
    greatest = max(max(of_nodes) for of_nodes in loads.values())
    with_strips = machine.n_nodes > 1 and not is_drawn_whole(machine)
    return {
        "machine": machine.name,
        "n_nodes": machine.n_nodes,
        "n_cores": machine.n_cores,
        "n_pus": machine.n_pus,
        "with_strips": with_strips,
        "legend": legend_entries(greatest),
        "a_cell": nodes_a_cell(machine.n_nodes),
        "placements": [
            _strip(result, c, loads[c.label], greatest) if with_strips else _whole(result, c)
            for c in result.candidates
        ],
    }


def _node_loads(result: TuneResult, candidate: Candidate) -> list[float]:
    """[node]: bytes over the link from the node to the network; 0 for a single node."""
    machine = result.machine
    if machine.node_level == machine.n_levels:
        return [0.0]
    loads = candidate.link_bytes[machine.node_level]
    return [loads[node_object(machine, node)] for node in range(machine.n_nodes)]


def _whole(result: TuneResult, candidate: Candidate) -> dict[str, Any]:
    nodes = list(range(result.machine.n_nodes))
    return {
        "label": candidate.label,
        "nodes": _drawn(result, candidate, nodes),
    }


def _strip(result: TuneResult, candidate: Candidate, loads: list[float], greatest: float) -> dict[str, Any]:
    """`n_as_loaded` counts the nodes that are at least as loaded as those drawn in full."""
    opened = most_loaded_nodes(result.machine, loads)
    least = min(loads[node] for node in opened)
    return {
        "label": candidate.label,
        "greatest": max(loads),
        "n_idle": loads.count(0),
        "strip": Markup(node_strip_svg(loads, greatest, opened)),
        "opened": opened,
        "n_as_loaded": sum(load >= least for load in loads),
        "nodes": _drawn(result, candidate, opened),
    }


def _drawn(result: TuneResult, candidate: Candidate, nodes: Sequence[int]) -> list[Markup]:
    return drawn(result.machine, candidate.placement, nodes, candidate.link_bytes)


def drawn(
    machine: Machine,
    placement: PlacementFile,
    nodes: Sequence[int],
    link_bytes: Sequence[Sequence[float]] | None = None,
) -> list[Markup]:
    """A picture of each of these nodes with its ranks, and with the loads of links if they are given."""
    ranks_on_core: dict[int, list[int]] = {}
    for rank, node in enumerate(placement.node):
        for core in placement.cores_on(machine, rank, node):
            ranks_on_core.setdefault(core, []).append(rank)
    return [Markup(svg) for svg in node_svgs(machine, nodes, ranks_on_core, link_bytes)]
