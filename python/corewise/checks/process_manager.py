"""process-manager: srun gives the program no process manager interface that its MPI speaks."""

from __future__ import annotations

from collections.abc import Iterator

from corewise.checks.check import Check, Finding
from corewise.checks.corrected import with_option
from corewise.checks.situation import Asked, AskedProgram, Situation
from corewise.launchers.mpi_family import STANDARD_ABI, family_name

# MPI family -> what to give it. Open MPI speaks PMIx, and PMI-2 if it is of version 4 and was built for that.
# MPICH speaks both; if several daemons of Slurm share a host, as in a test cluster, PMIx fails on their
# common temporary folder (tried on 22.05.8). The only MPI that has the standard ABI today is MPICH.
SPEAKS = {"mpich": "pmi2", "openmpi": "pmix", STANDARD_ABI: "pmi2"}


def _look(situation: Situation, asked: Asked) -> Iterator[Finding]:
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
    """The program's MPI doesn't speak what srun gives it."""
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
