"""Converts an events profile to SimGrid's time-independent trace: what each rank sends, receives, computes.

The format is that of SimGrid 3.32 and 4 (src/smpi/internals/smpi_replay.cpp). A line has the rank, an action
and its numbers. `wait` identifies a request by sender, receiver and tag. Sizes are in bytes. Of collectives,
the format only has those of all ranks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np

from corewise.errors import InputError, option
from corewise.model import EventLog, Layer, Profile
from corewise.simulation.smpi_platform import HOST_FLOPS

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


# Prefixes of calls that create communicators. They are left out, because they send almost nothing.
_MAKES_COMMUNICATORS = ("MPI_Comm_", "MPI_Cart_", "MPI_Graph_", "MPI_Dist_graph_", "MPI_Intercomm_")


# Bytes of an element, and SMPI's number for such a type (MPI_DOUBLE, MPI_INT, MPI_BYTE).
_DATATYPES = ((8, 0), (4, 1), (1, 6))


@dataclass(frozen=True)
class Collective:
    """One collective call of all ranks: `bytes` [rank], and `to` [rank][peer] if the sizes of pairs differ.

    Sizes are those of FORMATS.md, "Collectives". `root` is a world rank.
    """

    name: str
    root: int
    bytes: list[int]
    to: list[dict[int, int]]

    @property
    def n_ranks(self) -> int:
        return len(self.bytes)

    @property
    def size(self) -> int:
        """The size that all ranks have; the maximum, because a gather's root records 0."""
        return max(self.bytes)

    def sent(self, rank: int) -> list[int]:
        """What the rank sends to each rank, without itself."""
        return [self.to[rank].get(peer, 0) for peer in range(self.n_ranks)]

    def received(self, rank: int) -> list[int]:
        return [self.to[peer].get(rank, 0) for peer in range(self.n_ranks)]

    def share_of(self, rank: int) -> int:
        """What each other rank sends to this one, if all send the same."""
        return max(self.received(rank))


def _rooted(action: str, n_sizes: int) -> Callable[[Collective, int], str]:
    return lambda c, _: _words(action, *[c.size] * n_sizes, c.root)


def _unrooted(action: str, n_sizes: int) -> Callable[[Collective, int], str]:
    return lambda c, _: _words(action, *[c.size] * n_sizes)


def _alltoallv(c: Collective, rank: int) -> str:
    sent, received = c.sent(rank), c.received(rank)
    return _words("alltoallv", sum(sent), *sent, sum(received), *received)


def _reduction(action: str, *sizes: int, root: tuple[int, ...] = ()) -> str:
    """Uses the largest possible elements, because the choice of an algorithm depends on their number.

    The 0 is the computing of the operation, which is unknown.
    """
    size, datatype = next(one for one in _DATATYPES if all(of % one[0] == 0 for of in sizes))
    return _words(action, *(of // size for of in sizes), 0, *root, datatype)


_ACTIONS: dict[str, Callable[[Collective, int], str]] = {
    "MPI_Allgather": _unrooted("allgather", 2),
    "MPI_Allgatherv": lambda c, rank: _words("allgatherv", c.bytes[rank], *c.bytes),
    "MPI_Allreduce": lambda c, _: _reduction("allreduce", c.size),
    "MPI_Alltoall": _unrooted("alltoall", 2),
    "MPI_Alltoallv": _alltoallv,
    "MPI_Alltoallw": _alltoallv,
    "MPI_Barrier": _unrooted("barrier", 0),
    "MPI_Bcast": _rooted("bcast", 1),
    "MPI_Exscan": lambda c, _: _reduction("exscan", c.size),
    "MPI_Gather": _rooted("gather", 2),
    "MPI_Gatherv": lambda c, rank: _words("gatherv", c.bytes[rank], *c.bytes, c.root),
    "MPI_Reduce": lambda c, _: _reduction("reduce", c.size, root=(c.root,)),
    "MPI_Reduce_scatter": lambda c, _: _reduction("reducescatter", *map(c.share_of, range(c.n_ranks))),
    "MPI_Reduce_scatter_block": lambda c, _: _reduction("reducescatter", *[c.size] * c.n_ranks),
    "MPI_Scan": lambda c, _: _reduction("scan", c.size),
    "MPI_Scatter": _rooted("scatter", 2),
    "MPI_Scatterv": lambda c, rank: _words("scatterv", *c.sent(c.root), c.sent(c.root)[rank], c.root),
}


def _words(action: str, *numbers: int) -> str:
    return " ".join([action, *map(str, numbers)])


def collective_actions(recording: RecordedEvents) -> dict[int, str]:
    """The action of each collective call, by the index of its event, without calls of a single rank.

    Raises InputError for a collective that a trace can't express: of some of the ranks, or of another kind.
    """
    calls_on: dict[int, list[list[range]]] = {}  # communicator -> rank -> its calls, in order
    for rank in range(recording.n_ranks):
        for events in recording.calls_of(rank):
            if recording.columns["collective"][events[0]] and _sends(recording, events[0], rank):
                comm = int(recording.columns["comm"][events[0]])
                of_ranks = calls_on.setdefault(comm, [[] for _ in range(recording.n_ranks)])
                of_ranks[rank].append(events)
    actions: dict[int, str] = {}
    for comm, of_ranks in calls_on.items():
        _check_counts(recording, of_ranks)
        for same_call in zip(*of_ranks, strict=True):
            collective = _collective(recording, comm, same_call)
            for rank, events in enumerate(same_call):
                actions[events[0]] = f"{rank} {_ACTIONS[collective.name](collective, rank)}"
    return actions


def _sends(recording: RecordedEvents, event: int, rank: int) -> bool:
    """Whether the call of a rank needs an action; raises InputError if there is none."""
    name = recording.name(event)
    members = recording.members.get(int(recording.columns["comm"][event]), [])
    if name.startswith(_MAKES_COMMUNICATORS) or members == [rank]:
        return False
    if name in _ACTIONS and len(members) == recording.n_ranks:
        return True
    of = f"of {len(members)} of {recording.n_ranks} ranks" if name in _ACTIONS else "has no action there"
    raise InputError(
        f"{recording.path} can't be replayed: {name} of rank {rank} {of}; SimGrid's time-independent traces "
        "know the plain collectives of all ranks alone: run the program itself (-- APP ...)"
    )


def _check_counts(recording: RecordedEvents, of_ranks: list[list[range]]) -> None:
    counts = [len(calls) for calls in of_ranks]
    if len(set(counts)) > 1:
        few, many = counts.index(min(counts)), counts.index(max(counts))
        raise InputError(
            f"{recording.path} can't be replayed: rank {few} made {counts[few]} collective calls on a "
            f"communicator and rank {many} made {counts[many]}; expected the same calls of all its ranks"
        )


def _collective(recording: RecordedEvents, comm: int, same_call: tuple[range, ...]) -> Collective:
    columns, members = recording.columns, recording.members[comm]
    names = {recording.name(events[0]) for events in same_call}
    if len(names) > 1:
        raise InputError(
            f"{recording.path} can't be replayed: ranks call {' and '.join(sorted(names))} in one place of a "
            "communicator; expected the same call of all its ranks"
        )
    root = int(columns["peer"][same_call[0][0]])
    to = [
        {int(columns["peer"][event]): int(columns["bytes"][event]) for event in events[1:]}
        for events in same_call
    ]
    senders = [rank for rank, pairs in enumerate(to) if pairs]
    return Collective(
        names.pop(),
        members[root] if 0 <= root < len(members) else next(iter(senders), 0),
        [int(columns["bytes"][events[0]]) for events in same_call],
        to,
    )


@dataclass(frozen=True)
class Trace:
    """The lines of each rank, and the computing time of each rank, s."""

    lines: list[list[str]]
    compute_s: list[float]

    @property
    def n_actions(self) -> int:
        return sum(map(len, self.lines))


def trace_of(recording: RecordedEvents, compute_factor: float = 1.0) -> Trace:
    """The trace of a recording; computing takes `compute_factor` times as long as recorded.

    Time inside MPI calls is left out, because the replay determines it. Time of I/O counts as computing.
    Raises InputError if a trace can't express the recording.
    """
    check_replayable(recording)
    writer = _Writer(recording, compute_factor, collective_actions(recording))
    ranks = [writer.rank(rank) for rank in range(recording.n_ranks)]
    return Trace([lines for lines, _ in ranks], [compute_s for _, compute_s in ranks])


@dataclass
class _Writer:
    """Writes the lines of a rank; `collectives` are those of collective_actions()."""

    recording: RecordedEvents
    compute_factor: float
    collectives: dict[int, str]
    _tag_of: dict[int, int] = field(init=False)
    _completed_in: dict[int, list[int]] = field(init=False)

    def __post_init__(self) -> None:
        self._columns = {name: column.tolist() for name, column in self.recording.columns.items()}
        self._tag_of = self._tags()
        self._completed_in = {}
        for event, by in enumerate(self._columns["completed_by"]):
            if by >= 0:
                self._completed_in.setdefault(by, []).append(event)

    def _tags(self) -> dict[int, int]:
        """A unique tag for each message between two ranks, so that the replay matches messages as recorded.

        This replaces the program's tags and communicators, because both ends of each message are known.
        """
        tags: dict[int, int] = {}
        n_before: Counter[tuple[int, int]] = Counter()
        columns = self._columns
        for event, match in enumerate(columns["matches"]):
            if match >= 0 and columns["sends"][event]:
                pair = (columns["rank"][event], columns["peer"][event])
                tags[event] = tags[match] = n_before[pair]
                n_before[pair] += 1
        return tags

    def rank(self, rank: int) -> tuple[list[str], float]:
        """All lines of a rank, and its computing time, s."""
        lines, compute_s = [f"{rank} init"], 0.0
        now_s = self.recording.begin_s[rank]
        for events in self.recording.calls_of(rank):
            if self.recording.layer(events[0]) == Layer.io:
                continue
            compute_s += self._compute(lines, rank, self._columns["begin_s"][events[0]] - now_s)
            now_s = max(now_s, self._columns["end_s"][events[0]])
            lines += self._call(rank, events)
        compute_s += self._compute(lines, rank, self.recording.end_s[rank] - now_s)
        return [*lines, f"{rank} finalize"], compute_s

    def _compute(self, lines: list[str], rank: int, gap_s: float) -> float:
        """Adds the computing between two calls; returns its duration, s."""
        seconds = max(0.0, gap_s) * self.compute_factor
        flops = round(seconds * HOST_FLOPS)
        if flops:
            lines.append(f"{rank} compute {flops}")
        return flops / HOST_FLOPS

    def _call(self, rank: int, events: range) -> list[str]:
        """A call's collective, or its messages, followed by waits for the requests that it completed."""
        if events[0] in self.collectives:
            return [self.collectives[events[0]]]
        own = [event for event in events if event in self._tag_of]
        starts = [event for event in own if self._columns["starts"][event]]
        if len(own) == 1 and not starts:
            lines = [self._message(rank, own[0], "")]
        else:  # a call with several messages, such as MPI_Sendrecv, waits for all of them
            lines = [self._message(rank, event, "i") for event in own]
            lines += [self._wait(rank, event) for event in own if event not in starts]
        done = [event for by in events for event in self._completed_in.get(by, [])]
        return lines + [self._wait(rank, event) for event in done if event in self._tag_of]

    def _message(self, rank: int, event: int, i: str) -> str:
        action = "send" if self._columns["sends"][event] else "recv"
        peer, size = self._columns["peer"][event], self._columns["bytes"][event]
        return f"{rank} {i}{action} {peer} {self._tag_of[event]} {size}"

    def _wait(self, rank: int, event: int) -> str:
        peer = self._columns["peer"][event]
        src, dst = (rank, peer) if self._columns["sends"][event] else (peer, rank)
        return f"{rank} wait {src} {dst} {self._tag_of[event]}"
