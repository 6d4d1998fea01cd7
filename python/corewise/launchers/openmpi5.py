"""Open MPI 5 (PRRTE): a rankfile as a mapping policy."""

from __future__ import annotations

from dataclasses import replace

from corewise.launchers import openmpi
from corewise.launchers.launcher import Job, Launcher, RefusedPath, inject
from corewise.launchers.options import OptionTable
from corewise.launchers.programs import placed
from corewise.nouns.launch_plan import LaunchPlan
from corewise.nouns.placement import Placement

OPTIONS = OptionTable.read("openmpi5")

# Makes every daemon report its node's topology. Without it, mpirun of 5.0.11 often crashed or hung if the
# nodes differed, even with all ranks on one node. It is always set for several nodes, because fingerprints
# don't prove that nodes are equal: `pack:2 core:1` and `core:2` have the same one.
HETEROGENEOUS = ["--prtemca", "prte_hetero_nodes", "1"]


def plan(placement: Placement, job: Job) -> LaunchPlan:
    """mpirun ... --map-by rankfile:file=FILE: cores by logical index, the only kind in PRRTE (ompi#13143).

    PRRTE leaves ranks that share a core unbound unless both qualifiers are given (tried on 5.0.11). They
    replace --oversubscribe, which would be a second mapping policy.
    """
    before_app, files = inject(job, placement.os_pus, binds=openmpi.binder_binds(placement))
    path = f"{job.directory}/rankfile"
    shared = placement.overlaps
    own = [*openmpi.switched_off("--prtemca", "prte", job)]
    own += ["--map-by", f"rankfile:file={path}" + (":oversubscribe" if shared else "")]
    own += ["--bind-to", "core:overload-allowed" if shared else "core"]
    own += [*openmpi.host_option(placement, job), *openmpi.settings(placement, job)]
    own += HETEROGENEOUS if len(set(placement.node)) > 1 or not placement.nodes_alike else []
    without = OPTIONS.oversubscribes
    argv, _ = placed(job.command, OPTIONS, placement.n_ranks, own, before_app, job.directory, without)
    return LaunchPlan(argv, {}, {path: openmpi.rankfile(placement, job)} | files, openmpi.notes(placement))


BINDING = replace(
    openmpi.BINDING,
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
    each_host=lambda job: openmpi.on_each_host(
        job, OPTIONS, [*openmpi.switched_off("--prtemca", "prte", job), *HETEROGENEOUS]
    ),
    parameter_project="prte",
    allocations=openmpi.allocations("PRTE_MCA_prte_default_hostfile"),
    executables=("mpirun", "mpiexec"),  # prterun has other options, and another answer to --version
    binding=BINDING,
    refused_path=RefusedPath("-", ("5.0.7", "5.0.8")),  # ompi#13545
    **openmpi.COMMON,
)
