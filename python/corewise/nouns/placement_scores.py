"""PlacementScores: every objective of a placement, compared with unoptimised placements."""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec import field

from corewise.nouns.codec import Noun
from corewise.nouns.scores import Scores, scores_columns
from corewise.nouns.tables import Tabular


class PlacementScores(Tabular, Noun, frozen=True, kw_only=True):
    """What `corewise score` finds: the values of every objective that the machine's figures allow, by name.

    `scores` are of the placement itself; `units` has the unit of each objective.
    """

    FORMAT: ClassVar[str] = "corewise-scores"
    WRITTEN_BY: ClassVar[str] = "corewise score --json"

    machine: str
    units: dict[str, str]
    scores: Scores
    block: Scores
    round_robin: Scores = field(name="round-robin")
    random: Scores

    @property
    def by_placement(self) -> dict[str, Scores]:
        """The scores by label: placement, block, round-robin, random."""
        return {
            "placement": self.scores,
            "block": self.block,
            "round-robin": self.round_robin,
            "random": self.random,
        }

    def columns(self) -> dict[str, Any]:
        """See scores_columns()."""
        return scores_columns(self.by_placement)
