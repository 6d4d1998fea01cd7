"""A program for a Python with OTF2's bindings: adds up the messages in an archive, and prints JSON.

    python3 otf2_sums.py ARCHIVE.otf2 LARGE_BYTES MOST_PAIRS

Reads one location after the other, so that memory grows with pairs, not with events. Prints {"error":
sentence} alone, or

    n_ranks            of MPI_COMM_WORLD
    pairs              [src, dst, messages, bytes, large messages, bytes in these], world ranks, sorted
    comms              [members as world ranks] of each communicator that a collective names, by its reference
    collectives        [operation, communicator, root, rank, calls, bytes sent, bytes received]; root and rank
                       are ranks in the communicator and the world, root -1 if there is none
    n_foreign          messages whose communicator or receiver the archive does not define
    n_lost_events      events that the locations should have and that their files lack
"""

from __future__ import annotations

import json
import resource
import sys
from collections import defaultdict
from typing import Any

del sys.path[0]  # don't import modules from this folder

import _otf2  # noqa: E402

UNDEFINED_RANK = 0xFFFFFFFF
UNKNOWN_COUNT = 2**63  # larger: the writer didn't know the number of events (all bits are set)
MOST_BYTES = 4 * 2**30  # memory limit, because a damaged archive may ask for any amount


class Definitions:
    """What an archive defines: ranks, groups, communicators."""

    def __init__(self) -> None:
        self.group_of_location: dict[int, int] = {}
        self.n_events_of: dict[int, int] = {}
        self.location_of_rank: list[int] = []
        self.groups: dict[int, tuple[str, int, list[int]]] = {}  # kind, flags, members
        self.comms: dict[int, int] = {}  # group
        self.intercomms: dict[int, tuple[int, int]] = {}  # both groups

    def add_location(self, _: Any, ref: int, _name: int, _kind: Any, n_events: int, group: int) -> None:
        self.group_of_location[ref] = group
        self.n_events_of[ref] = n_events

    def add_group(
        self, _: Any, ref: int, _name: int, kind: Any, paradigm: Any, flags: Any, members: list[int]
    ) -> None:
        if paradigm != _otf2.PARADIGM_MPI:
            return
        if kind == _otf2.GROUP_TYPE_COMM_LOCATIONS:
            self.location_of_rank = members
        elif kind == _otf2.GROUP_TYPE_COMM_GROUP:
            self.groups[ref] = ("ranks", flags.value, members)
        elif kind == _otf2.GROUP_TYPE_COMM_SELF:
            self.groups[ref] = ("self", 0, [])

    def add_comm(self, _: Any, ref: int, _name: int, group: int, *_rest: Any) -> None:
        self.comms[ref] = group

    def add_intercomm(self, _: Any, ref: int, _name: int, group_a: int, group_b: int, *_rest: Any) -> None:
        self.intercomms[ref] = (group_a, group_b)

    def rank_of_location(self) -> dict[int, int]:
        """The world rank of each location's process."""
        rank_of_group = {
            self.group_of_location[location]: rank
            for rank, location in enumerate(self.location_of_rank)
            if location in self.group_of_location
        }
        return {
            location: rank_of_group[group]
            for location, group in self.group_of_location.items()
            if group in rank_of_group
        }

    def members(self, group: int) -> list[int]:
        """The world ranks of a group; empty if it is no group of MPI."""
        kind, flags, members = self.groups.get(group, ("", 0, []))
        if kind == "ranks" and flags & _otf2.GROUP_FLAG_GLOBAL_MEMBERS.value:
            rank_of = {location: rank for rank, location in enumerate(self.location_of_rank)}
            members = [rank_of.get(location, -1) for location in members]
        n_ranks = len(self.location_of_rank)
        return members if all(0 <= member < n_ranks for member in members) else []

    def receivers(self, comm: int, rank: int) -> list[int]:
        """The world ranks of a communicator's ranks as receivers of `rank`."""
        if comm in self.intercomms:
            group_a, group_b = map(self.members, self.intercomms[comm])
            return group_b if rank in group_a else group_a
        group = self.comms.get(comm, -1)
        return [rank] if self.groups.get(group, ("",))[0] == "self" else self.members(group)


class Sums:
    """Messages by pair, and collective calls by communicator, operation, root and caller."""

    def __init__(self, definitions: Definitions, large_bytes: int, most_pairs: int) -> None:
        self.definitions, self.large_bytes, self.most_pairs = definitions, large_bytes, most_pairs
        self.pairs: dict[tuple[int, int], list[int]] = {}
        self.collectives: dict[tuple[int, int, int, int], list[int]] = defaultdict(lambda: [0, 0, 0])
        self.n_foreign = 0
        self.problem = ""
        self.begin_rank(0)

    def begin_rank(self, rank: int) -> None:
        """Starts adding events of this rank."""
        self.rank = rank
        self.receivers_in: dict[int, list[int]] = {}

    def send(self, *event: Any) -> None:
        receiver, comm, _, size = event[5:9]
        receivers = self.receivers_in.get(comm)
        if receivers is None:
            receivers = self.receivers_in[comm] = self.definitions.receivers(comm, self.rank)
        if receiver >= len(receivers):
            self.n_foreign += 1
            return
        pair = (self.rank, receivers[receiver])
        sums = self.pairs.get(pair)
        if sums is None:
            if len(self.pairs) >= self.most_pairs:
                self.problem = f"more than {self.most_pairs} pairs of ranks talk; expected fewer"
                return
            sums = self.pairs[pair] = [0, 0, 0, 0]
        sums[0] += 1
        sums[1] += size
        if size >= self.large_bytes:
            sums[2] += 1
            sums[3] += size

    def collective(self, *event: Any) -> None:
        operation, comm, root, sent, received = event[5:10]
        sums = self.collectives[operation.value, comm, root, self.rank]
        sums[0] += 1
        sums[1] += sent
        sums[2] += received


def main(path: str, large_bytes: int, most_pairs: int) -> dict[str, Any]:
    """The document to print for an archive."""
    reader = _otf2.Reader_Open(path)
    _otf2.Reader_SetSerialCollectiveCallbacks(reader)
    definitions = Definitions()
    read_definitions(reader, definitions)
    n_ranks = len(definitions.location_of_rank)
    if not n_ranks:
        return {"error": "no ranks of MPI in it; expected the trace of an MPI program"}
    sums = Sums(definitions, large_bytes, most_pairs)
    n_lost = read_events(reader, definitions, sums)
    if sums.problem:
        return {"error": sums.problem}
    names = _otf2.CollectiveOp._names  # the bindings have no public function for it
    used = {comm for _, comm, _, _ in sums.collectives}
    return {
        "n_ranks": n_ranks,
        "pairs": sorted([*pair, *found] for pair, found in sums.pairs.items()),
        "comms": {comm: definitions.members(definitions.comms.get(comm, -1)) for comm in used},
        "collectives": sorted(
            [names.get(operation, ""), comm, -1 if root >= UNDEFINED_RANK - 1 else root, rank, *found]
            for (operation, comm, root, rank), found in sums.collectives.items()
        ),
        "n_foreign": sums.n_foreign,
        "n_lost_events": n_lost,
    }


def read_definitions(reader: Any, definitions: Definitions) -> None:
    """Reads the global definitions."""
    global_reader = _otf2.Reader_GetGlobalDefReader(reader)
    callbacks = _otf2.GlobalDefReaderCallbacks_New()
    _otf2.GlobalDefReaderCallbacks_SetLocationCallback(callbacks, definitions.add_location)
    _otf2.GlobalDefReaderCallbacks_SetGroupCallback(callbacks, definitions.add_group)
    _otf2.GlobalDefReaderCallbacks_SetCommCallback(callbacks, definitions.add_comm)
    if hasattr(_otf2, "GlobalDefReaderCallbacks_SetInterCommCallback"):  # since OTF2 3.0
        _otf2.GlobalDefReaderCallbacks_SetInterCommCallback(callbacks, definitions.add_intercomm)
    _otf2.Reader_RegisterGlobalDefCallbacks(reader, global_reader, callbacks, None)
    _otf2.GlobalDefReaderCallbacks_Delete(callbacks)
    _otf2.Reader_ReadAllGlobalDefinitions(reader, global_reader)
    _otf2.Reader_CloseGlobalDefReader(reader, global_reader)


def read_events(reader: Any, definitions: Definitions, sums: Sums) -> int:
    """Reads the events of all ranks; returns how many are missing in the files."""
    ranks = definitions.rank_of_location()
    for location in ranks:
        _otf2.Reader_SelectLocation(reader, location)
    has_definitions = True
    try:
        _otf2.Reader_OpenDefFiles(reader)
    except _otf2.Error:  # local definitions are optional
        has_definitions = False
    _otf2.Reader_OpenEvtFiles(reader)
    callbacks, kept = event_callbacks(sums)
    n_lost = 0
    for location, rank in ranks.items():
        sums.begin_rank(rank)
        if has_definitions:
            read_local_definitions(reader, location)
        lost = definitions.n_events_of[location] - read_location(reader, location, callbacks)
        n_lost += lost if 0 < lost < UNKNOWN_COUNT else 0
    kept.clear()
    return n_lost


def event_callbacks(sums: Sums) -> tuple[Any, ...]:
    """The callbacks for events that are added up, and functions to keep alive until the last call.

    Each kind of event has its own function, because the bindings keep one callback alive per function.
    """
    kinds = {
        "MpiSend": sums.send,
        "MpiIsend": sums.send,
        "MpiCollectiveEnd": sums.collective,
        "NonBlockingCollectiveComplete": sums.collective,
    }
    callbacks = _otf2.EvtReaderCallbacks_New()
    kept = []
    for kind, method in kinds.items():
        set_callback = getattr(_otf2, f"EvtReaderCallbacks_Set{kind}Callback", None)
        if set_callback:  # nonblocking collectives: since OTF2 3.0
            kept.append(lambda *words, method=method: method(*words))
            set_callback(callbacks, kept[-1])
    return callbacks, kept


def read_local_definitions(reader: Any, location: int) -> None:
    """Reads the mapping of a location's numbers to global ones, which the library then applies."""
    try:
        local = _otf2.Reader_GetDefReader(reader, location)
        _otf2.Reader_ReadAllLocalDefinitions(reader, local)
        _otf2.Reader_CloseDefReader(reader, local)
    except _otf2.Error:  # the location has no local definitions
        pass


def read_location(reader: Any, location: int, callbacks: Any) -> int:
    """Reads all events of a location; returns how many there were."""
    try:
        events = _otf2.Reader_GetEvtReader(reader, location)
    except _otf2.Error:  # no file: nothing was recorded
        return 0
    _otf2.Reader_RegisterEvtCallbacks(reader, events, callbacks, None)
    n_read: int = _otf2.Reader_ReadAllLocalEvents(reader, events)
    _otf2.Reader_CloseEvtReader(reader, events)
    return n_read


if __name__ == "__main__":
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    soft = MOST_BYTES if hard == resource.RLIM_INFINITY else min(MOST_BYTES, hard)
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
    try:
        document = main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
    except _otf2.Error as error:
        document = {"error": f"the OTF2 library says '{error.description}'"}
    except MemoryError:
        document = {"error": f"needs more than {MOST_BYTES} bytes of memory"}
    json.dump(document, sys.stdout)
