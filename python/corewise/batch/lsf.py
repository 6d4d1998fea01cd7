"""LSF: #BSUB lines. Source: IBM's reference of bsub (LSF 10.1). Not run here."""

from __future__ import annotations

from corewise.batch.system import BatchSystem, JobRequest
from corewise.launchers import allocation


def directives(request: JobRequest) -> list[str]:
    """`-n` are slots of the whole job, `ptile` of each host; `-x` requests exclusive hosts."""
    lines = [
        f"-n {request.n_nodes * request.ranks_per_node}",
        f'-R "span[ptile={request.ranks_per_node}]"',
        "-x",
    ]
    return lines + ([f'-gpu "num={request.gpus_per_node}"'] if request.gpus_per_node else [])


SYSTEM = BatchSystem(
    name="lsf",
    sentence="LSF: bsub",
    prefix="#BSUB",
    directives=directives,
    time="-W HH:MM",
    submit="bsub <",
    list_hosts="mapfile -t node < <(awk '{ for (i = 1; i < NF; i += 2) print $i }' <<<\"$LSB_MCPU_HOSTS\")",
    hosts=allocation.lsf,
    job_variable="LSB_JOBID",
    launcher="openmpi5",
)
