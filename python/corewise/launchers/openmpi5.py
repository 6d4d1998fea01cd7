"""Open MPI 5 (PRRTE): a rankfile as a mapping policy.

Options: PRRTE's schizo_ompi.c from 3.0.1 (Open MPI 5.0.0) to 3.0.13 (5.0.11). PRRTE also accepts unique
prefixes of names (--hostf); corewise requires the whole name.
"""

from __future__ import annotations

from dataclasses import replace

from corewise.launchers import openmpi_cores, rankfile
from corewise.launchers.launcher import Job, Launcher, RefusedPath, inject
from corewise.launchers.options import OptionTable, Syntax, value_counts, words
from corewise.launchers.programs import placed
from corewise.nouns.launch_plan import LaunchPlan
from corewise.nouns.placement import Placement

OPTIONS = OptionTable(
    n_values=value_counts(
        none="""V allow-run-as-root bind-to-core bycore bynode byslot continuous debug debug-daemons
            debug-daemons-file disable-recovery display-allocation display-comm display-comm-finalize
            display-devel-map display-map do-not-launch enable-recovery fwd-environment get-stack-traces h
            help hetero-nodes leave-session-attached merge-stderr-to-stdout no-aggregate-help no-app-prefix
            nolocal nooversubscribe noprefix output-proctable oversubscribe p parsable parseable pernode
            preload-binary report-bindings report-child-jobs-separately report-state-on-timeout s
            show-progress soft stop-in-app stop-in-init stop-on-exec tag-output timestamp-output
            use-hwthread-cpus v verbose version xml""",
        one="""H N am app app-pmix-prefix arch bind-to bindto c cpu-list cpu-set cpus-per-proc cpus-per-rank
            default-hostfile display display-topo dvm file forward-signals gpu-support host hostfile
            initial-errhandler launch-agent machinefile map-by mapby max-restarts max-vm-size
            memory-alloc-kinds n np npernode npersocket output output-directory output-filename path
            personality ppr prefix preload-files pset rank-by rankby rankfile report-pid report-uri rtos
            runtime-options spawn-timeout stdin stream-buffering timeout tmpdir tune unset-env wd wdir
            with-ft x xterm""",
        two="amca append-env gmca gomca mca omca pmixmca prepend-env prtemca",
    ),
    n_ranks=words("c n np"),
    host_list=words("H host"),
    host_file=words("default-hostfile hostfile machinefile"),
    places=words(
        """N bind-to bind-to-core bindto bycore bynode byslot cpu-list cpu-set cpus-per-proc cpus-per-rank
            map-by mapby nolocal npernode npersocket pernode ppr rank-by rankby rankfile use-hwthread-cpus"""
    ),
    chooses_hosts=words("nolocal"),
    parameter_files=words("am tune"),
    several_programs=words("app file"),
    working_directory=words("wd wdir"),
    search_path=words("path"),
    oversubscribes=words("oversubscribe"),
    starts_nothing=words("V do-not-launch h help version"),
    optional_value=words("fwd-environment output-proctable"),
    sets_variable=words("x"),
    parameter=words("gmca gomca mca omca prtemca"),
    placing_parameters=("rmaps_", "hwloc_default_binding", "hwloc_default_cpu", "hwloc_use_hwthread"),
    host_file_parameters=words("prte_default_hostfile"),
    syntax=Syntax(equals=True, one_dash=words("H V c h p s v")),
)

# With other values of these parameters, mpirun refuses a rankfile (tried on 5.0.11). Parameters for mapping
# and binding policies are overridden by --map-by and --bind-to.
NEUTRAL = {"hwloc_default_cpu_list": "", "rmaps": ""}

# Makes every daemon report its node's topology. Without it, mpirun of 5.0.11 often crashed or hung if the
# nodes differed, even with all ranks on one node. It is always set for several nodes, because fingerprints
# don't prove that nodes are equal: `pack:2 core:1` and `core:2` have the same one.
HETEROGENEOUS = ["--prtemca", "prte_hetero_nodes", "1"]


def plan(placement: Placement, job: Job) -> LaunchPlan:
    """mpirun ... --map-by rankfile:file=FILE: cores by logical index, the only kind in PRRTE (ompi#13143).

    PRRTE leaves ranks that share a core unbound unless both qualifiers are given (tried on 5.0.11). They
    replace --oversubscribe, which would be a second mapping policy.
    """
    before_app, files = inject(job, placement.os_pus, binds=rankfile.binder_binds(placement))
    path = f"{job.directory}/rankfile"
    shared = placement.overlaps
    own = [*rankfile.switched_off("--prtemca", NEUTRAL, job)]
    own += ["--map-by", f"rankfile:file={path}" + (":oversubscribe" if shared else "")]
    own += ["--bind-to", "core:overload-allowed" if shared else "core"]
    own += [*rankfile.host_option(placement, job), *rankfile.settings(placement, job)]
    own += HETEROGENEOUS if len(set(placement.node)) > 1 or not placement.nodes_alike else []
    without = OPTIONS.oversubscribes
    argv, _ = placed(job.command, OPTIONS, placement.n_ranks, own, before_app, job.directory, without)
    return LaunchPlan(argv, {}, {path: rankfile.rankfile(placement, job)} | files, rankfile.notes(placement))


BINDING = replace(
    openmpi_cores.BINDING,
    on_threads=lambda os_pus, cores, kind: [
        *("--map-by", f"pe-list={','.join(map(str, cores))}:ordered"),
        *("--bind-to", "core"),
    ],
    rankfile="--map-by rankfile:file={path}",
    variables={"PRTE_MCA_hwloc_default_cpu_list": (r"\d", "prterun(1), --cpu-set")},
)

LAUNCHER = Launcher(
    name="openmpi5",
    sentence="Open MPI 5 (PRRTE): mpirun --map-by rankfile:file=RANKFILE",
    version=r"\(Open MPI\) 5\.",
    options=OPTIONS,
    plan=plan,
    each_host=lambda job: rankfile.on_each_host(
        job, OPTIONS, [*rankfile.switched_off("--prtemca", NEUTRAL, job), *HETEROGENEOUS]
    ),
    neutral_parameters=NEUTRAL,
    parameter_project="prte",
    allocations=rankfile.allocations("PRTE_MCA_prte_default_hostfile"),
    executables=("mpirun", "mpiexec"),  # prterun has other options, and another answer to --version
    binding=BINDING,
    refused_path=RefusedPath("-", ("5.0.7", "5.0.8")),  # ompi#13545
    **rankfile.COMMON,
)
