"""Solved: a solution with its problem."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from corewise import model
from corewise.mapping.request import MappingRequest
from corewise.mapping.scoring import score_all
from corewise.mapping.solvers import solvers
from corewise.nouns.mapping import Mapping
from corewise.nouns.placement import Placement
from corewise.nouns.scores import score_json

if TYPE_CHECKING:
    from corewise.profile.inputs import Input

BASELINES = ("block", "round-robin", "random")


@dataclass(frozen=True)
class Solved:
    """A solution with the problem that it solves."""

    input: Input
    machine: model.Machine
    request: MappingRequest
    objective: model.ObjectiveInfo
    solution: model.Solution
    constraints: model.Constraints

    @property
    def searched_for(self) -> str | None:
        """ "best" or "worst"; None if the solver follows its own rule and searches for neither."""
        if not solvers()[self.request.solver].optimises:
            return None
        return "worst" if self.request.worst else "best"

    def file(self, **others: Any) -> Placement:
        """The file of `corewise map -o`; `others` are further fields of the placement, or other values."""
        made_for = {
            "objective": self.objective.name,
            "solver": self.request.solver,
            "seed": self.request.seed,
            "oversubscribed": self.request.constraints.oversubscribe,
        }
        return Placement.of(self.solution.placement, self.machine, **(made_for | others))

    def mapping(self) -> Mapping:
        """The solution with everything that `corewise map` prints."""
        solution, name = self.solution, self.objective.name
        bound = None if solution.bound is None else score_json(name, solution.bound)
        return Mapping(
            solver=self.request.solver,
            objective=name,
            worst=self.searched_for == "worst",
            searched=self.searched_for is not None,
            value=score_json(name, solution.score),
            unit=self.objective.unit,
            scores=score_all(self.input.traffic, self.machine, solution.placement),
            baselines={label: score_json(name, score) for label, score in self._baselines().items()},
            proven=solution.proven,
            bound=bound,
            n_optimal=solution.n_optimal,
            cpu_s=solution.cpu_s,
            cut_short=solution.cut_short,
            seed=self.request.seed,
            effort=self.request.effort,
            placement=self.file(),
        )

    def _baselines(self) -> dict[str, list[float]]:
        """The scores of unoptimised placements that satisfy the constraints."""
        problem = model.MappingProblem(
            self.input.traffic, self.machine, self.objective.name, constraints=self.constraints
        )
        options = model.SolverOptions(seed=self.request.seed)
        scores = {}
        for name in BASELINES:
            if solvers()[name].takes_constrained_ranks or not self.request.constraints.has_constrained_ranks:
                scores[name] = model.solve(problem, name, options).score
        return scores
