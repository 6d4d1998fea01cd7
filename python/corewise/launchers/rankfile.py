"""The rankfile that both Open MPIs read: one line for each rank, with its host and its cores (logical)."""

from __future__ import annotations

from corewise.launchers.launcher import Job, host_of, index_list
from corewise.placement_file import PlacementFile


def rankfile(placement: PlacementFile, job: Job) -> str:
    """`rank 0=node1 slot=2-3`. Raises InputError where hosts are missing (mpirun(1), "Rankfiles")."""
    lines = [
        f"rank {rank}={host_of(placement, job, rank)} slot={index_list(cores)}"
        for rank, cores in enumerate(placement.cores)
    ]
    return "\n".join(lines) + "\n"
