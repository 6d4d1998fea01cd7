"""Converts collectives to actions of SimGrid's time-independent traces, which only has those of all ranks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corewise.errors import InputError

if TYPE_CHECKING:
    from corewise.simulation.smpi_recording import RecordedEvents

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
