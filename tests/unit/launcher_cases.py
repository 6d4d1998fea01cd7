"""A launcher for tests that starts programs of two MPI families, as srun, flux and PALS do."""

from corewise.launchers import LAUNCHERS, Job, Launcher
from corewise.launchers.allocation import flux, slurm
from corewise.launchers.hosts import Host
from corewise.launchers.launcher import host_of, inject
from corewise.launchers.options import OptionTable, getopt_syntax, value_counts, words
from corewise.nouns.launch_plan import LaunchPlan
from corewise.nouns.placement import Placement
from corewise.text.node_list import expand_node_list

N_VALUES = value_counts(none="l label v verbose exclusive", one="n ntasks w nodelist cpu-bind distribution")
OPTIONS = OptionTable(
    n_values=N_VALUES,
    n_ranks=words("n ntasks"),
    host_list=words("w nodelist"),
    places=words("cpu-bind distribution"),
    optional_value=words("exclusive"),
    subcommand="start",
    syntax=getopt_syntax(N_VALUES),
)

# How ranks connect: MPICH's library by PMI-2, Open MPI's by PMIx.
CONNECTION = {"mpich": "pmi2", "openmpi": "pmix"}


def plan(placement: Placement, job: Job) -> LaunchPlan:
    """The same command for both families, except for the option that says how ranks connect."""
    before_app, files = inject(job, placement.os_pus, binds=True)
    connection = [f"--mpi={CONNECTION[job.family]}"] if job.family else []
    argv = [*job.command.start, *connection, "-n", str(placement.n_ranks), *before_app, *job.command.app]
    hosts = ",".join(host_of(placement, job, rank) for rank in range(placement.n_ranks))
    return LaunchPlan(argv, {"RUN2_HOSTS": hosts}, files)


TWO_FAMILIES = Launcher(
    name="two-families",
    sentence="For the tests: one launcher for MPICH's and Open MPI's programs",
    families=("mpich", "openmpi"),
    version=r"two families \d",
    options=OPTIONS,
    plan=plan,
    executables=("run2",),
    read_host_list=lambda text: [Host(name) for name in expand_node_list(text)],
    allocations=(slurm, flux),
)

KNOWN = LAUNCHERS | {TWO_FAMILIES.name: TWO_FAMILIES}
