"""#SBATCH lines for Slurm. Source: sbatch(1) of version 22.05."""

from __future__ import annotations

from corewise.batch.system import BatchSystem, JobRequest
from corewise.launchers import allocation
from corewise.launchers.options import words


def directives(request: JobRequest) -> list[str]:
    """Whole nodes, because a placement may use any core of a node."""
    lines = [f"--nodes={request.n_nodes}", f"--ntasks-per-node={request.ranks_per_node}", "--exclusive"]
    return lines + ([f"--gpus-per-node={request.gpus_per_node}"] if request.gpus_per_node else [])


SYSTEM = BatchSystem(
    name="slurm",
    sentence="Slurm: sbatch",
    prefix="#SBATCH",
    directives=directives,
    time="--time=HH:MM:SS",
    submit="sbatch",
    list_hosts='mapfile -t node < <(scontrol show hostnames "$SLURM_JOB_NODELIST")',
    hosts=allocation.slurm,
    job_variable="SLURM_JOB_ID",
    launcher="srun",
    job_options=words("A account C constraint p partition q qos reservation"),
    run_here=True,
)
