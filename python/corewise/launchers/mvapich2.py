"""MVAPICH2: a host file, and a list of cores if it is the same for all nodes. Exported, not run here.

Syntax: MVAPICH2 2.3.7 User Guide, "Run using mpirun_rsh" (the host file has a line for each rank) and "CPU
Mapping" (MV2_CPU_MAPPING with ':' between the ranks of a node, ',' and '-' within one;
MV2_ENABLE_AFFINITY=0).
"""

from __future__ import annotations

from corewise.launchers.binding import Binding
from corewise.launchers.launcher import Job, Launcher, host_of, inject, masks_of
from corewise.launchers.per_node import masks_alike
from corewise.nouns.launch_plan import LaunchPlan
from corewise.nouns.placement import Placement
from corewise.text.quantities import index_text

WHY_BINDER = (
    "corewise-bind sets the cores: MV2_CPU_MAPPING is the same for every node, a placement has a list for "
    "each."
)


def plan(placement: Placement, job: Job) -> LaunchPlan:
    """mpirun_rsh -np 4 -hostfile FILE MV2_CPU_MAPPING=0:1 ...: rank i runs on the host in line i.

    Raises InputError for a placement without OS indices.
    """
    alike = masks_alike(placement)
    path = f"{job.directory}/hosts"
    hosts = "".join(f"{host_of(placement, job, rank)}\n" for rank in range(placement.n_ranks))
    before_app, files = inject(job, masks_of(placement), binds=alike is None)
    mapping = (
        "MV2_ENABLE_AFFINITY=0" if alike is None else f"MV2_CPU_MAPPING={':'.join(map(index_text, alike))}"
    )
    argv = [*job.command.start, "-np", str(placement.n_ranks), "-hostfile", path, mapping]
    argv += [*before_app, *job.command.app]
    return LaunchPlan(argv, {}, {path: hosts} | files, [WHY_BINDER] if alike is None else [])


LAUNCHER = Launcher(
    name="mvapich2",
    sentence="MVAPICH2: mpirun_rsh with MV2_CPU_MAPPING",
    families=("mpich",),
    plan=plan,
    executables=("mpirun_rsh",),
    binding=Binding(variables={"MV2_CPU_MAPPING": (r"\d", "MVAPICH2's user guide")}),
)
