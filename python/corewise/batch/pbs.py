"""PBS: #PBS lines. Source: qsub(1B) and pbs_resources(7B) of OpenPBS 23. Not run here."""

from __future__ import annotations

from corewise.batch.system import BatchSystem, JobRequest
from corewise.launchers import allocation


def directives(request: JobRequest) -> list[str]:
    """One chunk per exclusive node. `ncpus` is needed because a cgroup hook may limit a job to it."""
    gpus = f":ngpus={request.gpus_per_node}" if request.gpus_per_node else ""
    chunk = f"ncpus={request.cores_per_node}:mpiprocs={request.ranks_per_node}{gpus}"
    return [f"-l select={request.n_nodes}:{chunk}", "-l place=scatter:exclhost"]


SYSTEM = BatchSystem(
    name="pbs",
    sentence="PBS: qsub",
    prefix="#PBS",
    directives=directives,
    time="-l walltime=HH:MM:SS",
    submit="qsub",
    list_hosts="mapfile -t node < <(awk '!seen[$0]++' \"$PBS_NODEFILE\")",
    hosts=allocation.pbs,
    job_variable="PBS_JOBID",
    launcher="openmpi5",
    begin='cd "$PBS_O_WORKDIR" || exit 1',
)
