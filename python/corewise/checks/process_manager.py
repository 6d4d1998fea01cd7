"""process-manager: srun gives the program no process manager interface that its MPI speaks."""

from __future__ import annotations

from dataclasses import replace

from corewise.checks.check import Check, Finding
from corewise.checks.corrected import with_command
from corewise.checks.situation import Situation
from corewise.launchers.mpi_family import STANDARD_ABI, family_name

# MPI family -> what to give it: Open MPI 5 speaks PMIx only. MPICH speaks both, and where several daemons of
# Slurm share a host, as in a test cluster, PMIx fails on their common temporary folder (tried on 22.05.8).
# The only MPI that has the standard ABI today is MPICH.
_SPEAKS = {"mpich": "pmi2", "openmpi": "pmix", STANDARD_ABI: "pmi2"}


def _look(situation: Situation) -> list[Finding]:
    asked = situation.asked
    if asked is None or asked.pmi != "none" or asked.program_family is None:
        return []
    command, speaks = asked.application.command, _SPEAKS[asked.program_family]
    first = command.programs[0]
    kept = [option for option in first.options if option.name != "mpi"]
    changed = replace(command, programs=[replace(first, options=kept), *command.programs[1:]])
    return [
        Finding(
            found="srun starts the program without a process manager interface (--mpi=none)",
            why="the ranks don't find each other: each one runs the whole job by itself, as rank 0 of 1",
            do=f"name the one that {family_name(asked.program_family)} speaks",
            command=with_command(asked, changed, [f"--mpi={speaks}"]),
        )
    ]


CHECK = Check(
    name="process-manager",
    sentence="srun without the process manager interface that the program's MPI speaks",
    source="srun(1), --mpi; tried on Slurm 22.05.8 with MPICH 4.0.2",
    look=_look,
)
