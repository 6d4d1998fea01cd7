"""PlacementScores: every objective of a placement, next to placements that nobody optimised."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from corewise.mapping.constraints import ConstraintRequest
from corewise.mapping.mapping import BASELINES
from corewise.mapping.request import Request
from corewise.mapping.scoring import objectives_for, score_all, scores_stream
from corewise.mapping.solve import solve
from corewise.nouns.codec import plain

if TYPE_CHECKING:
    from corewise.model import Machine
    from corewise.nouns.placement import PlacementFile
    from corewise.nouns.scores import Scores
    from corewise.profile.inputs import Input


@dataclass(frozen=True)
class PlacementScores:
    """`scores` has for `placement`, then for each of BASELINES, the values of every objective by its name.

    The values are a list, of one value if the objective is a number; lower is better.
    """

    machine: Machine
    scores: dict[str, Scores]

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """For data frames, as in polars.DataFrame(scores): see scores_stream()."""
        return scores_stream(self.machine, self.scores)

    def to_json(self) -> dict[str, Any]:
        """The document of `corewise score --json`."""
        document = {name: plain(values) for name, values in self.scores.items()}
        document["scores"] = document.pop("placement")
        units = {name: row.unit for name, row in objectives_for(self.machine).items()}
        return {"machine": self.machine.name, "units": units} | document


def score_placement(file: PlacementFile, found: Input, machine: Machine) -> PlacementScores:
    """Raises InputError if the placement was made for another machine, or places other ranks."""
    scores = {"placement": score_all(found.traffic, machine, file.on(machine))}
    widths = {len(cores) for cores in file.cores}
    same = ConstraintRequest(
        cores_per_rank=widths.pop() if len(widths) == 1 else 1, oversubscribe=file.oversubscribed
    )
    for name in BASELINES:
        baseline = solve(found, machine, Request(solver=name, constraints=same)).solution.placement
        scores[name] = score_all(found.traffic, machine, baseline)
    return PlacementScores(machine, scores)
