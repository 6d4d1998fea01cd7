"""Comparison: the default placement next to the best and the worst that were found, with the advice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from corewise.model import ObjectiveInfo, objective
from corewise.nouns.advice import GAIN, Advice
from corewise.nouns.codec import Noun, Number
from corewise.nouns.placement import Placement
from corewise.nouns.scores import Scores, scores_columns
from corewise.nouns.tables import Tabular, as_columns

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from corewise.text.svg_text import Svg


class ScoredPlacement(Noun, frozen=True):
    """A placement with the values of every objective that its machine's figures allow."""

    placement: Placement
    scores: Scores


class MachineAdvice(Advice, frozen=True, kw_only=True):
    """The advice for one machine (`machine` as the user named it), and the input that it is for.

    `empty_nodes` is how many nodes block order leaves without a rank. The others are as in Comparison.
    """

    machine: str
    n_nodes: int
    n_cores: int
    input: str
    n_ranks: int
    empty_nodes: int
    times_left_out: str | None
    default_is: str


class AdviceOnMachines(Tabular, Noun, frozen=True):
    """What `corewise advise` finds for several machines or inputs; `notes` are full sentences."""

    FORMAT: ClassVar[str] = "corewise-cases"
    WRITTEN_BY: ClassVar[str] = "corewise advise --json"
    DERIVED: ClassVar[tuple[str, ...]] = ("gain_formula",)

    cases: list[MachineAdvice]
    notes: list[str]

    if TYPE_CHECKING:  # notebook.py adds it

        def plot(self) -> Figure: ...

    def columns(self) -> dict[str, Any]:
        """A row for each case."""
        names = ("machine", "input", "matters", "gain_of", "n_nodes", "n_cores", "n_ranks", "empty_nodes")
        gains = ("low", "expected", "high")
        return as_columns(
            (*names, *(f"gain_{name}" for name in gains), "ratio"),
            [
                [getattr(case, name) for name in names]
                + [getattr(case.gain, name) for name in gains]
                + [case.ratio]
                for case in self.cases
            ],
        )

    @property
    def gain_formula(self) -> str:
        """The formula of each gain, which is a gain of what its `gain_of` names."""
        return GAIN


class Comparison(Tabular, Advice, frozen=True, kw_only=True):
    """What `corewise advise` finds: the advice, and the placements that it compares.

    `best` is the placement to use. It is the default itself if the search by `objective` found nothing
    better. Of the placements that are equally good by the machine's symmetry, it is the one that differs from
    the default in the fewest ranks. `gain_confidence` is the confidence level of the gain's interval. It is
    None if a figure of the machine is assumed or missing, or if errors of such gains were not measured: those
    of communication alone, and of placements for collective traffic. `comm_share` is the fraction of the
    traced run spent in MPI, None if it is unknown. `times_left_out` says in one sentence why the times of the
    trace are not used. `default_is` says where the default comes from. `order_doubt` says in one sentence why
    the predicted order of placements is unreliable for this program, None if there is no known reason.
    """

    FORMAT: ClassVar[str] = "corewise-comparison"
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
        """The placements by label: default, best and worst, in this order."""
        return {"default": self.default, "best": self.best, "worst": self.worst}

    if TYPE_CHECKING:  # notebook.py adds it

        def plot(self) -> Svg: ...

    def columns(self) -> dict[str, Any]:
        """See scores_columns()."""
        return scores_columns({label: one.scores for label, one in self.placements.items()})

    @property
    def notes(self) -> list[str]:
        """Full sentences: where the default comes from, why a trace's times don't count, and whether the
        order of placements is to be trusted."""
        notes = (self.default_is, self.times_left_out, self.order_doubt)
        return [f"{note[0].upper()}{note[1:]}." for note in notes if note]

    @property
    def predicted_from(self) -> str:
        """The values from which the gain is computed, in one sentence."""
        return self.compared_text(*(one.scores[self.compared_by][0] for one in (self.default, self.best)))

    def rows_to_show(self) -> list[ObjectiveInfo]:
        """The objective that the advice compares, and the objective of the search."""
        return [objective(name) for name in dict.fromkeys((self.compared_by, self.objective))]
