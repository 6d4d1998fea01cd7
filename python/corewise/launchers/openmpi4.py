"""Open MPI 4: a rankfile. Options as `mpirun --help full` of 4.1.4 and mpirun(1) list them."""

from __future__ import annotations

from corewise.files.launch_plan import LaunchPlan
from corewise.files.placement import PlacementFile
from corewise.launchers.allocation import grid_engine, host_file_named_by, lsf, pbs, slurm
from corewise.launchers.launcher import Job, Launcher, inject
from corewise.launchers.options import OptionTable, Syntax, value_counts, words
from corewise.launchers.rankfile import binder_binds, host_option, notes, on_each_host, rankfile, settings

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

WHY_BINDER = (
    "corewise-bind sets the cores too: the nodes differ, and mpirun takes the OS indices of one node for "
    "those of all that have as many cores (it may warn that it could not bind)."
)


def plan(placement: PlacementFile, job: Job) -> LaunchPlan:
    """mpirun ... -rf FILE: cores by logical index on each node, counted inside the node's cgroup.

    mpirun takes nodes for the same that have as many packages, caches, cores and hardware threads, whatever
    their OS indices: on nodes that differ a rankfile alone bound ranks to other cores, or to none with a
    warning (tried on 4.1.4), so there the binder sets them.
    """
    binds = binder_binds(placement) or (placement.os_pus is not None and not placement.nodes_alike)
    before_app, files = inject(job, placement.os_pus, binds)
    path = f"{job.directory}/rankfile"
    argv = [*job.command.start, *job.command.options_without(OPTIONS.n_ranks), "-rf", path]
    argv += [*host_option(placement, job), *settings(placement, job)]
    argv += ["-n", str(placement.n_ranks), *before_app, *job.command.app]
    return LaunchPlan(argv, {}, {path: rankfile(placement, job)} | files, _notes(placement))


def _notes(placement: PlacementFile) -> list[str]:
    if placement.nodes_alike:
        return notes(placement)
    return [*notes(placement), WHY_BINDER]


LAUNCHER = Launcher(
    name="openmpi4",
    sentence="Open MPI 4: mpirun -rf RANKFILE",
    families=("openmpi",),
    version=r"\((Open MPI|OpenRTE)\) 4\.",
    options=OPTIONS,
    plan=plan,
    settings=settings,
    each_host=lambda job: on_each_host(job, OPTIONS),
    allocations=(slurm, pbs, lsf, grid_engine, host_file_named_by("OMPI_MCA_orte_default_hostfile")),
    any_host="+n{node}",
    executables=("mpirun", "mpiexec", "orterun"),
)
