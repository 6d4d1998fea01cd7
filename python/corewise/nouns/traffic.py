"""Traffic as part of other documents: its phases as columns."""

from __future__ import annotations

import copyreg
from typing import Annotated, ClassVar

import numpy as np
from msgspec import Meta

from corewise.model import CommMatrix, LargeMessages, Phase, Traffic
from corewise.nouns.codec import FieldError, Index, Noun, Number

# Bytes and messages of a matrix, and repeats of a phase; the limit is that of the core's 64-bit sums.
Amount = Annotated[int, Meta(ge=0, le=2**62)]


class PhaseColumns(Noun, frozen=True):
    """A phase that occurs `repeat` times: `src`[i] sends `bytes`[i] in `messages`[i] to `dst`[i].

    `when` is its begin and end, in s since the start of the job, None if unknown. Phases with the same
    `pattern` are alike.
    """

    LEFT_OUT: ClassVar[tuple[str, ...]] = ("when", "pattern")

    repeat: Amount
    n_ranks: Index
    src: list[Index]
    dst: list[Index]
    bytes: list[Amount]
    messages: list[Amount]
    when: tuple[Number, Number] | None = None
    pattern: Index = 0

    @classmethod
    def of(cls, phase: Phase) -> PhaseColumns:
        """The columns of a phase."""
        src, dst, n_bytes, messages = (column.tolist() for column in phase.matrix.columns())
        n_ranks = phase.matrix.n_ranks
        return cls(phase.repeat, n_ranks, src, dst, n_bytes, messages, phase.when, phase.pattern)

    @property
    def phase(self) -> Phase:
        """The phase for the C++ core; raises InputError if columns contradict each other."""
        return Phase(self.repeat, _matrix(self), self.when, self.pattern)


class LargeColumns(Noun, frozen=True):
    """The part of a traffic that is in messages of at least `threshold_bytes`, as one phase.

    `traffic` is left out if all of the traffic is in such messages.
    """

    LEFT_OUT: ClassVar[tuple[str, ...]] = ("traffic",)

    threshold_bytes: Amount
    traffic: PhaseColumns | None = None

    @classmethod
    def of(cls, whole: Traffic) -> LargeColumns | None:
        """The columns of the large messages of `whole`; None if message sizes are unknown."""
        large = whole.large
        if large is None:
            return None
        is_whole = large.matrix == whole.folded()
        return cls(large.threshold_bytes, None if is_whole else PhaseColumns.of(Phase(1, large.matrix)))

    def large_of(self, whole: Traffic) -> LargeMessages:
        """The large messages of the traffic `whole`."""
        return LargeMessages(self.threshold_bytes, _matrix(self.traffic) if self.traffic else whole.folded())


def phases_of(traffic: Traffic) -> list[PhaseColumns]:
    """The columns of each phase, in order."""
    return [PhaseColumns.of(phase) for phase in traffic.phases]


def traffic_of(phases: list[PhaseColumns]) -> Traffic:
    """The traffic of the phases; raises FieldError if there is none."""
    if not phases:
        raise FieldError("", phases, "one phase at least")
    return Traffic.of_phases([columns.phase for columns in phases])


def _matrix(phase: PhaseColumns) -> CommMatrix:
    columns = (np.array(column, np.uint64) for column in (phase.src, phase.dst, phase.bytes, phase.messages))
    return CommMatrix.from_columns(phase.n_ranks, *columns)


def no_traffic(n_ranks: int) -> Traffic:
    """One phase of `n_ranks` ranks without a message, for a program that was not traced yet."""
    return Traffic.of(CommMatrix.from_columns(n_ranks, *np.empty((4, 0))))


def is_silent(traffic: Traffic) -> bool:
    """Whether no rank sends another rank a message, not even an empty one."""
    src, dst, n_bytes, messages = traffic.folded().columns()
    return not any(((src != dst) & ((n_bytes > 0) | (messages > 0))).tolist())


def _unpickled_matrix(n_ranks: int, *columns: np.ndarray) -> CommMatrix:
    return CommMatrix.from_columns(n_ranks, *columns)


def _unpickled_traffic(phases: list[Phase], large: LargeMessages | None) -> Traffic:
    return Traffic.of_phases(phases, large)


copyreg.pickle(CommMatrix, lambda one: (_unpickled_matrix, (one.n_ranks, *one.columns())))
copyreg.pickle(Phase, lambda one: (Phase, (one.repeat, one.matrix, one.when, one.pattern)))
copyreg.pickle(LargeMessages, lambda one: (LargeMessages, (one.threshold_bytes, one.matrix)))
copyreg.pickle(Traffic, lambda one: (_unpickled_traffic, (one.phases, one.large)))
