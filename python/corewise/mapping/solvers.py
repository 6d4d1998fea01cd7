"""The table of solvers: those of the core and the external partitioners."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from corewise.mapping.partitioners.bisection import Bisect


@dataclass(frozen=True)
class Solver:
    """One row of the table.

    Only external partitioners have `load`, which returns the bisection for (seed, effort) or raises
    MissingError, and `missing`, which returns the reason why it isn't installed, empty if it is. They find
    the best placement only, never the worst.
    """

    name: str
    sentence: str
    citation: str
    optimises: bool  # searches for the best score
    takes_constrained_ranks: bool
    load: Callable[[int, str], Bisect] | None = None
    missing: Callable[[], str] | None = None


@cache
def solvers() -> dict[str, Solver]:
    """All solvers by name, sorted."""
    from corewise import model
    from corewise.mapping.partitioners import kaminpar

    rows = [
        Solver(row.name, row.sentence, row.citation, row.optimises, row.supports_constrained_ranks)
        for row in model.solvers()
    ]
    rows.append(
        Solver(
            "kaminpar",
            "for many more ranks than cores: halves by KaMinPar along the tree, then the swaps of auto",
            "Gottesbüren, Heuer, Sanders, Schulz, Seemaier, Deep Multilevel Graph Partitioning, ESA 2021",
            optimises=True,
            takes_constrained_ranks=False,
            load=kaminpar.load,
            missing=kaminpar.missing,
        )
    )
    return {row.name: row for row in sorted(rows, key=lambda row: row.name)}
