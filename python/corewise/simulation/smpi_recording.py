"""The recorded calls of each rank, in order, and checks of whether they can be replayed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from corewise.errors import InputError, option
from corewise.model import EventLog, Layer, Profile

# SMPI's counts are ints, and the replay counts bytes.
MOST_BYTES = 2**31 - 1


@dataclass(frozen=True)
class RecordedEvents:
    """The events of a job: `columns` as of EventLog.columns(), `calls` are name and layer of each call.

    `members` [communicator id] are its world ranks in order. MPI_Init of rank r was at `begin_s[r]` and its
    MPI_Finalize at `end_s[r]`, on the clock of its events. `path` is for errors.
    """

    path: str
    columns: dict[str, np.ndarray]
    calls: list[tuple[str, Layer]]
    members: dict[int, list[int]]
    begin_s: list[float]
    end_s: list[float]

    @classmethod
    def of(cls, path: str, log: EventLog, profile: Profile) -> RecordedEvents:
        """The recording; raises InputError if events are missing or a rank did not reach MPI_Finalize."""
        if log.n_dropped or log.n_damaged:
            raise InputError(
                f"{log.n_dropped} events were not kept and {log.n_damaged} parts are damaged; a "
                f"replay needs all: record again with a larger {option('event-mib')}, or a shorter run",
                path=path,
            )
        if not profile.complete:
            raise InputError(
                f"holds a part of the job ({'; '.join(profile.faults)}); a replay needs the whole job",
                path=path,
            )
        columns = log.columns()
        spans = _spans(columns, profile)
        return cls(
            path,
            columns,
            [(call.name, call.layer) for call in log.calls],
            {comm.id: list(comm.members) for comm in profile.comms},
            [begin_s for begin_s, _ in spans],
            [end_s for _, end_s in spans],
        )

    @property
    def n_ranks(self) -> int:
        return len(self.begin_s)

    @cached_property
    def first_of_call(self) -> np.ndarray:
        """The index of each call's event, which the call's parts follow."""
        return np.flatnonzero(self.columns["part"] == 0)

    def calls_of(self, rank: int) -> Iterator[range]:
        """The events of each call of a rank, in order."""
        first, last = np.searchsorted(self.columns["rank"], [rank, rank + 1]).tolist()
        begins = self.first_of_call[(self.first_of_call >= first) & (self.first_of_call < last)].tolist()
        for begin, end in pairwise([*begins, last]):
            yield range(begin, end)

    def name(self, event: int) -> str:
        return self.calls[int(self.columns["call"][event])][0]

    def layer(self, event: int) -> Layer:
        return self.calls[int(self.columns["call"][event])][1]


def _spans(columns: dict[str, np.ndarray], profile: Profile) -> list[tuple[float, float]]:
    """Start and end of each rank, on the clock of its events."""
    edges = np.searchsorted(columns["rank"], np.arange(profile.n_ranks + 1)).tolist()
    spans = []
    for rank, (first, last) in zip(profile.ranks, pairwise(edges), strict=True):
        if first == last:
            spans.append((0.0, rank.wall_s))
            continue
        begin_s, end_s = columns["begin_s"][first].item(), columns["end_s"][first:last].max().item()
        spans.append(span_around(begin_s, end_s, rank.begin_s, rank.wall_s))
    return spans


def span_around(first_s: float, last_s: float, begin_s: float, wall_s: float) -> tuple[float, float]:
    """Start and end of a rank with calls from `first_s` to `last_s` that ran for `wall_s`.

    `begin_s` is the rank's start by a clock that may differ from that of the calls. It only decides how much
    of the rest of `wall_s` is before the calls and how much after them.
    """
    rest_s = max(0.0, wall_s - (last_s - first_s))
    before_s = min(max(0.0, first_s - begin_s), rest_s)
    return first_s - before_s, last_s + rest_s - before_s


def check_replayable(recording: RecordedEvents) -> None:
    """Raises InputError naming the first event that a time-independent trace can't express."""
    for event, why in _obstacles(recording):
        rank = int(recording.columns["rank"][event])
        raise InputError(
            f"{recording.path} can't be replayed: {recording.name(event)} of rank {rank} {why}; expected "
            "blocking and non-blocking point-to-point calls and blocking collectives of all ranks"
        )


def _obstacles(recording: RecordedEvents) -> Iterator[tuple[int, str]]:
    """Events that can't be replayed, each with the reason."""
    columns = recording.columns
    message = _in_layer(recording, Layer.p2p) & ((columns["sends"] != 0) | (columns["receives"] != 0))
    open_receive = (columns["receives"] != 0) & (columns["starts"] != 0) & (columns["completed_by"] < 0)
    collective = columns["collective"] != 0
    reasons = (
        (columns["thread"] != _first_thread(columns), "is on a second thread"),
        (columns["failed"] != 0, "returned an error"),
        (_in_layer(recording, Layer.rma), "is one-sided"),
        (message & (columns["peer"] < 0) & ~open_receive, "has a partner outside MPI_COMM_WORLD"),
        (message & (columns["matches"] < 0) & ~open_receive, "has a message whose other end was not found"),
        ((columns["bytes"] > MOST_BYTES) & (message | collective), "has more than 2^31 - 1 bytes"),
        (collective & (columns["starts"] != 0), "is a non-blocking collective"),
    )
    for found, why in reasons:
        for event in np.flatnonzero(found)[:1].tolist():
            yield event, why


def _in_layer(recording: RecordedEvents, layer: Layer) -> np.ndarray:
    """A mask of the events whose calls are of that layer."""
    of_call = np.array([of_call == layer for _, of_call in recording.calls], dtype=bool)
    in_layer: np.ndarray = of_call[recording.columns["call"]]
    return in_layer


def _first_thread(columns: dict[str, np.ndarray]) -> np.ndarray:
    """For each event the thread of its rank's first event."""
    _, first, inverse = np.unique(columns["rank"], return_index=True, return_inverse=True)
    return columns["thread"][first][inverse]
