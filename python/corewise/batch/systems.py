"""The batch systems: one row each, sorted by name. Scripts for Slurm have been run here; the others have not.

Sources: flux-batch(1) and flux-hostlist(1) of flux-core; IBM's reference of bsub (LSF 10.1); qsub(1B) and
pbs_resources(7B) of OpenPBS 23; sbatch(1) of version 22.05.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from corewise.launchers import allocation
from corewise.launchers.hosts import AllocationReader
from corewise.launchers.options import words


@dataclass(frozen=True)
class JobRequest:
    """A request for whole nodes, each for `ranks_per_node` ranks.

    `cores_per_node` is one more than the highest core that the placement uses on a node; `gpus_per_node` is 0
    if ranks get no GPUs.
    """

    n_nodes: int
    ranks_per_node: int
    cores_per_node: int
    gpus_per_node: int = 0


@dataclass(frozen=True)
class BatchSystem:
    """One batch system. A directive is a line with `prefix` and options before the script's first command.

    * `directives`: the options for a request, one item per line. `time` is the option that the user fills in.
    * `submit`: the command that submits a script.
    * `list_hosts`: lines of bash that set the array `node` to the job's distinct hosts in the order of the
      allocation. `begin` are lines before them.
    * `hosts`: reads the hosts from the environment of a job. Launchers whose `allocations` contain it work in
      such jobs.
    * `job_variable`: a variable that is set in every job.
    * `launcher`: the default launcher of scripts. `job_options` are names of its options that directives have
      for the whole job.
    * `run_here`: scripts for it have been run and verified.
    """

    name: str
    sentence: str
    prefix: str
    directives: Callable[[JobRequest], Sequence[str]]
    time: str
    submit: str
    list_hosts: str
    hosts: AllocationReader
    job_variable: str
    launcher: str
    begin: str = ""
    job_options: frozenset[str] = frozenset()
    run_here: bool = False

    @property
    def standing(self) -> str:
        """Whether scripts for it have been run and verified, in words."""
        return "run and verified here" if self.run_here else "written, not run here"


def _flux(request: JobRequest) -> list[str]:
    """Whole nodes, with all their cores and GPUs: `flux run` divides them in the script."""
    return [f"-N {request.n_nodes}", "--exclusive"]


def _lsf(request: JobRequest) -> list[str]:
    """`-n` are slots of the whole job, `ptile` of each host; `-x` requests exclusive hosts."""
    n_slots = request.n_nodes * request.ranks_per_node
    lines = [f"-n {n_slots}", f'-R "span[ptile={request.ranks_per_node}]"', "-x"]
    return lines + ([f'-gpu "num={request.gpus_per_node}"'] if request.gpus_per_node else [])


def _pbs(request: JobRequest) -> list[str]:
    """One chunk per exclusive node. `ncpus` is needed because a cgroup hook may limit a job to it."""
    gpus = f":ngpus={request.gpus_per_node}" if request.gpus_per_node else ""
    chunk = f"ncpus={request.cores_per_node}:mpiprocs={request.ranks_per_node}{gpus}"
    return [f"-l select={request.n_nodes}:{chunk}", "-l place=scatter:exclhost"]


def _slurm(request: JobRequest) -> list[str]:
    """Whole nodes, because a placement may use any core of a node."""
    lines = [f"--nodes={request.n_nodes}", f"--ntasks-per-node={request.ranks_per_node}", "--exclusive"]
    return lines + ([f"--gpus-per-node={request.gpus_per_node}"] if request.gpus_per_node else [])


SYSTEMS = (
    BatchSystem(
        name="flux",
        sentence="Flux: flux batch",
        prefix="# flux:",
        directives=_flux,
        time="-t MINUTESm",
        submit="flux batch",
        list_hosts="read -ra node < <(flux hostlist --expand instance)",
        hosts=allocation.flux,
        job_variable="FLUX_URI",
        launcher="flux",
    ),
    BatchSystem(
        name="lsf",
        sentence="LSF: bsub",
        prefix="#BSUB",
        directives=_lsf,
        time="-W HH:MM",
        submit="bsub <",
        list_hosts="mapfile -t node < <(awk '{ for (i = 1; i < NF; i += 2) print $i }' "
        '<<<"$LSB_MCPU_HOSTS")',
        hosts=allocation.lsf,
        job_variable="LSB_JOBID",
        launcher="openmpi5",
    ),
    BatchSystem(
        name="pbs",
        sentence="PBS: qsub",
        prefix="#PBS",
        directives=_pbs,
        time="-l walltime=HH:MM:SS",
        submit="qsub",
        list_hosts="mapfile -t node < <(awk '!seen[$0]++' \"$PBS_NODEFILE\")",
        hosts=allocation.pbs,
        job_variable="PBS_JOBID",
        launcher="openmpi5",
        begin='cd "$PBS_O_WORKDIR" || exit 1',
    ),
    BatchSystem(
        name="slurm",
        sentence="Slurm: sbatch",
        prefix="#SBATCH",
        directives=_slurm,
        time="--time=HH:MM:SS",
        submit="sbatch",
        list_hosts='mapfile -t node < <(scontrol show hostnames "$SLURM_JOB_NODELIST")',
        hosts=allocation.slurm,
        job_variable="SLURM_JOB_ID",
        launcher="srun",
        job_options=words("A account C constraint p partition q qos reservation"),
        run_here=True,
    ),
)
