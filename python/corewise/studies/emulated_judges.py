"""What claims about emulated runs come to: a placement's improvement over the baseline, case by case.

The improvement is the HPL paper's, t_baseline / t - 1, of medians over repeats. Two placements differ where
the intervals of their medians don't overlap.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from corewise.errors import did_you_mean
from corewise.files.table import Table
from corewise.statistics import Interval
from corewise.studies.emulated_runs import Cell, EmulatedScale, case_name
from corewise.sweep.figure_spec import check_label
from corewise.text.quantities import percent_text


class Finding(NamedTuple):
    """What we found, whether the claim holds (None where that is open), and why, in a sentence."""

    ours: float | str | None
    holds: bool | None
    because: str


@dataclass(frozen=True)
class Times:
    """Intervals of the medians, s, by case and placement; `scale` says which cases there should be."""

    baseline: str
    cells: list[Cell]
    placements: list[str]
    scale: EmulatedScale
    estimates: dict[tuple[str, str], Interval]

    def improvement(self, cell: str, size: int, placement: str) -> float | None:
        """t_baseline / t - 1; None where one of the two has no time."""
        base, own = self.of(cell, size, self.baseline), self.of(cell, size, placement)
        return base.expected / own.expected - 1 if base and own else None

    def of(self, cell: str, size: int, placement: str) -> Interval | None:
        """None where no run ended well."""
        by_name = {each.name: each for each in self.cells}
        return self.estimates.get((case_name(by_name[cell], size), placement))

    def cells_of(self, about: Table, key: str = "cells") -> list[str]:
        """The cells that a claim names, all where it names none; raises InputError for another name."""
        names = [cell.name for cell in self.cells]
        wanted = about.texts(key, names)
        for name in wanted:
            if name not in names:
                raise about.error(key, name, f"cells ({', '.join(names)}){did_you_mean(name, names)}")
        return wanted

    def placement_of(self, about: Table, key: str = "placement") -> str:
        """The placement that a claim names; raises InputError where there is none."""
        return check_label(about, key, dict.fromkeys(self.placements))


def improvement_between(times: Times, about: Table) -> Finding:
    """The improvement of `placement` at `size` lies between `least` and `most` in every cell."""
    placement, cells, size = times.placement_of(about), times.cells_of(about), about.whole("size")
    found = [times.improvement(cell, size, placement) for cell in cells]
    least, most = about.number("least"), about.number("most")
    if None in found:
        return _open(found)
    holds = all(least <= each <= most for each in found)
    return Finding(
        _range(found), holds, f"expected {percent_text(least)} to {percent_text(most)} at size {size}"
    )


def improvement_falls(times: Times, about: Table) -> Finding:
    """In every cell the improvement of `placement` is smaller at the largest size than at the smallest."""
    placement, cells = times.placement_of(about), times.cells_of(about)
    ends = (min(times.scale.sizes), max(times.scale.sizes))
    found = [[times.improvement(cell, size, placement) for size in ends] for cell in cells]
    if ends[0] == ends[1]:
        return Finding(None, None, "this scale has a single size")
    if any(None in pair for pair in found):
        return _open([each for pair in found for each in pair])
    ours = "; ".join(f"{percent_text(small)} to {percent_text(large)}" for small, large in found)
    return Finding(
        ours, all(large < small for small, large in found), f"from size {ends[0]} to {ends[1]}, by cell"
    )


def improvement_smaller(times: Times, about: Table) -> Finding:
    """The improvement of `placement` in `cells` is above 0 and below that of `than` in `than_cells`."""
    placement, than = times.placement_of(about), times.placement_of(about, "than")
    cells, than_cells = times.cells_of(about), times.cells_of(about, "than_cells")
    if len(cells) != len(than_cells):
        raise about.error("than_cells", than_cells, f"as many as cells, {len(cells)}")
    pairs = list(zip(cells, than_cells, strict=True))
    sizes = times.scale.sizes
    own = [times.improvement(cell, size, placement) for cell, _ in pairs for size in sizes]
    others = [times.improvement(cell, size, than) for _, cell in pairs for size in sizes]
    if None in (*own, *others):
        return _open([*own, *others])
    ours = "; ".join(f"{percent_text(a)} against {percent_text(b)}" for a, b in zip(own, others, strict=True))
    holds = all(0 < a < b for a, b in zip(own, others, strict=True))
    return Finding(ours, holds, "expected the first of each pair above 0 and below the second")


def not_slower(times: Times, about: Table) -> Finding:
    """`placement` is at least as fast as `than` in every case, within the spread of their repeats."""
    placement, than = times.placement_of(about), times.placement_of(about, "than")
    found = [
        (times.of(cell, size, placement), times.of(cell, size, than))
        for cell in times.cells_of(about)
        for size in times.scale.sizes
    ]
    if any(None in pair for pair in found):
        return _open([each for pair in found for each in pair])
    ours = [other.expected / own.expected - 1 for own, other in found]
    holds = all(own.low <= other.high for own, other in found)
    return Finding(_range(ours), holds, f"t_{than} / t_{placement} - 1; slower where the intervals are apart")


def faster_where(times: Times, about: Table) -> Finding:
    """Where `where` is faster than the baseline, so is `placement`; faster: the intervals are apart.

    Open where `where` is faster nowhere.
    """
    placement, where = times.placement_of(about), times.placement_of(about, "where")
    cases = [(cell, size) for cell in times.cells_of(about) for size in times.scale.sizes]
    found = [[times.of(*case, label) for label in (times.baseline, where, placement)] for case in cases]
    if any(None in each for each in found):
        return _open([time for each in found for time in each])
    asked = [(base, own) for base, other, own in found if other.high < base.low]
    faster = sum(own.high < base.low for base, own in asked)
    because = f"{where} is faster than {times.baseline} in {len(asked)} of {len(found)} cases"
    return Finding(f"{faster} of {len(asked)}", faster == len(asked) if asked else None, because)


def _open(found: list) -> Finding:
    return Finding(None, None, f"{sum(each is None for each in found)} of {len(found)} times are missing")


def _range(found: list[float]) -> str:
    """`54 % to 48 %`, in the order of the cases; one number where they are one."""
    return ", ".join(percent_text(each) for each in found)


# Sorted by name; a claim names one, and its table `about` what it looks at.
EMULATED: dict[str, Callable[[Times, Table], Finding]] = {
    "faster-where": faster_where,
    "improvement-between": improvement_between,
    "improvement-falls": improvement_falls,
    "improvement-smaller": improvement_smaller,
    "not-slower": not_slower,
}
