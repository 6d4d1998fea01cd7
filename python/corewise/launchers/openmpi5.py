"""Open MPI 5 (PRRTE): a rankfile as a mapping policy. Options as PRRTE 3's schizo_ompi.c lists them."""

from __future__ import annotations

from corewise.files.launch_plan import LaunchPlan
from corewise.files.placement import PlacementFile
from corewise.launchers.command import OptionTable, value_counts, words
from corewise.launchers.launcher import Job, Launcher, inject
from corewise.launchers.rankfile import allocation, polite_waiting, rankfile

OPTIONS = OptionTable(
    n_values=value_counts(
        none="""allow-run-as-root bind-to-core bycore bynode byslot continuous debug debug-daemons
            debug-daemons-file disable-recovery display-allocation display-comm display-comm-finalize
            display-devel-map display-map do-not-aggregate-help do-not-launch enable-recovery
            fwd-environment get-stack-traces leave-session-attached merge-stderr-to-stdout nolocal
            nooversubscribe noprefix oversubscribe p output-proctable parsable parseable pernode
            preload-binary report-bindings report-child-jobs-separately report-state-on-timeout s
            set-cwd-to-session-dir show-progress soft stop-in-app stop-in-init stop-on-exec tag-output
            timestamp-output use-hwthread-cpus v verbose xml""",
        one="""H N am amca app arch bind-to c cpu-list cpu-set cpus-per-proc cpus-per-rank default-hostfile
            display display-topo dvm file forward-signals host hostfile initial-errhandler launch-agent
            machinefile map-by max-restarts max-vm-size n np npernode npersocket output output-directory
            output-filename path personality ppr prefix preload-files pset rank-by rankfile report-pid
            report-uri runtime-options spawn-timeout stdin stream-buffering timeout tmpdir tune wd wdir
            with-ft x xterm""",
        two="gmca gomca mca omca pmixmca gpmixmca prtemca",
    ),
    n_ranks=words("c n np"),
    host_list=words("H host"),
    host_file=words("default-hostfile hostfile machinefile"),
    places=words(
        """N bind-to bind-to-core bycore bynode byslot cpu-list cpu-set cpus-per-proc cpus-per-rank map-by
            nolocal npernode npersocket pernode ppr rank-by rankfile use-hwthread-cpus"""
    ),
    several_programs=words("app file"),
    working_directory=words("wd wdir"),
    search_path=words("path"),
    oversubscribes=words("oversubscribe"),
    placing_parameters=("rmaps_", "hwloc_default_binding", "hwloc_default_cpu", "hwloc_use_hwthread"),
)


def plan(placement: PlacementFile, job: Job) -> LaunchPlan:
    """mpirun ... --map-by rankfile:file=FILE: cores by logical index, PRRTE has no other (ompi#13143).

    PRRTE leaves ranks that share a core unbound unless both qualifiers are given (tried on 5.0.11); its own
    --oversubscribe would be a second mapping policy, so it is replaced.
    """
    before_app, files = inject(job, placement.os_pus)
    path = f"{job.directory}/rankfile"
    shared = placement.oversubscribed
    argv = [job.command.executable, *job.command.options_without(OPTIONS.n_ranks | OPTIONS.oversubscribes)]
    argv += ["--map-by", f"rankfile:file={path}" + (":oversubscribe" if shared else "")]
    argv += ["--bind-to", "core:overload-allowed" if shared else "core"]
    argv += [*allocation(placement, job, OPTIONS), *polite_waiting(placement, job)]
    argv += ["-n", str(placement.n_ranks), *before_app, *job.command.app]
    return LaunchPlan(argv, {}, {path: rankfile(placement, job)} | files)


LAUNCHER = Launcher(
    name="openmpi5",
    sentence="Open MPI 5 (PRRTE): mpirun --map-by rankfile:file=RANKFILE",
    families=("openmpi",),
    version=r"\(Open MPI\) 5\.",
    options=OPTIONS,
    plan=plan,
    any_host="+n{node}",
)
