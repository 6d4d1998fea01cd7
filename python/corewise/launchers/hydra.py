"""MPICH's Hydra: a host file for the nodes, the binder for the cores.

The binder is needed because the list of Hydra's `-bind-to user:` restarts on each line of the host file. If a
host has several lines, two ranks would silently share a core (tried on 4.0.2 and 5.0.2).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import groupby

from corewise.errors import InputError
from corewise.launchers import hosts
from corewise.launchers.allocation import grid_engine, host_file_named_by, lsf, pbs, slurm
from corewise.launchers.binding import Binding, CoreCount, CoreList, entries_of
from corewise.launchers.command import Command
from corewise.launchers.launcher import Job, Launcher, hosts_of_ranks, inject, masks_of
from corewise.launchers.mpi_family import STANDARD_ABI
from corewise.launchers.options import OptionTable, words
from corewise.launchers.programs import placed
from corewise.nouns.launch_plan import LaunchPlan
from corewise.nouns.placement import Placement

OPTIONS = OptionTable.read("hydra")

_BINDS = words("bind-to binding")

WHY_BINDER = (
    "corewise-bind sets the cores: Hydra's own list (-bind-to user:) counts the ranks of each line of the "
    "host file, not those of the job."
)


def plan(placement: Placement, job: Job) -> LaunchPlan:
    """mpiexec -f HOSTS ... corewise-bind ...: ranks fill the lines of the host file in order.

    Raises InputError without OS indices, and under Slurm if a host needs several lines.
    """
    before_app, files = inject(job, masks_of(placement), binds=True)
    command, without = job.command, OPTIONS.host_list | OPTIONS.host_file
    lines = [name for name, _ in groupby(hosts_of_ranks(placement, job))]
    if len(set(lines)) < len(lines) and _srun_starts(job):
        raise InputError(
            "ranks return to a host, and under Slurm Hydra starts each line of its host file by srun on its "
            "own node; start the program by srun, or Hydra by ssh (-launcher ssh)"
        )
    if job.hosts_from != "nowhere" or len(set(placement.node)) > 1:
        path = f"{job.directory}/hosts"
        files = {path: host_file(placement, job)} | files
        command = replace(command, start=[*command.start, "-f", path])
    argv, _ = placed(command, OPTIONS, placement.n_ranks, [], before_app, job.directory, without)
    return LaunchPlan(argv, {}, files, [WHY_BINDER])


def each_host(job: Job) -> LaunchPlan:
    """mpiexec -f HOSTS ...: one process on each host."""
    path = f"{job.directory}/hosts"
    options = job.command.options_without(OPTIONS.n_ranks | OPTIONS.host_list | OPTIONS.host_file)
    argv = [*job.command.start, "-f", path, *options, "-n", str(len(job.hosts)), *job.command.app]
    return LaunchPlan(argv, {}, {path: "".join(f"{host}:1\n" for host in job.hosts)})


def host_file(placement: Placement, job: Job) -> str:
    """`host:ranks` lines in rank order; a host has several lines if its ranks are not consecutive."""
    runs = groupby(hosts_of_ranks(placement, job))
    return "".join(f"{name}:{len(list(ranks))}\n" for name, ranks in runs)


def _srun_starts(job: Job) -> bool:
    """Whether Hydra uses srun, its default in a Slurm job, to start processes (tried on 4.0.2)."""
    told = [values[0] for values in job.command.values({"bootstrap", "launcher"})]
    told += [
        job.environment[name] for name in ("HYDRA_LAUNCHER", "HYDRA_BOOTSTRAP") if name in job.environment
    ]
    return "SLURM_JOB_ID" in job.environment and (not told or told[0] == "slurm")


def read_host_file(text: str) -> list[hosts.Host]:
    """`HOST:4` lines; raises InputError for users and settings (`binding=`), which plan() can't write."""
    for number, line in enumerate(text.splitlines(), 1):
        found = line.split("#")[0].split()
        if len(found) > 1 or found and "@" in found[0]:
            raise InputError(
                f"line {number}: found '{' '.join(found)}'; corewise writes host names alone into Hydra's "
                "file: expected HOST or HOST:4 (the name of a user belongs in ssh's configuration)"
            )
    return hosts.host_file(text)


def _cores_asked(
    command: Command, program: int, environment: Mapping[str, str], parameters: Mapping[str, str]
) -> CoreCount | None:
    """`-bind-to core:2`, which holds for all programs."""
    for option in reversed(command.programs[0].options):
        if option.name in _BINDS and (match := re.fullmatch(r"(core|hwthread):(\d{1,5})", option.values[0])):
            return CoreCount(option.text, int(match[2]), of_threads=match[1] == "hwthread")
    return None


def _core_lists(command: Command, environment: Mapping[str, str]) -> list[CoreList]:
    """`-bind-to user:0,2+3`, with an entry for each rank of a line of the host file."""
    return [
        CoreList(option.text, entries_of(option.values[0][5:].split(","), "+"), counts_ranks=True)
        for option in command.options
        if option.name in _BINDS and option.values[0].startswith("user:")
    ]


BINDING = Binding(
    own_cores="-bind-to core:{n}",
    on_threads=lambda os_pus, cores, kind: ["-bind-to", f"user:{','.join(map(str, os_pus))}"],
    read_cores=_cores_asked,
    core_lists=_core_lists,
    absent_pus="MPICH 4 starts the rank anyway, silently, on all hardware threads",
)

LAUNCHER = Launcher(
    name="hydra",
    sentence="MPICH's Hydra: mpiexec -f HOSTS with corewise's binder",
    families=("mpich", STANDARD_ABI),
    version=r"HYDRA build details",
    options=OPTIONS,
    plan=plan,
    each_host=each_host,
    read_host_file=read_host_file,
    allocations=(host_file_named_by("HYDRA_HOST_FILE"), slurm, lsf, grid_engine, pbs),
    executables=("mpiexec", "mpirun"),
    package="MPICH",
    binding=BINDING,
    hosts_option="-hosts",
    hosts_in_order="-f {path}",
    sets_variable="-genv",
)
