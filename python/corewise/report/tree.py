"""Section: the machine's tree with the ranks on their cores, once a placement."""

from __future__ import annotations

from markupsafe import Markup

from corewise.files.tune import Candidate, TuneResult
from corewise.plots.tree import machine_svg

TITLE = "Ranks on the machine"


def context(result: TuneResult) -> dict:
    """One tree a placement, coloured by link load."""
    machine = result.machine
    return {
        "machine": machine.name,
        "n_nodes": machine.n_nodes,
        "n_cores": machine.n_cores,
        "n_pus": machine.n_pus,
        "trees": [{"label": c.label, "svg": Markup(_tree(result, c))} for c in result.candidates],
    }


def _tree(result: TuneResult, candidate: Candidate) -> str:
    ranks_on_core: dict[int, list[int]] = {}
    for rank in range(candidate.placement.n_ranks):
        for core in candidate.placement.cores(rank).tolist():
            ranks_on_core.setdefault(core, []).append(rank)
    return machine_svg(result.machine, ranks_on_core, candidate.link_bytes, with_legend=False)
