"""What both Open MPIs share: the rankfile, its hosts, and waiting that leaves a shared core free."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from corewise.launchers.allocation import grid_engine, host_file_named_by, lsf, pbs, slurm
from corewise.launchers.hosts import AllocationReader
from corewise.launchers.launcher import Job, host_of, masks_of
from corewise.launchers.options import OptionTable
from corewise.nouns.launch_plan import LaunchPlan
from corewise.nouns.placement import PlacementFile
from corewise.text.quantities import index_text

# Of a longer slot=LIST, Open MPI 5.0.11 silently reads 63 characters; 4.1.4 crashes from 49 on (tried).
MOST_LIST_LENGTH = 40


def allocations(host_file_variable: str) -> tuple[AllocationReader, ...]:
    """Where mpirun finds hosts by itself, in its order; the variable names a host file."""
    return slurm, pbs, lsf, grid_engine, host_file_named_by(host_file_variable)


def rankfile(placement: PlacementFile, job: Job) -> str:
    """`rank 0=node1 slot=2-3`; of a list that mpirun can't read the first runs of cores (see binder_binds()).

    Raises InputError where hosts are missing (mpirun(1), "Rankfiles").
    """
    lines = [
        f"rank {rank}={host_of(placement, job, rank)} slot={_first_runs(index_text(cores))}"
        for rank, cores in enumerate(placement.cores)
    ]
    return "\n".join(lines) + "\n"


def binder_binds(placement: PlacementFile) -> bool:
    """True if the binder sets the cores, because a rankfile can't say them.

    It counts whole cores, and mpirun reads lists of some length only. Raises InputError for a list that is
    too long in a placement without OS indices.
    """
    too_long = _has_long_lists(placement)
    if too_long:
        masks_of(placement)
    return too_long or not placement.whole_cores


def notes(placement: PlacementFile) -> list[str]:
    """What the rankfile can't say, and what does it instead."""
    found = []
    if not placement.whole_cores:
        found.append(
            "corewise-bind narrows each rank to its hardware threads: the rankfile counts whole cores."
        )
    if _has_long_lists(placement):
        found.append("corewise-bind sets the cores: mpirun reads the beginning of a long list of cores only.")
    return found


def _has_long_lists(placement: PlacementFile) -> bool:
    return any(len(index_text(cores)) > MOST_LIST_LENGTH for cores in placement.cores)


def _first_runs(cores: str) -> str:
    """As many whole runs of "0-3,5,7-8" as mpirun reads."""
    return cores if len(cores) <= MOST_LIST_LENGTH else cores[: cores.rindex(",", 0, MOST_LIST_LENGTH + 1)]


def host_option(placement: PlacementFile, job: Job) -> list[str]:
    """`-H node1:2,node2:2` where mpirun knows the hosts neither from its command nor from an allocation."""
    if job.hosts_from != "user":
        return []
    ranks_on = Counter(host_of(placement, job, rank) for rank in range(placement.n_ranks))
    return ["-H", ",".join(f"{host}:{ranks_on[host]}" for host in job.hosts if host in ranks_on)]


def on_each_host(job: Job, options: OptionTable, settings: Sequence[str] = ()) -> LaunchPlan:
    """mpirun ... --map-by ppr:1:node --bind-to none: one process on each node (mpirun(1)).

    `settings` are further options of the launcher.
    """
    argv = [*job.command.start, *job.command.options_without(options.n_ranks | options.oversubscribes)]
    argv += ["--map-by", "ppr:1:node", "--bind-to", "none", *settings, "-n", str(len(job.hosts))]
    return LaunchPlan([*argv, *job.command.app])


def switched_off(option: str, neutral: Mapping[str, str], job: Job) -> list[str]:
    """`--mca NAME VALUE` for each parameter set around the command that would keep mpirun from the rankfile.

    `neutral` are the values that say nothing. The command line goes before variables and files.
    """
    return [
        word for name in sorted(neutral.keys() & job.parameters) for word in (option, name, neutral[name])
    ]


def settings(placement: PlacementFile, job: Job) -> list[str]:
    """Options for ranks that share a core: a rank that waits must yield.

    mpirun sees by itself that cores are shared, except with a rankfile (its ranks then have
    OMPI_MCA_mpi_oversubscribe=0 on 4.1.4); they would wait for whole time slices of each other. LAMMPS with 4
    ranks on 2 cores took 41.7 s without these options and 6.3 s with them. The user's own setting stays.
    """
    set_by_user = "OMPI_MCA_mpi_yield_when_idle" in job.environment or any(
        values[0] == "mpi_yield_when_idle" for values in job.command.values(("mca", "gmca", "omca"))
    )
    return ["--mca", "mpi_yield_when_idle", "1"] if placement.oversubscribed and not set_by_user else []


# Fields of both launchers.
COMMON: dict[str, Any] = {
    "families": ("openmpi",),
    "settings": settings,
    "any_host": "+n{node}",
    "package": "Open MPI",
    "hosts_option": "-H",
    "hosts_in_order": "--hostfile {path} --map-by seq --bind-to none",
    "sets_variable": "-x",
    "sets_variable_of_one": True,
    "shares_cores": "--oversubscribe",
    "as_root": "--allow-run-as-root",
    "too_few_slots": "not enough slots available",
}
