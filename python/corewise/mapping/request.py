"""Request: what was asked of a solver."""

from __future__ import annotations

from dataclasses import dataclass, field

from corewise import model
from corewise.mapping.constraints import ConstraintRequest


@dataclass(frozen=True)
class Request:
    """What was asked of the solver; `objective` None means the machine's default, `deadline` is in CPU s."""

    objective: str | None = None
    solver: str = "auto"
    worst: bool = False
    seed: int = 1
    effort: str = "default"
    deadline: float | None = None
    constraints: ConstraintRequest = field(default_factory=ConstraintRequest)
    least_regret: bool = False
    threads: int = 1

    def options(self) -> model.SolverOptions:
        """How the core is to solve it."""
        return model.SolverOptions(
            seed=self.seed, effort=self.effort, deadline_cpu_s=self.deadline, threads=self.threads
        )
