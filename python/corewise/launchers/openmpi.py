"""What Open MPI 4 and 5 share: rankfiles, hosts, options for shared cores, and how commands bind."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from corewise.launchers.allocation import grid_engine, host_file_named_by, lsf, pbs, slurm
from corewise.launchers.binding import Binding, CoreCount, CoreList
from corewise.launchers.command import Command, Option
from corewise.launchers.hosts import AllocationReader
from corewise.launchers.launcher import Job, host_of, masks_of
from corewise.launchers.options import NEUTRAL, OptionTable
from corewise.nouns.launch_plan import LaunchPlan
from corewise.nouns.placement import Placement
from corewise.text.quantities import index_text, indices_of

# Open MPI 5.0.11 silently ignores a slot=LIST after 63 characters; 4.1.4 crashes from 49 on (tried).
MOST_LIST_LENGTH = 40


def allocations(host_file_variable: str) -> tuple[AllocationReader, ...]:
    """Where mpirun finds hosts by itself, in its order; `host_file_variable` names a host file."""
    return slurm, pbs, lsf, grid_engine, host_file_named_by(host_file_variable)


def rankfile(placement: Placement, job: Job) -> str:
    """Lines such as `rank 0=node1 slot=2-3`; lists that are too long are cut (see binder_binds()).

    Raises InputError if there are too few hosts. Format: mpirun(1), "Rankfiles".
    """
    lines = [
        f"rank {rank}={host_of(placement, job, rank)} slot={_first_runs(index_text(cores))}"
        for rank, cores in enumerate(placement.cores)
    ]
    return "\n".join(lines) + "\n"


def binder_binds(placement: Placement) -> bool:
    """Whether the binder must set the cores: a rankfile has whole cores only, and no long lists.

    Raises InputError if a list is too long and the placement has no OS indices.
    """
    too_long = _has_long_lists(placement)
    if too_long:
        masks_of(placement)
    return too_long or not placement.whole_cores


def notes(placement: Placement) -> list[str]:
    """Sentences on what the rankfile can't express, and what does it instead."""
    found = []
    if not placement.whole_cores:
        found.append(
            "corewise-bind narrows each rank to its hardware threads: the rankfile counts whole cores."
        )
    if _has_long_lists(placement):
        found.append("corewise-bind sets the cores: mpirun reads the beginning of a long list of cores only.")
    return found


def _has_long_lists(placement: Placement) -> bool:
    return any(len(index_text(cores)) > MOST_LIST_LENGTH for cores in placement.cores)


def _first_runs(cores: str) -> str:
    """The runs of "0-3,5,7-8" that mpirun can read."""
    return cores if len(cores) <= MOST_LIST_LENGTH else cores[: cores.rindex(",", 0, MOST_LIST_LENGTH + 1)]


def host_option(placement: Placement, job: Job) -> list[str]:
    """`-H node1:2,node2:2` if mpirun doesn't know the hosts from its command or an allocation."""
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


def switched_off(option: str, project: str, job: Job) -> list[str]:
    """`--mca NAME VALUE` for each parameter that is set outside the command and conflicts with a rankfile.

    The values have no effect. The command line overrides variables and files.
    """
    neutral = NEUTRAL[project]
    return [
        word for name in sorted(neutral.keys() & job.parameters) for word in (option, name, neutral[name])
    ]


def settings(placement: Placement, job: Job) -> list[str]:
    """The option that makes a waiting rank yield, if ranks share a core and the user didn't set it.

    mpirun detects shared cores itself, but not with a rankfile (on 4.1.4, ranks then have
    OMPI_MCA_mpi_oversubscribe=0). Waiting ranks would then use whole time slices. LAMMPS with 4 ranks on 2
    cores took 41.7 s without this option and 6.3 s with it.
    """
    set_by_user = "OMPI_MCA_mpi_yield_when_idle" in job.environment or any(
        values[0] == "mpi_yield_when_idle" for values in job.command.values(("mca", "gmca", "omca"))
    )
    return ["--mca", "mpi_yield_when_idle", "1"] if placement.oversubscribed and not set_by_user else []


def cores_asked(
    command: Command, program: int, environment: Mapping[str, str], parameters: Mapping[str, str]
) -> CoreCount | None:
    """The number of cores for each rank, by an option before the program or an MCA parameter."""
    for option in reversed(command.programs[program].options):
        if count := _of_option(option):
            return count
    counts = (_of_parameter(name, value, f"{name} = {value}") for name, value in parameters.items())
    return next(filter(None, counts), None)


def _of_option(option: Option) -> CoreCount | None:
    typed, value = option.text, option.values[-1] if option.values else ""
    if option.name in ("cpus-per-proc", "cpus-per-rank"):
        return CoreCount.of(typed, value)
    if option.name in ("map-by", "mapby"):
        return _of_parameter("mapping_policy", value, typed)
    return _of_parameter(option.values[0], value, typed) if len(option.values) == 2 else None


def _of_parameter(name: str, value: str, typed: str) -> CoreCount | None:
    if name.endswith(("cpus_per_rank", "cpus_per_proc")):
        return CoreCount.of(typed, value)
    match = re.search(r"(?i)\bpe=(\d{1,5})\b", value) if name.endswith("mapping_policy") else None
    return match and CoreCount(typed, int(match[1]), of_threads="hwtcpus" in value.lower())


def core_lists(command: Command, environment: Mapping[str, str]) -> list[CoreList]:
    """The cores (logical) of --cpu-list or --cpu-set; one per rank with `--bind-to cpu-list:ordered`."""
    ordered = any("cpu-list:ordered" in value.lower() for (value,) in command.values({"bind-to"}))
    return [
        CoreList(
            option.text,
            [indices_of(part) for part in option.values[0].split(",")],
            counts_ranks=ordered,
            of_threads=False,
            program=number,
        )
        for number, program in enumerate(command.programs)
        for option in program.options
        if option.name in ("cpu-set", "cpu-list") and re.fullmatch(r"\d+([,-]\d+)*", option.values[0])
    ]


def rankfile_of(command: Command) -> str | None:
    """The path of the command's rankfile; None without one."""
    paths = [values[0] for values in command.values({"rf", "rankfile"})]
    for (value,) in command.values({"map-by", "mapby"}):
        if match := re.search(r"rankfile:(?:.*:)?file=([^:]+)", value, re.IGNORECASE):
            paths.append(match[1])
    return paths[-1] if paths else None


BINDING = Binding(
    own_cores="--map-by slot:PE={n} --bind-to core",
    read_cores=cores_asked,
    core_lists=core_lists,
    rankfile_of=rankfile_of,
)


# Launcher fields that both versions share.
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
