"""Mapping: a placement that answers a request, with what is known about it."""

from __future__ import annotations

from typing import ClassVar

from corewise.nouns.codec import Index, Noun, Number, Seconds
from corewise.nouns.placement import PlacementFile
from corewise.nouns.scores import Scores

Value = Number | list[Number]  # a list where the objective is one


class Mapping(Noun, frozen=True, kw_only=True):
    """What `corewise map` finds.

    `worst` says that the worst placement was wanted, and `searched` that the solver searches at all: some
    follow a fixed rule. `value` is the objective's in `unit`, lower is better, and `bound` the
    least that any placement can have (with `worst` the greatest), None if none is known. `baselines` are
    the same objective for placements that nobody optimised and that keep the constraints. `n_optimal` is how
    many placements have the value, None if they were not counted. `cpu_s` is of the solver alone.
    """

    FORMAT: ClassVar[str] = "corewise-mapping"
    SCHEMA: ClassVar[int] = 1
    WRITTEN_BY: ClassVar[str] = "corewise map --json"
    DERIVED: ClassVar[tuple[str, ...]] = ("machine", "fingerprint")

    solver: str
    objective: str
    worst: bool
    searched: bool
    value: Value
    unit: str
    scores: Scores
    baselines: dict[str, Value]
    proven: bool
    bound: Value | None
    n_optimal: Index | None
    cpu_s: Seconds
    cut_short: bool
    seed: int
    effort: str
    placement: PlacementFile

    @property
    def machine(self) -> str:
        return self.placement.machine

    @property
    def fingerprint(self) -> str:
        return self.placement.fingerprint

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """For data frames, as in polars.DataFrame(mapping): the placement's rows."""
        return self.placement.__arrow_c_stream__(requested_schema)

    @property
    def standing(self) -> str:
        """How far the value can be from the optimum, in words."""
        if self.proven:
            return "proven optimal"
        gap = None if self.bound is None else relative_gap(listed(self.value), listed(self.bound))
        return "no bound known" if gap is None else f"at most {gap * 100:.1f} % from the optimum"


def listed(value: Value) -> list[float]:
    """The values of an objective as a list, of one where it is a number."""
    return value if isinstance(value, list) else [value]


def relative_gap(score: list[float], bound: list[float]) -> float | None:
    """|score - bound| over the smaller of the two, at the first value where they differ; 0 if none does.

    None if the smaller one is 0: nothing can be said in percent.
    """
    for found, limit in zip(score, bound, strict=True):
        if found != limit:
            return abs(found - limit) / min(found, limit) if min(found, limit) > 0 else None
    return 0.0
