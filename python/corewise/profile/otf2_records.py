"""Converts the events of a profile to records of an OTF2 archive, in blocks of bounded size."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from corewise import __version__
from corewise.files.otf2_archive import Definitions, write_archive
from corewise.model import CommInfo, EventLog, Layer, Profile
from corewise.profile.node_clocks import error_text
from corewise.profile.otf2_collectives import operation_of, role_of, sizes_of

TICKS_PER_S = 10**9
BLOCK_EVENTS = 2**16

# Kinds of records: indices into RECORDS of otf2_write.py.
ENTER, LEAVE, SEND, ISEND, ISEND_COMPLETE, IRECV_REQUEST, RECV, IRECV = range(8)
COLLECTIVE_BEGIN, COLLECTIVE_END, COLLECTIVE_REQUEST, COLLECTIVE_COMPLETE = range(8, 12)
# Order of records within a call: its start, operations that it starts, operations that end in it, its end.
AT_ENTER, AT_BEGIN, AT_END, AT_LEAVE = range(4)

LARGEST_TAG = 2**32 - 1


def export_otf2(anchor: Path, profile: Profile, log: EventLog) -> None:
    """Writes an OTF2 archive: a location for each thread of each rank, a region for each MPI call.

    Messages and collectives have ranks of their communicator. If the profile doesn't describe a communicator,
    its messages get a communicator of all ranks, and its collectives are written as regions only, like all
    other calls. Raises as write_archive() does.
    """
    records = _Records(profile, log)
    write_archive(anchor, records.definitions(), records.blocks())


class _Comms:
    """The communicators of the events, and the rank of each process in them."""

    def __init__(self, profile: Profile, ids: np.ndarray) -> None:
        known = {comm.id: index for index, comm in enumerate(profile.comms) if comm.members}
        self.ids = np.array([number for number in ids.tolist() if number in known], np.uint64)  # sorted
        chosen = [known[number] for number in self.ids.tolist()]
        self.infos: list[CommInfo] = [profile.comms[index] for index in chosen]
        self.parents = [profile.comms[index].parent for index in chosen]
        self.number_of = {index: number for number, index in enumerate(chosen)}
        self.n_ranks = profile.n_ranks
        self.sizes = np.array([len(info.members) for info in self.infos] + [0], np.int64)
        keys = [
            number * self.n_ranks + np.array(info.members, np.int64) for number, info in enumerate(self.infos)
        ]
        ranks = [np.arange(len(info.members)) for info in self.infos]
        joined = np.concatenate([*keys, [-1]]), np.concatenate([*ranks, [-1]])
        order = np.argsort(joined[0])
        self.keys, self.ranks = joined[0][order], joined[1][order]

    def numbers(self, ids: np.ndarray) -> np.ndarray:
        """The index of each communicator; len(self.ids) if the profile does not describe it."""
        at = np.searchsorted(self.ids, ids)
        found = at < len(self.ids)
        found[found] = self.ids[at[found]] == ids[found]
        return np.where(found, at, len(self.ids))

    def ranks_in(self, numbers: np.ndarray, world: np.ndarray) -> np.ndarray:
        """The ranks of world ranks in these communicators; -1 if they are not members."""
        keys = np.where(numbers < len(self.ids), numbers * self.n_ranks + world, -1)
        at = np.clip(np.searchsorted(self.keys, keys), 0, len(self.keys) - 1)
        return np.where(self.keys[at] == keys, self.ranks[at], -1)

    def listed(self) -> list[tuple[str, list[int], int | None]]:
        """The communicators in the form of Definitions.comms."""
        described = [
            (info.name, list(info.members), self.number_of.get(parent))
            for info, parent in zip(self.infos, self.parents, strict=True)
        ]
        return [*described, ("not described by the profile", list(range(self.n_ranks)), None)]


@dataclass(frozen=True)
class _Part:
    """Records of one kind in a block: for each its call, its event, its time and its numbers."""

    kind: int
    place: int  # AT_...
    call: np.ndarray
    event: np.ndarray
    seconds: np.ndarray
    numbers: tuple[np.ndarray, ...] = ()


class _Records:
    def __init__(self, profile: Profile, log: EventLog) -> None:
        self.profile, self.log, self.columns = profile, log, log.columns()
        columns = self.columns
        index = np.arange(log.n_events)
        self.call_of = np.maximum.accumulate(np.where(columns["part"] == 0, index, 0))
        self.begin_s = float(columns["begin_s"].min(initial=0))
        self.comms = _Comms(profile, np.unique(columns["comm"]))
        self.is_p2p = np.array([call.layer == Layer.p2p for call in log.calls], bool)
        self.operation_of_call = np.array([operation_of(call.name) for call in log.calls], np.int64)
        requests = np.flatnonzero((columns["starts"] != 0) & (columns["completed_by"] >= 0))
        ends = self.call_of[columns["completed_by"][requests]]
        order = np.argsort(ends, kind="stable")
        self.completed, self.completed_in = requests[order], ends[order]
        parts = np.flatnonzero((columns["part"] != 0) & (columns["sends"] != 0))
        self.calls_with_parts, begins = np.unique(self.call_of[parts], return_index=True)
        sent = columns["bytes"][parts].astype(np.int64)
        self.sent_by_parts = np.add.reduceat(sent, begins) if len(parts) else sent
        self.locations, self.first_event = self._locations()

    def _locations(self) -> tuple[list[tuple[int, int]], list[int]]:
        """(rank, thread) and first event of each location; the number of events ends the second list."""
        rank, thread = self.columns["rank"].astype(np.int64), self.columns["thread"].astype(np.int64)
        keys = rank * 2**32 + thread
        wanted = np.union1d(np.unique(keys), np.arange(self.profile.n_ranks) * 2**32)
        first = np.searchsorted(keys, wanted)
        pairs = [(key >> 32, key & LARGEST_TAG) for key in wanted.tolist()]
        return pairs, [*first.tolist(), len(keys)]

    def definitions(self) -> Definitions:
        """The definitions of the archive: everything but the events."""
        hosts = [node.host for node in self.profile.nodes]
        clock_errors = [error_text(node) for node in self.log.node_clocks]
        node_of_rank = [rank.node for rank in self.profile.ranks]
        if min(node_of_rank, default=0) < 0:  # ranks that never reported
            hosts.append("unknown")
            clock_errors.append("unknown")
        return Definitions(
            creator=f"corewise {__version__}",
            machine=self.profile.job,
            ticks_per_s=TICKS_PER_S,
            length=int(self._ticks(self.columns["end_s"].max(initial=self.begin_s))),
            hosts=hosts,
            clock_errors=clock_errors,
            host_of_rank=[node if node >= 0 else len(hosts) - 1 for node in node_of_rank],
            locations=self.locations,
            regions=[(call.name, role_of(call)) for call in self.log.calls],
            comms=self.comms.listed(),
        )

    def blocks(self) -> Iterator[tuple[int, bytes, int]]:
        """(location, records, number of records), location by location, in order of time."""
        for location, (first, end) in enumerate(zip(self.first_event, self.first_event[1:], strict=False)):
            now = np.uint64(0)
            while first < end:
                last = min(first + BLOCK_EVENTS, end)
                while last < end and self.columns["part"][last]:
                    last += 1  # keep the parts of a call in one block
                records = self._block(first, last)
                records[:, 1] = np.maximum(np.maximum.accumulate(records[:, 1]), now)
                now = records[-1, 1]
                yield location, records.astype("<u8").tobytes(), len(records)
                first = last

    def _ticks(self, seconds: np.ndarray) -> np.ndarray:
        return np.rint((seconds - self.begin_s) * TICKS_PER_S)

    def _block(self, first: int, last: int) -> np.ndarray:
        """Array [record, 8] of events `first` to `last` - 1: kind, time and numbers, in order of time."""
        events = np.arange(first, last)
        parts = [*self._calls(events), *self._messages(events), *self._completions(first, last)]
        n_records = sum(len(part.call) for part in parts)
        table = np.zeros((n_records, 8), np.uint64)
        order = np.empty((3, n_records), np.int64)
        at = 0
        for part in parts:
            rows = slice(at, at := at + len(part.call))
            table[rows, 0] = part.kind
            table[rows, 1] = self._ticks(part.seconds).astype(np.uint64)
            for column, numbers in enumerate(part.numbers, 2):
                table[rows, column] = numbers
            order[:, rows] = part.event, np.full(len(part.call), part.place), part.call
        return table[np.lexsort(order)]  # by call, then place, then event

    def _calls(self, events: np.ndarray) -> Iterator[_Part]:
        calls = events[self.columns["part"][events] == 0]
        region = self.columns["call"][calls]
        yield _Part(ENTER, AT_ENTER, calls, calls, self.columns["begin_s"][calls], (region,))
        yield _Part(LEAVE, AT_LEAVE, calls, calls, self.columns["end_s"][calls], (region,))

    def _messages(self, events: np.ndarray) -> Iterator[_Part]:
        """Operations that calls start, and operations that end in the call that started them."""
        of = {name: column[events] for name, column in self.columns.items()}
        sound, starts = of["failed"] == 0, of["starts"] != 0
        message = sound & self.is_p2p[of["call"]]
        sends, receives = (message & (of[name] != 0) & (of["peer"] >= 0) for name in ("sends", "receives"))
        begins, ends = "begin_s", "end_s"
        blocking = events[sends & ~starts]
        yield self._part(SEND, AT_BEGIN, blocking, begins, self._message(blocking))
        started = events[sends & starts]
        yield self._part(ISEND, AT_BEGIN, started, begins, (*self._message(started), started))
        posted = events[message & starts & (of["receives"] != 0)]
        yield self._part(IRECV_REQUEST, AT_BEGIN, posted, begins, (posted,))
        received = events[receives & ~starts]
        yield self._part(RECV, AT_END, received, ends, self._message(received))
        collective = self._described_collectives(events[sound & (of["collective"] != 0)])
        is_started = self.columns["starts"][collective] != 0
        begun, posted = collective[~is_started], collective[is_started]
        yield self._part(COLLECTIVE_BEGIN, AT_BEGIN, begun, begins)
        yield self._part(COLLECTIVE_END, AT_END, begun, ends, self._collective(begun))
        yield self._part(COLLECTIVE_REQUEST, AT_BEGIN, posted, begins, (posted,))

    def _completions(self, first: int, last: int) -> Iterator[_Part]:
        """Completions of requests, which earlier calls may have started."""
        rows = slice(*np.searchsorted(self.completed_in, [first, last]))
        request, call = self.completed[rows], self.completed_in[rows]
        columns = self.columns
        sound = columns["failed"][request] == 0
        message = sound & self.is_p2p[columns["call"][request]] & (columns["peer"][request] >= 0)
        sends, receives = (message & (columns[name][request] != 0) for name in ("sends", "receives"))
        for kind, chosen in ((ISEND_COMPLETE, sends), (IRECV, receives)):
            numbers = (request[chosen],)
            if kind == IRECV:
                numbers = (*self._message(request[chosen]), request[chosen])
            seconds = columns["end_s"][call[chosen]]
            yield _Part(kind, AT_END, call[chosen], request[chosen], seconds, numbers)
        collective = sound & (columns["collective"][request] != 0)
        described = collective & np.isin(request, self._described_collectives(request[collective]))
        request, call = request[described], call[described]
        numbers = (*self._collective(request), request)
        yield _Part(COLLECTIVE_COMPLETE, AT_END, call, request, columns["end_s"][call], numbers)

    def _part(
        self, kind: int, place: int, events: np.ndarray, time: str, numbers: tuple[np.ndarray, ...] = ()
    ) -> _Part:
        return _Part(kind, place, self.call_of[events], events, self.columns[time][events], numbers)

    def _message(self, events: np.ndarray) -> tuple[np.ndarray, ...]:
        """Peer and communicator, tag, bytes."""
        columns = self.columns
        peer = columns["peer"][events].astype(np.int64)
        comm = self.comms.numbers(columns["comm"][events])
        rank = self.comms.ranks_in(comm, peer)
        comm = np.where(rank >= 0, comm, len(self.comms.ids))
        tag = np.clip(columns["tag"][events], 0, LARGEST_TAG)
        return np.where(rank >= 0, rank, peer), comm, tag, columns["bytes"][events]

    def _described_collectives(self, events: np.ndarray) -> np.ndarray:
        """The events that have an operation of OTF2 and a described communicator."""
        known = self.comms.numbers(self.columns["comm"][events]) < len(self.comms.ids)
        described: np.ndarray = events[known & (self.operation_of_call[self.columns["call"][events]] >= 0)]
        return described

    def _collective(self, events: np.ndarray) -> tuple[np.ndarray, ...]:
        """Operation, communicator, root, bytes sent and received."""
        columns = self.columns
        operation = self.operation_of_call[columns["call"][events]]
        comm = self.comms.numbers(columns["comm"][events])
        own = self.comms.ranks_in(comm, columns["rank"][events].astype(np.int64))
        root = columns["peer"][events].astype(np.int64)
        sent, received = sizes_of(
            operation, columns["bytes"][events].astype(np.int64), self.comms.sizes[comm], own, root
        )
        sent += self._bytes_of_parts(events)
        return operation, comm, np.where(root >= 0, root, LARGEST_TAG), sent, received

    def _bytes_of_parts(self, calls: np.ndarray) -> np.ndarray:
        """The bytes of calls whose messages differ in size (MPI_Alltoallv, ...); 0 for other calls."""
        if not len(self.calls_with_parts):
            return np.zeros(len(calls), np.int64)
        at = np.minimum(np.searchsorted(self.calls_with_parts, calls), len(self.calls_with_parts) - 1)
        return np.where(self.calls_with_parts[at] == calls, self.sent_by_parts[at], 0)
