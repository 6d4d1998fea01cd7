"""Mapping: a placement that answers a request, with what is known about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from corewise.nouns.codec import Index, Noun, Number, Seconds
from corewise.nouns.placement import Placement
from corewise.nouns.scores import Scores
from corewise.nouns.tables import Tabular

if TYPE_CHECKING:
    from os import PathLike

    from corewise.model import Machine
    from corewise.text.svg_text import Svg

Value = Number | list[Number]  # a list if the objective has several values


class Mapping(Tabular, Noun, frozen=True, kw_only=True):
    """What `corewise map` finds.

    `worst`: the worst placement was asked for. `searched` is False if the solver follows a fixed rule.
    `value` is the objective's value in `unit`; lower is better. `bound` is a value that no placement can beat
    (with `worst`: exceed), None if unknown. `baselines` are the values of unoptimised placements that satisfy
    the constraints. `n_optimal` is the number of placements with the value, None if they were not counted.
    `cpu_s` is the CPU time of the solver alone.
    """

    FORMAT: ClassVar[str] = "corewise-mapping"
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
    placement: Placement

    @property
    def machine(self) -> str:
        return self.placement.machine

    @property
    def fingerprint(self) -> str:
        return self.placement.fingerprint

    if TYPE_CHECKING:  # notebook.py adds it

        def plot(self, machine: Machine | str | PathLike[str] | None = None) -> Svg: ...

    def columns(self) -> dict[str, Any]:
        """The placement's rows."""
        return self.placement.columns()

    @property
    def standing(self) -> str:
        """How far the value can be from the optimum, in words."""
        if self.proven:
            return "proven optimal"
        gap = None if self.bound is None else relative_gap(listed(self.value), listed(self.bound))
        return "no bound known" if gap is None else f"at most {gap * 100:.1f} % from the optimum"


def listed(value: Value) -> list[float]:
    """The values of an objective as a list."""
    return value if isinstance(value, list) else [value]


def relative_gap(score: list[float], bound: list[float]) -> float | None:
    """|score - bound| over the smaller of the two, at the first value where they differ; 0 if none does.

    None if the smaller one is 0: nothing can be said in percent.
    """
    for found, limit in zip(score, bound, strict=True):
        if found != limit:
            return abs(found - limit) / min(found, limit) if min(found, limit) > 0 else None
    return 0.0
