"""Mapping: a placement that answers a request, with what is known about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from corewise import model
from corewise.mapping.engines import ENGINES, Engine
from corewise.mapping.request import Request
from corewise.mapping.scoring import score_all
from corewise.nouns.codec import plain
from corewise.nouns.placement import PlacementFile
from corewise.nouns.scores import score_json

if TYPE_CHECKING:
    from corewise.profile.inputs import Input

BASELINES = ("block", "round-robin", "random")
_FOR_CONSTRAINED_RANKS = {row.name for row in model.solvers() if row.supports_constrained_ranks}


@dataclass(frozen=True)
class Mapping:
    """A solution with what it was found for."""

    input: Input
    machine: model.Machine
    request: Request
    objective: model.ObjectiveInfo
    solution: model.Solution
    constraints: model.Constraints

    @property
    def searched_for(self) -> str | None:
        """ "best" or "worst"; None where the solver follows its own rule and looks for neither."""
        rows: list[model.SolverInfo | Engine] = [*model.solvers(), *ENGINES.values()]
        if not any(row.optimises for row in rows if row.name == self.request.solver):
            return None
        return "worst" if self.request.worst else "best"

    def file(self, placement: model.Placement | None = None) -> PlacementFile:
        """What `corewise map -o` writes; `placement` is another one of the same score."""
        return PlacementFile.of(
            placement or self.solution.placement,
            self.machine,
            objective=self.objective.name,
            solver=self.request.solver,
            seed=self.request.seed,
            oversubscribed=self.request.constraints.oversubscribe,
        )

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """For data frames, as in polars.DataFrame(mapping): the placement's rows."""
        return self.file().__arrow_c_stream__(requested_schema)

    def to_json(self) -> dict[str, Any]:
        """The document that `corewise map --json` prints."""
        solution, request, bound = self.solution, self.request, self.solution.bound
        return {
            "solver": request.solver,
            "objective": self.objective.name,
            "worst": self.searched_for == "worst",
            "value": score_json(self.objective.name, solution.score),
            "unit": self.objective.unit,
            "scores": plain(score_all(self.input.traffic, self.machine, solution.placement)),
            "proven": solution.proven,
            "bound": None if bound is None else score_json(self.objective.name, bound),
            "n_optimal": solution.n_optimal,
            "cpu_s": solution.cpu_s,
            "cut_short": solution.cut_short,
            "seed": request.seed,
            "effort": request.effort,
            "machine": self.machine.name,
            "fingerprint": self.machine.fingerprint,
            "placement": self.file().to_json(),
        }

    def standing(self) -> str:
        """How far the value can be from the optimum, in words."""
        if self.solution.proven:
            return "proven optimal"
        if self.solution.bound is None:
            return "no bound known"
        gap = relative_gap(self.solution.score, self.solution.bound)
        return "no bound known" if gap is None else f"at most {gap * 100:.1f} % from the optimum"

    def baselines(self) -> dict[str, list[float]]:
        """The same objective for placements that nobody optimised and that keep the constraints."""
        problem = model.MappingProblem(
            self.input.traffic, self.machine, self.objective.name, constraints=self.constraints
        )
        options = model.SolverOptions(seed=self.request.seed)
        scores = {}
        for name in BASELINES:
            if self.request.constraints.has_constrained_ranks and name not in _FOR_CONSTRAINED_RANKS:
                continue
            scores[name] = model.solve(problem, name, options).score
        return scores


def relative_gap(score: list[float], bound: list[float]) -> float | None:
    """|score - bound| over the smaller of the two, at the first value where they differ; 0 where none does.

    None where the smaller one is 0: nothing can be said in percent.
    """
    for found, limit in zip(score, bound, strict=True):
        if found != limit:
            return abs(found - limit) / min(found, limit) if min(found, limit) > 0 else None
    return 0.0
