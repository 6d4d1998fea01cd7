"""process-manager: srun offers no process management interface (PMI) that the program's MPI supports."""

from __future__ import annotations

from collections.abc import Iterator

from corewise.checks.check import Check, Finding
from corewise.checks.corrected import with_option
from corewise.checks.situation import AskedCommand, AskedProgram, Situation
from corewise.launchers.mpi_family import STANDARD_ABI, family_name

# MPI family -> the PMI to use. Open MPI supports PMIx; version 4 also PMI-2 if built for it. MPICH supports
# both, but PMIx fails if several daemons of Slurm share a host and its temporary folder, as in a test cluster
# (tried on 22.05.8). MPICH is the only MPI with the standard ABI today.
SPEAKS = {"mpich": "pmi2", "openmpi": "pmix", STANDARD_ABI: "pmi2"}


def _look(situation: Situation, asked: AskedCommand) -> Iterator[Finding]:
    choice = asked.application.launcher.pmi
    if choice is None or asked.pmi is None:
        return
    wrong = next((program for program in asked.programs if _is_mute(asked.pmi, program)), None)
    if wrong is None or wrong.file.family is None:
        return
    family, speaks = family_name(wrong.file.family), SPEAKS[wrong.file.family]
    if asked.pmi == "none":
        found = "srun starts the program without a process manager interface (--mpi=none)"
    else:
        found = f"srun gives the program --mpi={asked.pmi}, and '{wrong.name}' was built with {family}"
    yield Finding(
        found=found,
        why="the ranks don't find each other: the job ends in MPI_Init, or each rank runs the whole job by "
        "itself, as rank 0 of 1",
        do=f"name the interface that {family} speaks; `srun --mpi=list` lists those of this Slurm",
        command=with_option(asked, {choice.option}, [f"--{choice.option}={speaks}"]),
    )


def _is_mute(pmi: str, program: AskedProgram) -> bool:
    """Whether the program's MPI doesn't support the PMI that srun offers."""
    file = program.file
    if file.family is None or pmi == "none":
        return file.family is not None
    return file.family == "openmpi" and not (pmi.startswith("pmix") or pmi == "pmi2" and file.speaks_pmi2)


CHECK = Check(
    name="process-manager",
    sentence="srun without the process manager interface that the program's MPI speaks",
    source="srun(1), --mpi; tried on Slurm 22.05.8 with MPICH 4.0.2 and Open MPI 4.1.4 and 5.0.11",
    of_command=_look,
)
