"""launcher-variables: a variable of the environment binds by number, or shows launchers another machine."""

from __future__ import annotations

import re

from corewise.checks.check import Check, Finding
from corewise.checks.corrected import without_variables
from corewise.checks.situation import Situation

# Variable -> (the launchers that read it: None for all of them and for those that are only exported; what
# makes it a trap; the documentation).
_VARIABLES: dict[str, tuple[frozenset[str] | None, str, str]] = {
    "HWLOC_SYNTHETIC": (None, r".", "hwloc's manual, 'Environment Variables': shows another machine"),
    "HWLOC_XMLFILE": (None, r".", "hwloc's manual, 'Environment Variables': shows another machine"),
    "I_MPI_PIN_DOMAIN": (frozenset(), r"\[", "Intel MPI, Developer Reference, process pinning"),
    "I_MPI_PIN_PROCESSOR_LIST": (frozenset(), r"\d", "Intel MPI, Developer Reference, process pinning"),
    "MPICH_RANK_REORDER_METHOD": (
        frozenset(),
        r"3",
        "Cray MPICH, intro_mpi(3): ranks as MPICH_RANK_ORDER says",
    ),
    "MV2_CPU_MAPPING": (frozenset(), r"\d", "MVAPICH2's user guide"),
    "OMPI_MCA_hwloc_base_cpu_list": (frozenset({"openmpi4"}), r"\d", "mpirun(1), --cpu-set"),
    "OMPI_MCA_orte_rankfile": (frozenset({"openmpi4"}), r".", "mpirun(1), Rankfiles"),
    "OMPI_MCA_rmaps_rank_file_path": (frozenset({"openmpi4"}), r".", "mpirun(1), Rankfiles"),
    "PRTE_MCA_hwloc_default_cpu_list": (frozenset({"openmpi5"}), r"\d", "prterun(1), --cpu-set"),
    "SLURM_CPU_BIND": (
        frozenset({"srun"}),
        r"(map|mask)_cpu",
        "srun(1): an outer step leaves it to an inner one",
    ),
}


def _look(situation: Situation) -> list[Finding]:
    launcher = situation.asked.application.launcher.name if situation.asked else None
    return [
        _finding(situation, name, source)
        for name, (readers, pattern, source) in _VARIABLES.items()
        if re.search(pattern, situation.environment.get(name, ""))
        and (launcher is None or readers is None or launcher in readers)
    ]


def _finding(situation: Situation, name: str, source: str) -> Finding:
    return Finding(
        found=f"{name}={situation.environment[name]} is set ({source})",
        why="it decides where ranks run, for every command that finds it, not only for the one it was "
        "made for",
        do="start without it",
        command=without_variables(situation.asked, [name]) if situation.asked else f"unset {name}",
    )


CHECK = Check(
    name="launcher-variables",
    sentence="a launcher's variable binds by number (I_MPI_PIN_..., SLURM_CPU_BIND), or misleads hwloc",
    source="each launcher's documentation, beside its variable",
    look=_look,
)
