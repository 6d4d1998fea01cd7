"""From an input and a machine to a placement with what is known about it: the work of `corewise map`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from corewise import model
from corewise.placement_file import PlacementFile
from corewise.scoring import default_objective, objectives_for, score_all, score_json, scores_json

if TYPE_CHECKING:
    from corewise.profile.inputs import Input

BASELINES = ("block", "round-robin", "random")


@dataclass(frozen=True)
class Request:
    """What was asked of the solver; `objective` None means the machine's default, `deadline` is in CPU s."""

    objective: str | None = None
    solver: str = "auto"
    worst: bool = False
    seed: int = 1
    effort: str = "default"
    deadline: float | None = None
    oversubscribe: bool = False


@dataclass(frozen=True)
class Mapping:
    """A solution with what it was found for."""

    input: Input
    machine: model.Machine
    request: Request
    objective: model.ObjectiveInfo
    solution: model.Solution

    def file(self) -> PlacementFile:
        """What `corewise map -o` writes."""
        return PlacementFile.of(
            self.solution.placement,
            self.machine,
            objective=self.objective.name,
            solver=self.request.solver,
            seed=self.request.seed,
            oversubscribed=self.request.oversubscribe,
        )

    def to_json(self) -> dict:
        """The document that `corewise map --json` prints."""
        solution, request = self.solution, self.request
        return {
            "solver": request.solver,
            "objective": self.objective.name,
            "worst": request.worst,
            "value": score_json(self.objective, solution.score),
            "unit": self.objective.unit,
            "scores": scores_json(
                self.machine, score_all(self.input.traffic, self.machine, solution.placement)
            ),
            "proven": solution.proven,
            "bound": score_json(self.objective, solution.bound),
            "n_optimal": solution.n_optimal,
            "cpu_s": solution.cpu_s,
            "cut_short": solution.cut_short,
            "seed": request.seed,
            "effort": request.effort,
            "machine": self.machine.name,
            "fingerprint": self.machine.fingerprint,
            "placement": self.file().columns(),
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
        """The same objective for placements that nobody optimised, by solver."""
        constraints = model.Constraints(oversubscribe=self.request.oversubscribe)
        scores = {}
        for name in BASELINES:
            solution = model.solve(
                self.input.traffic,
                self.machine,
                self.objective.name,
                name,
                seed=self.request.seed,
                constraints=constraints,
            )
            scores[name] = solution.score
        return scores


def solve(found: Input, machine: model.Machine, request: Request) -> Mapping:
    """Raises InputError for an unknown name, and where ranks outnumber cores without `oversubscribe`."""
    objective = request.objective or default_objective(machine)
    solution = model.solve(
        found.traffic,
        machine,
        objective,
        request.solver,
        worst=request.worst,
        seed=request.seed,
        effort=request.effort,
        deadline_cpu_s=request.deadline,
        constraints=model.Constraints(oversubscribe=request.oversubscribe),
    )
    return Mapping(found, machine, request, objectives_for(machine)[objective], solution)


def relative_gap(score: list[float], bound: list[float]) -> float | None:
    """|score - bound| over the smaller of the two, at the first value where they differ; 0 where none does.

    None where the smaller one is 0: nothing can be said in percent.
    """
    for found, limit in zip(score, bound, strict=True):
        if found != limit:
            return abs(found - limit) / min(found, limit) if min(found, limit) > 0 else None
    return 0.0
