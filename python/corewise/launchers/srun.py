"""Slurm's srun: a host file assigns nodes, the binder sets cores.

corewise requires an allocation (salloc, sbatch), because outside one, the nodes are not known before srun
starts.

Slurm's own lists of cores (--cpu-bind=map_cpu, mask_cpu) are the same for every node, but a placement has a
list for each node. With --cpu-bind=none, Slurm does not restrict the cores that the binder can set.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from corewise.launchers.allocation import slurm
from corewise.launchers.binding import Binding, CoreCount, CoreList, entries_of, entry_of_mask
from corewise.launchers.command import Command
from corewise.launchers.hosts import Host
from corewise.launchers.launcher import Job, Launcher, PmiChoice, hosts_of_ranks, inject, masks_of
from corewise.launchers.mpi_family import STANDARD_ABI
from corewise.launchers.options import OptionTable, words
from corewise.launchers.programs import as_one_step, placed
from corewise.nouns.launch_plan import LaunchPlan
from corewise.nouns.placement import Placement
from corewise.text.node_list import expand_node_list

OPTIONS = OptionTable.read("srun")

_REPLACED = OPTIONS.n_hosts | OPTIONS.host_list | OPTIONS.host_file | OPTIONS.oversubscribes

_BINDS, _PUS = words("cpu-bind cpu_bind"), words("c cpus-per-task")

WHY_BINDER = (
    "corewise-bind sets the cores: srun's own lists (--cpu-bind=map_cpu, mask_cpu) are the same for every "
    "node, a placement has one for each."
)


def plan(placement: Placement, job: Job) -> LaunchPlan:
    """SLURM_HOSTFILE=FILE srun --distribution=arbitrary ...: rank i runs on the node in line i.

    -w and -N are removed, because srun silently ignores the file if -w is given (tried on 22.05.8). Raises
    InputError for a placement without OS indices.
    """
    before_app, files = inject(job, masks_of(placement), binds=True)
    command = as_one_step(job.command, OPTIONS, placement.n_ranks)
    env, own = {}, []
    if job.hosts_from == "nowhere" and max(placement.node) == 0:
        own += ["-N", "1"]
    else:
        path = f"{job.directory}/hosts"
        env, files = {"SLURM_HOSTFILE": path}, {path: _lines(hosts_of_ranks(placement, job))} | files
        own += ["--distribution=arbitrary"]
    own += ["--cpu-bind=none", *(["--overcommit"] if placement.oversubscribed else [])]
    argv, listed = placed(command, OPTIONS, placement.n_ranks, own, before_app, job.directory, _REPLACED)
    return LaunchPlan(argv, env, files | listed, [WHY_BINDER])


def each_host(job: Job) -> LaunchPlan:
    """SLURM_HOSTFILE=FILE srun --distribution=arbitrary ...: one process on each host."""
    path = f"{job.directory}/hosts"
    options = job.command.options_without(_REPLACED | OPTIONS.n_ranks)
    argv = [*job.command.start, *options, "--distribution=arbitrary", "--cpu-bind=none"]
    argv += ["-n", str(len(job.hosts)), *job.command.app]
    return LaunchPlan(argv, {"SLURM_HOSTFILE": path}, {path: _lines(job.hosts)})


def _lines(hosts: Sequence[str]) -> str:
    return "".join(f"{host}\n" for host in hosts)


def _cores_asked(
    command: Command, program: int, environment: Mapping[str, str], parameters: Mapping[str, str]
) -> CoreCount | None:
    """`-c 2`, or the value given to salloc or sbatch, which srun of 22.05 does not inherit (srun(1))."""
    given = [option for option in reversed(command.programs[0].options) if option.name in _PUS]
    typed = {option.text: option.values[-1] for option in given}
    names = [name for name in ("SRUN_CPUS_PER_TASK", "SLURM_CPUS_PER_TASK") if name in environment]
    typed |= {f"{name}={environment[name]}": environment[name] for name in names}
    counts = (CoreCount.of(text, value, of_threads=True) for text, value in typed.items())
    return next(filter(None, counts), None)


def _core_lists(command: Command, environment: Mapping[str, str]) -> list[CoreList]:
    """The lists in --cpu-bind, or in SLURM_CPU_BIND without that option."""
    binding = [option for option in command.options if option.name in _BINDS]
    typed = {option.text: option.values[-1] for option in binding if option.values}
    if not binding and (variable := environment.get("SLURM_CPU_BIND")):
        typed = {f"SLURM_CPU_BIND={variable}": variable}
    return [found for text, value in typed.items() for found in _lists_in(text, value)]


def _lists_in(typed: str, value: str) -> list[CoreList]:
    """`map_cpu:0,2*2` or `mask_cpu:0x1,0x80` as srun(1) writes them, perhaps after `quiet,` or `verbose,`."""
    kind = re.search("(mask|map)_cpu:", value)
    if not kind:
        return []
    words = []
    for word in value[kind.end() :].split(","):
        entry, _, times = word.partition("*")
        words += [entry] * (int(times) if times.isdecimal() else 1)
    masks = list(filter(None, map(entry_of_mask, words)))
    return [CoreList(typed, masks if kind[1] == "mask" else entries_of(words), True, kind=kind[0])]


def _on_threads(os_pus: list[int], cores: list[int], kind: str) -> list[str]:
    if kind == "mask_cpu:":
        return [f"--cpu-bind=mask_cpu:{','.join(hex(1 << pu) for pu in os_pus)}"]
    return [f"--cpu-bind=map_cpu:{','.join(map(str, os_pus))}"]


BINDING = Binding(
    own_cores="--cpus-per-task={n} --cpu-bind=cores",
    on_threads=_on_threads,
    read_cores=_cores_asked,
    core_lists=_core_lists,
    absent_pus="Slurm refuses the step, or starts the rank on other hardware threads than the list says",
    usable_mask=r"allocated CPUs are: (0x[0-9a-fA-F]+)",  # slurmd 22.05, task_affinity
    variables={
        "SLURM_CPU_BIND": (r"(map|mask)_cpu", "srun(1): an outer step leaves it to an inner one"),
    },
)

LAUNCHER = Launcher(
    name="srun",
    sentence="Slurm: srun --distribution=arbitrary with corewise's binder",
    families=("mpich", "openmpi", STANDARD_ABI),
    version=r"^slurm",
    options=OPTIONS,
    plan=plan,
    each_host=each_host,
    read_host_list=lambda text: [Host(name) for name in expand_node_list(text)],
    allocations=(slurm,),
    allocated_by="salloc",
    executables=("srun",),
    package="Slurm (Debian: slurm-client)",
    binding=BINDING,
    too_few_slots=r"More processors requested than permitted|Only allocated \d+ nodes asked for \d+",
    pmi=PmiChoice("mpi", "SLURM_MPI_TYPE", ("scontrol", "show", "config"), r"MpiDefault\s*=\s*(\S+)"),
)
