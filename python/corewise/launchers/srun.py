"""Slurm's srun: a host file assigns nodes, the binder sets cores.

Options: srun of 22.05 (`srun --help`, slurm_opt.c). corewise requires an allocation (salloc, sbatch), because
outside one, the nodes are not known before srun starts.

Slurm's own lists of cores (--cpu-bind=map_cpu, mask_cpu) are the same for every node, but a placement has a
list for each node. With --cpu-bind=none, Slurm does not restrict the cores that the binder can set.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from corewise.launchers.allocation import slurm
from corewise.launchers.binding import Binding, CoreCount, CoreList, entries_of, entry_of_mask
from corewise.launchers.command import Command
from corewise.launchers.hosts import Host
from corewise.launchers.launcher import Job, Launcher, PmiChoice, host_of, inject, masks_of
from corewise.launchers.mpi_family import STANDARD_ABI
from corewise.launchers.options import OptionTable, getopt_syntax, value_counts, words
from corewise.launchers.programs import as_one_step, placed
from corewise.nouns.launch_plan import LaunchPlan
from corewise.nouns.placement import Placement
from corewise.text.node_list import expand_node_list

_N_VALUES = value_counts(
    none="""E H I K O Q V X Z bcast compress contiguous debugger-test disable-status exact exclusive h help
            hold immediate interactive k kill-on-bad-exit l label multi-prog nice no-allocate no-kill
            overcommit overlap oversubscribe preserve-env propagate pty quiet quit-on-interrupt reboot
            resv-ports s send-libs spread-job test-only u unbuffered usage use-min-nodes v verbose version
            whole x11""",
    one="""A B C D F G J L M N S T W accel-bind account acctg-freq b bb bbf bcast-exclude begin c chdir
            cluster cluster-constraint clusters comment constraint container context core-spec
            cores-per-socket cpu-bind cpu-freq cpu_bind cpus-per-gpu cpus-per-task d deadline delay-boot
            dependency distribution e epilog error exclude export extra extra-node-info gid gpu-bind
            gpu-freq gpus gpus-per-node gpus-per-socket gpus-per-task gres gres-flags het-group hint i input
            job-name jobid licenses m mail-type mail-user mcs-label mem mem-bind mem-per-cpu mem-per-gpu
            mincpus mpi msg-timeout n network nodefile nodelist nodes ntasks ntasks-per-core ntasks-per-gpu
            ntasks-per-node ntasks-per-socket ntasks-per-tres o open-mode output p pack-group partition
            power prefer priority profile prolog q qos r relative reservation signal slurmd-debug
            sockets-per-node switches t task-epilog task-prolog tasks-per-node thread-spec threads
            threads-per-core time time-min tmp uid w wait wckey x""",
)

OPTIONS = OptionTable(
    n_values=_N_VALUES,
    n_ranks=words("n ntasks"),
    n_hosts=words("N nodes"),
    host_list=words("w nodelist"),
    host_file=words("F nodefile"),
    places=words(
        """B E c cores-per-socket cpu-bind cpu_bind cpus-per-task distribution exact exclude
            extra-node-info hint m mem-bind ntasks-per-core ntasks-per-node ntasks-per-socket preserve-env r
            relative sockets-per-node spread-job tasks-per-node threads-per-core x"""
    ),
    chooses_hosts=words("exclude r relative x"),
    several_programs=words("multi-prog"),
    working_directory=words("D chdir"),
    oversubscribes=words("O overcommit"),
    starts_nothing=words("H V h help hold test-only usage version"),
    optional_value=words(
        """I K bcast compress exclusive immediate k kill-on-bad-exit nice no-kill overlap propagate pty
            resv-ports send-libs x11"""
    ),
    sets_variables=words("export"),
    of_allocation=words("het-group jobid pack-group"),
    syntax=getopt_syntax(_N_VALUES, colon_separates=True),
)

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
        env, files = {"SLURM_HOSTFILE": path}, {path: _host_file(placement, job)} | files
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
    lines = "".join(f"{host}\n" for host in job.hosts)
    return LaunchPlan(argv, {"SLURM_HOSTFILE": path}, {path: lines})


def _host_file(placement: Placement, job: Job) -> str:
    return "".join(f"{host_of(placement, job, rank)}\n" for rank in range(placement.n_ranks))


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
