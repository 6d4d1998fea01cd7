"""Scales traffic to another number of ranks if it has exactly the form of a known pattern."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product

import numpy as np

from corewise.errors import InputError
from corewise.model import CommMatrix, Phase, Traffic
from corewise.profile import patterns
from corewise.profile.inputs import Input

# With fewer ranks, several forms have the same messages.
LEAST_RANKS = 4
# With two ranks along an axis, an open and a periodic grid have the same neighbours.
_LEAST_EXTENT = 3


@dataclass(frozen=True)
class _Part:
    """Pairs whose bytes and messages scale together; both columns are in units of the part."""

    src: np.ndarray
    dst: np.ndarray
    bytes: np.ndarray
    messages: np.ndarray


@dataclass(frozen=True)
class KnownPattern:
    """A row of FORMS by its name `form`, and (bytes, messages) of one unit of each of its parts."""

    form: str
    units: tuple[tuple[int, int], ...]

    def at(self, n_ranks: int) -> CommMatrix:
        """The pattern with this number of ranks; raises InputError if the form does not allow the number."""
        parts = FORMS[self.form](n_ranks)
        if parts is None or len(parts) != len(self.units):
            raise InputError(f"a {self.form} can't be scaled to {n_ranks} ranks; expected another number")
        columns = [
            (part.src, part.dst, part.bytes * n_bytes, part.messages * n_messages)
            for part, (n_bytes, n_messages) in zip(parts, self.units, strict=True)
        ]
        src, dst, sent, messages = (np.concatenate(column) for column in zip(*columns, strict=True))
        return CommMatrix.from_columns(n_ranks, src, dst, sent, messages)


def known_pattern(matrix: CommMatrix) -> KnownPattern | None:
    """The form with exactly these messages; None if there is none, or fewer than LEAST_RANKS ranks."""
    if matrix.n_ranks < LEAST_RANKS:
        return None
    src, dst, sent, messages = matrix.columns()
    others = src != dst
    found = dict(
        zip(
            zip(src[others].tolist(), dst[others].tolist(), strict=True),
            zip(sent[others].tolist(), messages[others].tolist(), strict=True),
            strict=True,
        )
    )
    for form, parts_at in FORMS.items():
        parts = parts_at(matrix.n_ranks)
        if parts is None or sum(len(part.src) for part in parts) != len(found):
            continue
        units = [unit for part in parts if (unit := _unit(part, found)) is not None]
        if parts and len(units) == len(parts):
            return KnownPattern(form, tuple(units))
    return None


def scaled(inputs: Sequence[Input], n_ranks: int) -> tuple[Input, str]:
    """The largest of `inputs` scaled to `n_ranks`, phase by phase, and the form of its whole traffic.

    Blocks keep their size, so that each rank has the same work (weak scaling). Raises InputError if an input
    has no known form, or if inputs differ in more than their ranks.
    """
    largest = max(inputs, key=lambda found: found.traffic.n_ranks)
    known = [_known(found) for found in inputs]
    if differing := next((found for found, of in zip(inputs, known, strict=True) if of != known[0]), None):
        raise InputError(
            f"{inputs[0].name} and {differing.name} can't be extrapolated: their messages differ in more "
            "than the number of ranks; expected the same pattern with blocks of the same size"
        )
    phases = [
        Phase(phase.repeat, _scaled(phase.matrix, n_ranks, largest)) for phase in largest.traffic.phases
    ]
    traffic = Traffic.of_phases(phases)
    return replace(largest, kind="pattern", traffic=traffic, profile=None), known[0].form


def _known(found: Input) -> KnownPattern:
    pattern = known_pattern(found.traffic.folded())
    if pattern is None:
        raise InputError(
            f"{found.name} can't be extrapolated: its messages have none of the known forms "
            f"({', '.join(FORMS)}), so nothing says what more ranks would send; expected a trace of as many "
            "ranks as the machine has cores"
        )
    return pattern


def _scaled(matrix: CommMatrix, n_ranks: int, found: Input) -> CommMatrix:
    if matrix.bytes == matrix.messages == 0:
        return CommMatrix.from_columns(n_ranks, *np.zeros((4, 0)))
    pattern = known_pattern(matrix)
    if pattern is None:
        raise InputError(
            f"{found.name} can't be extrapolated: one of its phases alone has none of the known forms; "
            "expected a trace of as many ranks as the machine has cores"
        )
    return pattern.at(n_ranks)


def _unit(part: _Part, found: dict[tuple[int, int], tuple[int, int]]) -> tuple[int, int] | None:
    """Bytes and messages of one unit of the part; None if the pairs of the part disagree."""
    units = set()
    columns = (part.src.tolist(), part.dst.tolist(), part.bytes.tolist(), part.messages.tolist())
    for src, dst, n_bytes, n_messages in zip(*columns, strict=True):
        sent, messages = found.get((src, dst), (-1, -1))
        if sent < 0 or sent % n_bytes or messages % n_messages:
            return None
        units.add((sent // n_bytes, messages // n_messages))
    return units.pop() if len(units) == 1 else None


def _of_pattern(pattern: Callable[[int, int], CommMatrix], n_ranks: int) -> list[_Part] | None:
    try:
        return [_Part(*pattern(n_ranks, 1).columns())]
    except InputError:
        return None


def _grid(n_axes: int, periodic: bool, n_ranks: int) -> list[_Part] | None:
    """Neighbours in the most nearly cubic grid, ranks in row-major order; one part for each axis."""
    extents = _most_cubic(n_ranks, n_axes)
    if extents is None:
        return None
    ranks = np.arange(n_ranks).reshape(extents)
    parts = []
    for axis in range(n_axes):
        after = np.roll(ranks, -1, axis)
        inside = np.ones(extents, bool)
        if not periodic:
            inside[tuple(slice(-1, None) if at == axis else slice(None) for at in range(n_axes))] = False
        one, other = ranks[inside].astype(np.int32), after[inside].astype(np.int32)
        src, dst = np.concatenate([one, other]), np.concatenate([other, one])
        ones = np.ones(len(src), np.uint64)
        parts.append(_Part(src, dst, ones, ones))
    return parts


def _most_cubic(n_ranks: int, n_axes: int) -> tuple[int, ...] | None:
    """The extents with the smallest sum, in descending order as of MPI_Dims_create; None if too small."""
    divisors = [d for d in range(_LEAST_EXTENT, n_ranks + 1) if n_ranks % d == 0]
    extents = [
        found
        for found in product(divisors, repeat=n_axes)
        if math.prod(found) == n_ranks and list(found) == sorted(found, reverse=True)
    ]
    return min(extents, key=sum, default=None)


# The parts of each form for a number of ranks; None if the form does not allow the number.
FORMS: dict[str, Callable[[int], list[_Part] | None]] = {
    "binomial broadcast": partial(_of_pattern, patterns.binomial),
    **{
        f"{n_axes}-dimensional {kind} grid": partial(_grid, n_axes, kind == "periodic")
        for kind in ("open", "periodic")
        for n_axes in (1, 2, 3)
    },
    "recursive-doubling all-gather": partial(_of_pattern, patterns.recursive_doubling),
    "ring all-gather": partial(_of_pattern, patterns.ring),
}
