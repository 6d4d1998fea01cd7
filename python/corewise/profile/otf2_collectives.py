"""Collectives in OTF2: operations, and the sizes in their records.

OTF2 does not define the sizes. corewise reads and writes them as Score-P does, the most common writer: all
bytes that a process sends and receives in the call, including its own share (source: Score-P 9,
scorep_mpi_coll.c). With MPI_IN_PLACE, Score-P omits the own share, and the record does not show it. The bytes
of a pair are then too low by a factor of (n - 1) / n for n ranks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from corewise.model import CallInfo

# OTF2's operations by number.
OPERATIONS = (
    *("BARRIER", "BCAST", "GATHER", "GATHERV", "SCATTER", "SCATTERV", "ALLGATHER", "ALLGATHERV", "ALLTOALL"),
    *("ALLTOALLV", "ALLTOALLW", "ALLREDUCE", "REDUCE", "REDUCE_SCATTER", "SCAN", "EXSCAN"),
    "REDUCE_SCATTER_BLOCK",
)
FROM_ROOT = ("BCAST", "SCATTER", "SCATTERV")
TO_ROOT = ("REDUCE", "GATHER", "GATHERV")
ALL_PAIRS = ("ALLGATHER", "ALLGATHERV", "ALLTOALL", "REDUCE_SCATTER_BLOCK")
# Their records have the sum over all partners of a process, so the bytes of a pair are unknown.
SUMS_ALONE = ("ALLTOALLV", "ALLTOALLW", "REDUCE_SCATTER")

_ROLES = {
    **dict.fromkeys(FROM_ROOT, "COLL_ONE2ALL"),
    **dict.fromkeys(TO_ROOT, "COLL_ALL2ONE"),
    "BARRIER": "BARRIER",
}
_ROLE_OF_LAYER = {"p2p": "POINT2POINT", "coll": "COLL_OTHER", "rma": "RMA", "io": "FILE_IO"}


def operation_of(call: str) -> int:
    """The number of a call's operation, also of nonblocking and persistent calls; -1 if there is none."""
    name = call.removeprefix("MPI_").removesuffix("_init").upper()
    for candidate in (name, name.removeprefix("I")):
        if candidate in OPERATIONS:
            return OPERATIONS.index(candidate)
    return -1


def role_of(call: CallInfo) -> str:
    """OTF2's name for the role of an MPI call's region."""
    operation = operation_of(call.name)
    if operation >= 0:
        return _ROLES.get(OPERATIONS[operation], "COLL_ALL2ALL")
    return _ROLE_OF_LAYER[call.layer.name]


def sizes_of(
    operation: np.ndarray, put_in: np.ndarray, n_members: np.ndarray, rank: np.ndarray, root: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Bytes sent and received in each call, int64; 0 if they can't be derived from `put_in`.

    `put_in` are the bytes in a profile's row (per member if all members get the same). `rank` and `root` are
    ranks in the communicator of `n_members`.
    """
    name = np.array(OPERATIONS)[operation] if len(operation) else np.array([], dtype="U1")
    one, all_of_them, none = put_in, put_in * n_members, np.zeros_like(put_in)
    is_root = rank == root
    sent = np.where(np.isin(name, FROM_ROOT), np.where(is_root, all_of_them, none), all_of_them)
    received = np.where(np.isin(name, FROM_ROOT), one, all_of_them)
    to_root = np.isin(name, TO_ROOT)
    sent = np.where(to_root, one, sent)
    received = np.where(to_root, np.where(is_root, all_of_them, none), received)
    for chain, own in (("SCAN", 1), ("EXSCAN", 0)):
        sent = np.where(name == chain, one * (n_members - rank - 1 + own), sent)
        received = np.where(name == chain, one * (rank + own), received)
    varying = np.isin(name, (*SUMS_ALONE, "ALLGATHERV", "GATHERV", "SCATTERV"))
    return sent, np.where(varying, none, received)
