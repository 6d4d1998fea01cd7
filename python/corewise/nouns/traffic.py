"""Traffic as part of other documents: its phases as columns."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from msgspec import Meta

from corewise.model import CommMatrix, Phase, Traffic
from corewise.nouns.codec import FieldError, Index, Noun

# Bytes and messages of a matrix, and repeats of a phase; the limit is that of the core's 64-bit sums.
Amount = Annotated[int, Meta(ge=0, le=2**62)]


class PhaseColumns(Noun, frozen=True):
    """A phase that occurs `repeat` times: `src`[i] sends `bytes`[i] in `messages`[i] to `dst`[i]."""

    repeat: Amount
    n_ranks: Index
    src: list[Index]
    dst: list[Index]
    bytes: list[Amount]
    messages: list[Amount]


def phases_of(traffic: Traffic) -> list[PhaseColumns]:
    """The columns of each phase, in order."""
    return [
        PhaseColumns(
            phase.repeat, phase.matrix.n_ranks, *(column.tolist() for column in phase.matrix.columns())
        )
        for phase in traffic.phases
    ]


def traffic_of(phases: list[PhaseColumns]) -> Traffic:
    """The traffic of the phases; raises FieldError if there is none."""
    if not phases:
        raise FieldError("", phases, "one phase at least")
    return Traffic.of_phases([Phase(phase.repeat, _matrix(phase)) for phase in phases])


def _matrix(phase: PhaseColumns) -> CommMatrix:
    columns = (np.array(column, np.uint64) for column in (phase.src, phase.dst, phase.bytes, phase.messages))
    return CommMatrix.from_columns(phase.n_ranks, *columns)


def is_silent(traffic: Traffic) -> bool:
    """Whether no rank sends another rank a message, not even an empty one."""
    src, dst, n_bytes, messages = traffic.folded().columns()
    return not any(((src != dst) & ((n_bytes > 0) | (messages > 0))).tolist())
