"""Scores a placement, and unoptimised placements for comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corewise.mapping.constraints import ConstraintRequest
from corewise.mapping.request import MappingRequest
from corewise.mapping.scoring import objectives_for, score_all
from corewise.mapping.solve import solve
from corewise.nouns.scores import PlacementScores

if TYPE_CHECKING:
    from corewise.model import Machine
    from corewise.nouns.placement import Placement
    from corewise.nouns.scores import Scores
    from corewise.profile.inputs import Input


def score_placement(file: Placement, found: Input, machine: Machine) -> PlacementScores:
    """The scores; raises InputError if the placement was made for another machine, or has other ranks."""
    widths = {len(cores) for cores in file.cores}
    same = ConstraintRequest(
        cores_per_rank=widths.pop() if len(widths) == 1 else 1, oversubscribe=file.oversubscribed
    )

    def baseline(solver: str) -> Scores:
        placement = solve(found, machine, MappingRequest(solver=solver, constraints=same)).solution.placement
        return score_all(found.traffic, machine, placement)

    return PlacementScores(
        machine=machine.name,
        units={name: row.unit for name, row in objectives_for(machine).items()},
        scores=score_all(found.traffic, machine, file.on(machine)),
        block=baseline("block"),
        round_robin=baseline("round-robin"),
        random=baseline("random"),
    )
