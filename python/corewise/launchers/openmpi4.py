"""Open MPI 4: a rankfile."""

from __future__ import annotations

from dataclasses import replace

from corewise.launchers import openmpi
from corewise.launchers.launcher import Job, Launcher, inject
from corewise.launchers.options import OptionTable
from corewise.launchers.programs import placed
from corewise.nouns.launch_plan import LaunchPlan
from corewise.nouns.placement import Placement
from corewise.text.quantities import index_text

OPTIONS = OptionTable.read("openmpi4")

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
    binds = openmpi.binder_binds(placement) or (placement.os_pus is not None and not placement.nodes_alike)
    before_app, files = inject(job, placement.os_pus, binds)
    path = f"{job.directory}/rankfile"
    own = [*openmpi.switched_off("--mca", "openmpi", job), "-rf", path]
    own += [*openmpi.host_option(placement, job), *openmpi.settings(placement, job)]
    notes = [*openmpi.notes(placement), *([] if placement.nodes_alike else [WHY_BINDER])]
    argv, _ = placed(job.command, OPTIONS, placement.n_ranks, own, before_app, job.directory)
    return LaunchPlan(argv, {}, {path: openmpi.rankfile(placement, job)} | files, notes)


_MANUAL = "mpirun(1), Rankfiles"

BINDING = replace(
    openmpi.BINDING,
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
    each_host=lambda job: openmpi.on_each_host(job, OPTIONS, openmpi.switched_off("--mca", "openmpi", job)),
    parameter_project="openmpi",
    allocations=openmpi.allocations("OMPI_MCA_orte_default_hostfile"),
    executables=("mpirun", "mpiexec", "orterun"),
    binding=BINDING,
    **openmpi.COMMON,
)
