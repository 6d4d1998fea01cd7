"""Open MPI 4: a rankfile. Options: `mpirun --help full` of 4.1.4, and mpirun(1)."""

from __future__ import annotations

from dataclasses import replace

from corewise.launchers import openmpi_cores, rankfile
from corewise.launchers.launcher import Job, Launcher, inject
from corewise.launchers.options import OptionTable, Syntax, value_counts, words
from corewise.launchers.programs import placed
from corewise.nouns.launch_plan import LaunchPlan
from corewise.nouns.placement import Placement
from corewise.text.quantities import index_text

OPTIONS = OptionTable(
    n_values=value_counts(
        none="""V allow-run-as-root bind-to-core bind-to-socket bycore bynode byslot continuous d debug
            debug-daemons debug-daemons-file debug-devel disable-recovery display-allocation
            display-devel-allocation display-devel-map display-diffable-map display-map display-topo
            do-not-launch do-not-resolve dvm enable-instant-on-support enable-recovery fwd-mpirun-port
            get-stack-traces index-argv-by-rank leave-session-attached merge-stderr-to-stdout nolocal
            nooversubscribe noprefix novm output-proctable oversubscribe pernode preload-binary q quiet
            report-bindings report-child-jobs-separately report-state-on-timeout s set-cwd-to-session-dir
            show-progress tag-output timestamp-output tv use-hwthread-cpus use-regexp v verbose version
            xml""",
        one="""H N am app bind-to c cartofile cf cpu-list cpu-set cpus-per-proc cpus-per-rank debugger
            default-hostfile h help hnp host hostfile launch-agent machinefile map-by max-restarts
            max-vm-size n np npernode npersocket ompi-server output-filename path personality ppr prefix
            preload-files rank-by rankfile report-events report-pid report-uri rf stdin timeout tune wd wdir
            x xml-file xterm""",
        two="gmca mca",
    ),
    n_ranks=words("c n np"),
    host_list=words("H host"),
    host_file=words("default-hostfile hostfile machinefile"),
    places=words(
        """N bind-to bind-to-core bind-to-socket bycore bynode byslot cpu-list cpu-set cpus-per-proc
            cpus-per-rank map-by nolocal npernode npersocket pernode ppr rank-by rankfile rf
            use-hwthread-cpus"""
    ),
    chooses_hosts=words("nolocal"),
    parameter_files=words("am tune"),
    several_programs=words("app"),
    working_directory=words("wd wdir"),
    search_path=words("path"),
    oversubscribes=words("oversubscribe"),
    starts_nothing=words("V do-not-launch h help version"),
    sets_variable=words("x"),
    parameter=words("gmca mca"),
    placing_parameters=(
        "rmaps_",
        "orte_rankfile",
        "hwloc_base_binding",
        "hwloc_base_cpu",
        "hwloc_base_use_hwthreads",
    ),
    host_file_parameters=words("orte_default_hostfile"),
    syntax=Syntax(combined=True),
)

# With other values of these parameters, mpirun refuses a rankfile ("conflicting directives") or binds
# differently (each tried on 4.1.4).
NEUTRAL = dict.fromkeys(
    words(
        """rmaps rmaps_base_mapping_policy rmaps_base_pattern rmaps_base_schedule_policy rmaps_ppr_pattern"""
    ),
    "",
) | dict.fromkeys(
    words(
        """hwloc_base_bind_to_core hwloc_base_bind_to_socket hwloc_base_use_hwthreads_as_cpus
            rmaps_base_bycore rmaps_base_bynode rmaps_base_byslot rmaps_base_cpus_per_proc
            rmaps_base_cpus_per_rank rmaps_base_n_pernode rmaps_base_n_persocket rmaps_base_no_schedule_local
            rmaps_base_pernode rmaps_ppr_n_pernode rmaps_ppr_n_persocket rmaps_ppr_pernode"""
    ),
    "0",
)

WHY_BINDER = (
    "corewise-bind sets the cores too: the nodes differ, and mpirun takes the OS indices of one node for "
    "those of all that have as many cores (it may warn that it could not bind)."
)


def plan(placement: Placement, job: Job) -> LaunchPlan:
    """mpirun ... -rf FILE: cores by logical index on each node, numbered inside the node's cgroup.

    mpirun considers nodes equal if they have the same numbers of packages, caches, cores and hardware
    threads, even with different OS indices. On such nodes, a rankfile alone bound ranks to wrong cores, or to
    none with a warning (tried on 4.1.4). The binder then sets the cores.
    """
    binds = rankfile.binder_binds(placement) or (placement.os_pus is not None and not placement.nodes_alike)
    before_app, files = inject(job, placement.os_pus, binds)
    path = f"{job.directory}/rankfile"
    own = [*rankfile.switched_off("--mca", NEUTRAL, job), "-rf", path]
    own += [*rankfile.host_option(placement, job), *rankfile.settings(placement, job)]
    argv, _ = placed(job.command, OPTIONS, placement.n_ranks, own, before_app, job.directory)
    return LaunchPlan(argv, {}, {path: rankfile.rankfile(placement, job)} | files, _notes(placement))


def _notes(placement: Placement) -> list[str]:
    if placement.nodes_alike:
        return rankfile.notes(placement)
    return [*rankfile.notes(placement), WHY_BINDER]


_MANUAL = "mpirun(1), Rankfiles"

BINDING = replace(
    openmpi_cores.BINDING,
    on_threads=lambda os_pus, cores, kind: ["--cpu-set", index_text(cores), "--bind-to", "core"],
    rankfile="-rf {path}",
    variables={
        "OMPI_MCA_hwloc_base_cpu_list": (r"\d", "mpirun(1), --cpu-set"),
        "OMPI_MCA_orte_rankfile": (r".", _MANUAL),
        "OMPI_MCA_rmaps_rank_file_path": (r".", _MANUAL),
    },
)

LAUNCHER = Launcher(
    name="openmpi4",
    sentence="Open MPI 4: mpirun -rf RANKFILE",
    version=r"\((Open MPI|OpenRTE)\) 4\.",
    options=OPTIONS,
    plan=plan,
    each_host=lambda job: rankfile.on_each_host(job, OPTIONS, rankfile.switched_off("--mca", NEUTRAL, job)),
    neutral_parameters=NEUTRAL,
    parameter_project="openmpi",
    allocations=rankfile.allocations("OMPI_MCA_orte_default_hostfile"),
    executables=("mpirun", "mpiexec", "orterun"),
    binding=BINDING,
    **rankfile.COMMON,
)
