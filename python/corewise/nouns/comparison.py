"""Comparison: the default placement next to the best and the worst that were found, with the advice."""

from __future__ import annotations

from typing import ClassVar

from corewise.model import ObjectiveInfo, objective
from corewise.nouns.advice import GAIN, Advice
from corewise.nouns.codec import Noun, Number
from corewise.nouns.placement import PlacementFile
from corewise.nouns.scores import Scores, scores_stream


class ScoredPlacement(Noun, frozen=True):
    """A placement with the values of every objective that its machine's figures allow."""

    placement: PlacementFile
    scores: Scores


class Extrapolated(Noun, frozen=True):
    """The input whose traffic was scaled to other ranks, as the known pattern `form`."""

    input: str
    n_ranks: int
    form: str


class MachineAdvice(Advice, frozen=True, kw_only=True):
    """The advice for a machine, as the user named it, with the input that fits it.

    `extrapolated_from` is None if the input was traced. `empty_nodes` is how many nodes block order leaves
    without a rank. The others are as in Comparison.
    """

    machine: str
    n_nodes: int
    n_cores: int
    input: str
    n_ranks: int
    extrapolated_from: Extrapolated | None
    empty_nodes: int
    times_left_out: str | None
    default_is: str


class AdviceOnMachines(Noun, frozen=True):
    """What `corewise advise` finds for several machines or inputs; `notes` are full sentences."""

    FORMAT: ClassVar[str] = "corewise-cases"
    SCHEMA: ClassVar[int] = 1
    WRITTEN_BY: ClassVar[str] = "corewise advise --json"
    DERIVED: ClassVar[tuple[str, ...]] = ("gain_formula",)

    cases: list[MachineAdvice]
    notes: list[str]

    @property
    def gain_formula(self) -> str:
        """Of the gains, each of what its `gain_of` names."""
        return GAIN


class Comparison(Advice, frozen=True, kw_only=True):
    """What `corewise advise` finds: the advice, and the placements that it compares.

    `best` is the placement to use from now on: the default itself where a search for `objective` found
    nothing better, else the best one with like objects of the machine exchanged so that fewest ranks differ
    from the default. `gain_confidence` is what the interval of the gain claims, None if a figure of the
    machine is assumed or missing. `comm_share` is the part of the traced run that MPI took, None where
    nothing was timed, and where `times_left_out` says in one sentence why the times don't count.
    `default_is` says where the default comes from. `order_doubt` says in one sentence why the predicted order
    of placements says little for this program, None if nothing is known against it.
    """

    FORMAT: ClassVar[str] = "corewise-comparison"
    SCHEMA: ClassVar[int] = 2
    WRITTEN_BY: ClassVar[str] = "corewise advise --json"

    objective: str
    gain_confidence: Number | None
    comm_share: Number | None
    default_is: str
    times_left_out: str | None
    default: ScoredPlacement
    best: ScoredPlacement
    worst: ScoredPlacement
    order_doubt: str | None = None

    @property
    def advice(self) -> Advice:
        """The advice without the placements."""
        return Advice(*(getattr(self, name) for name in Advice.__struct_fields__))

    @property
    def placements(self) -> dict[str, ScoredPlacement]:
        """By label: default, best and worst, in this order."""
        return {"default": self.default, "best": self.best, "worst": self.worst}

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """For data frames, as in polars.DataFrame(comparison): see scores_stream()."""
        return scores_stream({label: one.scores for label, one in self.placements.items()})

    @property
    def notes(self) -> list[str]:
        """Full sentences: where the default comes from, why a trace's times don't count, and whether the
        order of placements is to be trusted."""
        notes = (self.default_is, self.times_left_out, self.order_doubt)
        return [f"{note[0].upper()}{note[1:]}." for note in notes if note]

    @property
    def predicted_from(self) -> str:
        """The figures that the gain is formed from, in one sentence."""
        return self.compared_text(*(one.scores[self.compared_by][0] for one in (self.default, self.best)))

    def rows_to_show(self) -> list[ObjectiveInfo]:
        """The objective that the advice compares by, and the one that placements were searched for by."""
        return [objective(name) for name in dict.fromkeys((self.compared_by, self.objective))]
