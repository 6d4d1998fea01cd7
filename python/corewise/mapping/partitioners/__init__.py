"""External partitioners that find a start for the core's search; each is a row, and optional."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from corewise.mapping.partitioners import kaminpar
from corewise.mapping.partitioners.bisection import Bisect


@dataclass(frozen=True)
class Partitioner:
    """One row of the table; the fields are those of a solver's row.

    `load` returns the bisection for (seed, effort), or raises MissingError. `missing` returns the reason,
    empty if the partitioner is installed.
    """

    name: str
    sentence: str
    citation: str
    load: Callable[[int, str], Bisect]
    missing: Callable[[], str]
    optimises: bool = True


PARTITIONERS = {
    "kaminpar": Partitioner(
        "kaminpar",
        "for many more ranks than cores: halves by KaMinPar along the tree, then the swaps of auto",
        "Gottesbüren, Heuer, Sanders, Schulz, Seemaier, Deep Multilevel Graph Partitioning, ESA 2021",
        kaminpar.load,
        kaminpar.missing,
    ),
}
