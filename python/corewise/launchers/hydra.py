"""MPICH's Hydra: a host file for the nodes, the binder for the cores.

Options as the tables of Hydra 4.0 and 5.0 (pm/hydra/mpiexec/options.c) list them.

Hydra's own `-bind-to user:` list counts ranks on each host line, not in the job, and starts again on a
repeated line, so that two ranks would silently share a core (tried on 4.0.2 and 5.0.2); the binder goes by
the job's rank.
"""

from __future__ import annotations

from itertools import groupby

from corewise.errors import InputError
from corewise.files.launch_plan import LaunchPlan
from corewise.files.placement import PlacementFile
from corewise.launchers import hosts
from corewise.launchers.allocation import cobalt, grid_engine, host_file_named_by, lsf, pbs, slurm
from corewise.launchers.launcher import Job, Launcher, host_of, inject, masks_of
from corewise.launchers.mpi_family import STANDARD_ABI
from corewise.launchers.options import OptionTable, Syntax, value_counts, words

OPTIONS = OptionTable(
    n_values=value_counts(
        none="""dac debug disable-auto-cleanup disable-hostname-propagation disable-x enable-auto-cleanup
            enable-hostname-propagation enable-x envall envnone genvall genvnone h help hybrid-hosts info l
            pmi-port prepend-rank print-all-exitcodes profile report-bindings skip-launch-node v verbose
            version""",
        one="""bind-to binding bootstrap bootstrap-exec configfile demux envlist errfile errfile-pattern f g
            genvlist gpu-subdevs-per-proc gpus-per-proc host hostfile hostlist hosts iface launcher
            launcher-exec localhost machine machinefile machinelist machines map-by membind
            memory-alloc-kinds n nameserver np order-nodes outfile outfile-pattern output-from ppn
            prepend-pattern rankmap rmk topolib usize wdir""",
        two="env genv",
    ),
    n_ranks=words("n np"),
    host_list=words("host hostlist hosts machine machinelist machines"),
    host_file=words("f hostfile machinefile"),
    places=words("bind-to binding map-by membind order-nodes ppn rankmap skip-launch-node"),
    chooses_hosts=words("order-nodes skip-launch-node"),
    several_programs=words("configfile"),
    working_directory=words("wdir"),
    starts_nothing=words("h help info version"),
    assignment=words("env genv"),
    sets_variable=words("env genv"),
    syntax=Syntax(equals=True, end_of_options=False, ignores_case=True),
)

WHY_BINDER = (
    "corewise-bind sets the cores: Hydra's own list (-bind-to user:) counts the ranks of each line of the "
    "host file, not those of the job."
)


def plan(placement: PlacementFile, job: Job) -> LaunchPlan:
    """mpiexec -f HOSTS ... corewise-bind ...: ranks go to the host lines in order, cores by os_index.

    Raises InputError for a placement without OS indices.
    """
    before_app, files = inject(job, masks_of(placement), binds=True)
    options = job.command.options_without(OPTIONS.n_ranks | OPTIONS.host_list | OPTIONS.host_file)
    if job.hosts_from != "nowhere" or len(set(placement.node)) > 1:
        path = f"{job.directory}/hosts"
        files = {path: host_file(placement, job)} | files
        options = ["-f", path, *options]
    argv = [*job.command.start, *options, "-n", str(placement.n_ranks), *before_app, *job.command.app]
    return LaunchPlan(argv, {}, files, [WHY_BINDER])


def each_host(job: Job) -> LaunchPlan:
    """mpiexec -f HOSTS ...: a line for each host, for one process."""
    path = f"{job.directory}/hosts"
    options = job.command.options_without(OPTIONS.n_ranks | OPTIONS.host_list | OPTIONS.host_file)
    argv = [*job.command.start, "-f", path, *options, "-n", str(len(job.hosts)), *job.command.app]
    return LaunchPlan(argv, {}, {path: "".join(f"{host}:1\n" for host in job.hosts)})


def host_file(placement: PlacementFile, job: Job) -> str:
    """`host:ranks` lines in rank order; a host comes back where ranks return to it."""
    names = [host_of(placement, job, rank) for rank in range(placement.n_ranks)]
    return "".join(f"{name}:{len(list(ranks))}\n" for name, ranks in groupby(names))


def read_host_file(text: str) -> list[hosts.Host]:
    """`HOST:4` lines; raises InputError for settings of a host (`user=`, `binding=`): plan() writes none."""
    for number, line in enumerate(text.splitlines(), 1):
        if len(found := line.split("#")[0].split()) > 1:
            raise InputError(
                f"line {number}: found '{found[1]}' after the host; corewise would lose it: expected HOST or "
                "HOST:4 (the name of a user belongs in ssh's configuration)"
            )
    return hosts.host_file(text)


LAUNCHER = Launcher(
    name="hydra",
    sentence="MPICH's Hydra: mpiexec -f HOSTS with corewise's binder",
    families=("mpich", STANDARD_ABI),
    version=r"HYDRA build details",
    options=OPTIONS,
    plan=plan,
    each_host=each_host,
    read_host_file=read_host_file,
    allocations=(host_file_named_by("HYDRA_HOST_FILE"), slurm, lsf, grid_engine, pbs, cobalt),
    executables=("mpiexec", "mpirun"),
)
