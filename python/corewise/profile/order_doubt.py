"""Finds programs for which the predicted order of placements is unreliable.

For NPB FT and IS, which spend their time in all-to-all exchanges, only 29 and 54 % of the pairs of placements
were predicted in the right order. NPB LU is the only pipeline that was measured
(docs/evidence/log/2026-11-predictions.md).
"""

from __future__ import annotations

from corewise.model import Profile
from corewise.profile.tables import call_table

# A kind of calls with at least this share of the time in MPI is assumed to determine the communication time.
MOST = 0.5
_ALL_TO_ALL = ("MPI_Alltoall", "MPI_Ialltoall")  # prefixes: also Alltoallv and Alltoallw
_ONE_BY_ONE = ("MPI_Recv", "MPI_Probe", "MPI_Mprobe", "MPI_Mrecv")


def order_doubt(profile: Profile) -> str | None:
    """Why the predicted order is unreliable for this program, in one sentence; None without a reason."""
    time_s = {row.call: row.time_s for row in call_table(profile)}
    total_s = sum(time_s.values())

    def share(begins: tuple[str, ...]) -> float:
        return sum(own for call, own in time_s.items() if call.startswith(begins)) / total_s

    if total_s > 0 and share(_ALL_TO_ALL) >= MOST:
        return (
            "most of the time inside MPI is exchanges of all ranks with all, and for such programs the "
            "faster placement was not predicted better than by chance: measure it"
        )
    if total_s > 0 and share(_ONE_BY_ONE) >= MOST:
        return (
            "most of the time inside MPI is waiting for one message after the other, as in a pipeline, and "
            "too few such programs were measured to know if the faster placement is predicted: measure it"
        )
    return None
