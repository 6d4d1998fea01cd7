"""Finds a placement for an input, a machine and a request, by a solver of the core or a partitioner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from corewise import model
from corewise.errors import InputError, did_you_mean, option
from corewise.mapping.partitioners.bisection import Bisect, find_start
from corewise.mapping.request import MappingRequest
from corewise.mapping.scoring import score_all
from corewise.mapping.solvers import Solver, solvers
from corewise.nouns.mapping import Mapping
from corewise.nouns.placement import Placement
from corewise.nouns.scores import score_json
from corewise.nouns.traffic import no_traffic

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


def solve(found: Input, machine: model.Machine, request: MappingRequest) -> Solved:
    """The best placement that the solver finds, or the worst if `request` asks for it.

    Ranks have one core unless the request says more (with_cores_for_threads()).
    Raises InputError for an unknown name, and for constraints that can't all be satisfied.
    Raises MissingError for a partitioner that is not installed.
    """
    solver = _checked_solver(request, machine)
    objective = _objective(request, machine)
    constraints = request.constraints.on(machine, found.traffic.n_ranks)
    problem = model.MappingProblem(
        found.traffic, machine, objective.name, worst=request.worst, constraints=constraints
    )
    if solver.load is None:
        solution = model.solve(problem, solver.name, request.options())
    else:
        bisect = solver.load(request.seed, request.effort)
        solution = _with_partitioner(bisect, found.traffic, machine, problem, request)
    return Solved(found, machine, request, objective, solution, constraints)


def check_request(machine: model.Machine, request: MappingRequest, n_ranks: int) -> None:
    """Raises the errors of solve() that don't depend on the traffic, before the program is traced.

    Solves without traffic, by block order instead of a solver that searches, which fails in the same cases.
    """
    solver = _checked_solver(request, machine)
    problem = model.MappingProblem(
        no_traffic(n_ranks),
        machine,
        _objective(request, machine).name,
        constraints=request.constraints.on(machine, n_ranks),
    )
    model.solve(problem, "block" if solver.optimises else solver.name)


def _objective(request: MappingRequest, machine: model.Machine) -> model.ObjectiveInfo:
    return model.objective(request.objective or model.default_objective(machine))


def _checked_solver(request: MappingRequest, machine: model.Machine) -> Solver:
    """The solver of the request.

    Raises InputError for an unknown solver or unsupported request, MissingError if it isn't installed.
    """
    solver = solvers().get(request.solver)
    if solver is None:
        near = did_you_mean(request.solver, solvers()) or "; `corewise map --list` lists the solvers"
        raise InputError(f"unknown solver '{request.solver}'{near}")
    if solver.load is None:
        return solver
    objective = _objective(request, machine)
    refused = {
        "the worst placement": request.worst,
        "fixed ranks and ranks of different widths": request.constraints.has_constrained_ranks,
        f"{objective.name}, which keeps every rank on its node": objective.keeps_nodes,
    }
    for what, asked in refused.items():
        if asked:
            raise InputError(
                f"the solver {request.solver} doesn't support {what}; expected {option('solver', 'auto')}"
            )
    solver.load(request.seed, request.effort)  # raises MissingError
    return solver


def _with_partitioner(
    bisect: Bisect,
    traffic: model.Traffic,
    machine: model.Machine,
    problem: model.MappingProblem,
    request: MappingRequest,
) -> model.Solution:
    """The partitioner's mapping, improved by the core; each core has as many ranks as in block order."""
    block = model.solve(problem, "block").placement
    ranks_on_core = np.bincount(block.core_of_rank, minlength=machine.n_cores)
    start, cpu_s = find_start(traffic, machine, ranks_on_core, bisect, request.deadline)
    return model.improve(problem, start, cpu_s, request.options())
