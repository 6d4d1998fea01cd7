"""Reads the traffic of OTF2 archives by any writer (Score-P and others).

OTF2 does not define the sizes in the records of collectives. corewise reads them as Score-P writes them, the
most common writer: all bytes that a process sends and receives in the call, including its own share (source:
Score-P 9, scorep_mpi_coll.c). With MPI_IN_PLACE, Score-P omits the own share, and the record does not show
it. The bytes of a pair are then too low by a factor of (n - 1) / n for n ranks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from corewise import model
from corewise.errors import InputError, option
from corewise.files.otf2_archive import Sums, read_sums
from corewise.text.quantities import counted

FROM_ROOT = ("BCAST", "SCATTER", "SCATTERV")
TO_ROOT = ("REDUCE", "GATHER", "GATHERV")
ALL_PAIRS = ("ALLGATHER", "ALLGATHERV", "ALLTOALL", "REDUCE_SCATTER_BLOCK")
# Their records have the sum over all partners of a process, so the bytes of a pair are unknown.
SUMS_ALONE = ("ALLTOALLV", "ALLTOALLW", "REDUCE_SCATTER")
MOST_EXPANDED = 2**27  # messages into which collectives are split
MOST_SENT = 2.0**62  # bytes of all messages together

Columns = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]  # src, dst, bytes, messages


@dataclass(frozen=True)
class Otf2Traffic:
    """Traffic of the layer p2p or coll; `faults` are sentences on parts of the archive that can't be read."""

    traffic: model.Traffic
    faults: list[str]


def read_otf2(anchor: Path, layer: str, large_bytes: int) -> Otf2Traffic:
    """Point-to-point messages (p2p) as they were sent, or collectives (coll) by their logical flow.

    `anchor` is the archive's .otf2 file; messages of `large_bytes` and more count as large. Raises InputError
    for another layer and for an archive that can't be read, MissingError without OTF2.
    """
    if layer not in ("p2p", "coll"):
        raise InputError(
            f"can't be read for the layer {layer}; expected {option('layer', 'p2p')} or "
            f"{option('layer', 'coll')}, or a profile of corewise trace",
            path=anchor,
        )
    sums = read_sums(anchor, large_bytes)
    faults = []
    if sums.n_lost_events:
        faults.append(f"{counted(sums.n_lost_events, 'event')} missing: the archive's files lack them")
    if layer == "coll":
        return _collectives(anchor, sums, faults)
    if sums.n_foreign:
        faults.append(
            f"{counted(sums.n_foreign, 'message')} not counted: the archive doesn't define the receiver"
        )
    src, dst, messages, sent, n_large, large = _whole_columns(anchor, sums.pairs)
    matrix = _matrix(anchor, sums.n_ranks, (src, dst, sent, messages))
    is_large = n_large > 0
    large_columns = (src[is_large], dst[is_large], large[is_large], n_large[is_large])
    large_matrix = _matrix(anchor, sums.n_ranks, large_columns)
    phases = [model.Phase(1, matrix)]
    return Otf2Traffic(
        model.Traffic.of_phases(phases, model.LargeMessages(large_bytes, large_matrix)), faults
    )


def _whole_columns(anchor: Path, rows: list[list[int]]) -> list[np.ndarray]:
    try:
        return list(np.array(rows, np.uint64).reshape(-1, 6).T)
    except OverflowError as error:
        raise InputError("messages of more than 2^64 bytes; expected a sound archive", path=anchor) from error


def _matrix(anchor: Path, n_ranks: int, columns: Columns) -> model.CommMatrix:
    src, dst, sent, messages = columns
    if float(sent.astype(float).sum()) >= MOST_SENT:
        raise InputError("messages of more than 2^62 bytes; expected a sound archive", path=anchor)
    return model.CommMatrix.from_columns(n_ranks, src, dst, sent, messages)


def _collectives(anchor: Path, sums: Sums, faults: list[str]) -> Otf2Traffic:
    """The messages of all collectives by logical flow (FORMATS.md, "Collectives")."""
    found: list[Columns] = [(np.empty(0, np.int64),) * 4]
    n_unknown = n_expanded = 0
    for members, operation, root, calls in _groups(sums):
        if operation in SUMS_ALONE or not _is_sound(members, calls, root):
            n_unknown += int(calls[:, 1].max(initial=0)) if operation != "BARRIER" else 0
            continue
        n_expanded += len(members) ** 2 if operation in ALL_PAIRS else 2 * len(members)
        if n_expanded > MOST_EXPANDED:
            raise InputError("collectives become more than 2^27 messages; expected fewer ranks", path=anchor)
        found.append(_messages(members, operation, root, calls))
    if n_unknown:
        faults.append(
            f"{counted(n_unknown, 'collective call')} not counted: OTF2 has sums instead of pairs for "
            f"{', '.join(SUMS_ALONE)}, or this archive lacks the communicator or root"
        )
    src, dst, sent, messages = (np.concatenate(column) for column in zip(*found, strict=True))
    matrix = _matrix(anchor, sums.n_ranks, (src, dst, sent, messages))
    return Otf2Traffic(model.Traffic.of(matrix), faults)


def _groups(sums: Sums) -> Iterator[tuple[list[int], str, int, np.ndarray]]:
    """Members, operation, root, and an array [caller, (rank, calls, sent, received)] of each kind of call."""
    groups: dict[tuple[int, str, int], list[list[int]]] = {}
    for operation, comm, root, *calls in sums.collectives:
        groups.setdefault((comm, operation, root), []).append(calls)
    for (comm, operation, root), of_kind in groups.items():
        yield sums.comms.get(str(comm), []), operation, root, np.array(of_kind, float)


def _is_sound(members: list[int], calls: np.ndarray, root: int) -> bool:
    """Whether all callers and the root are members, and no member is listed twice."""
    own = set(members)
    return len(own) == len(members) > 0 and root < len(members) and own.issuperset(calls[:, 0].tolist())


def _messages(members: list[int], operation: str, root: int, calls: np.ndarray) -> Columns:
    world, n = np.array(members, np.int64), len(members)
    place_of = {rank: place for place, rank in enumerate(members)}
    count, sent, received = np.zeros((3, n))
    places = [place_of[int(rank)] for rank in calls[:, 0]]
    count[places], sent[places], received[places] = calls[:, 1:].T
    place = np.arange(n)
    if operation in FROM_ROOT + TO_ROOT and root >= 0:
        others = place[place != root]
        roots = np.full(n - 1, root)
        if operation in TO_ROOT:
            return _columns(world, others, roots, sent[others], count[others])
        # The receivers' sizes if the writer recorded them, else equal parts of the root's bytes.
        shares = received[others] if received[others].any() else np.full(n - 1, sent[root] / n)
        return _columns(world, roots, others, shares, np.full(n - 1, count[root]))
    if operation in ALL_PAIRS:
        src, dst = np.divmod(np.flatnonzero(~np.eye(n, dtype=bool)), n)
        return _columns(world, src, dst, (sent / n)[src], count[src])
    if operation == "ALLREDUCE":  # to the first member, and from it to every other
        others, first = place[1:], np.zeros(n - 1, np.int64)
        src, dst = np.concatenate([others, first]), np.concatenate([first, others])
        vector = sent / n
        return _columns(world, src, dst, vector[src], count[src])
    if operation in ("SCAN", "EXSCAN"):  # a member's part goes to all after it, and to itself in a scan
        src = place[:-1]
        parts = n - src - (operation == "EXSCAN")
        return _columns(world, src, src + 1, sent[src] / parts, count[src])
    return _columns(world, place[:0], place[:0], sent[:0], count[:0])  # a barrier sends nothing


def _columns(
    world: np.ndarray, src: np.ndarray, dst: np.ndarray, sent: np.ndarray, messages: np.ndarray
) -> Columns:
    called = messages > 0
    return (
        world[src[called]],
        world[dst[called]],
        np.minimum(np.rint(sent[called]), MOST_SENT).astype(np.int64),
        np.minimum(messages[called], MOST_SENT).astype(np.int64),
    )
