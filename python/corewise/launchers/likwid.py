"""LIKWID's likwid-mpirun on Open MPI: one list of cores for all nodes. Exported, not run here.

Syntax: likwid-mpirun -h of 5.2.2 and LIKWID's wiki, "Likwid-Mpirun": -pin with '_' between the ranks of a
node, where plain numbers are os_index; a host file in the MPI's format. Its resulting commands were checked
with -d.
"""

from __future__ import annotations

from corewise.errors import InputError
from corewise.launchers.launcher import Job, Launcher, host_of, inject
from corewise.launchers.per_node import fills_in_order, masks_alike, ranks_by_node, ranks_per_node
from corewise.nouns.launch_plan import LaunchPlan
from corewise.nouns.placement import Placement
from corewise.text.quantities import index_text

THREADS = (
    "likwid-mpirun binds the threads of a rank one by one, thread i to the i-th hardware thread of the rank; "
    "the others bind the rank to all of them."
)


def plan(placement: Placement, job: Job) -> LaunchPlan:
    """likwid-mpirun -np 4 -mpi openmpi -hostfile FILE -pin 0_1 ...: ranks go to the hosts in blocks.

    Raises InputError for placements that this can't express. The binder can't help, because likwid-mpirun
    always binds.
    """
    per_node, alike = ranks_per_node(placement, "likwid-mpirun"), masks_alike(placement)
    if alike is None or not fills_in_order(placement):
        what = "node after node" if alike else "with the same list of cores on each node"
        raise InputError(f"likwid-mpirun fills and binds {what}, the placement doesn't; use another launcher")
    if placement.overlaps:
        raise InputError("ranks share a core; likwid-mpirun expects no sharing")
    before_app, files = inject(job)
    path = f"{job.directory}/hosts"
    hosts = [host_of(placement, job, ranks[0]) for ranks in ranks_by_node(placement).values()]
    argv = [*job.command.start, "-np", str(placement.n_ranks), "-mpi", "openmpi", "-hostfile", path]
    argv += ["-pin", "_".join(map(index_text, alike)), *before_app, *job.command.app]
    files = {path: "".join(f"{host} slots={per_node}\n" for host in hosts)} | files
    return LaunchPlan(argv, {}, files, [THREADS] if max(map(len, alike)) > 1 else [])


LAUNCHER = Launcher(
    name="likwid",
    sentence="LIKWID: likwid-mpirun -pin",
    families=("openmpi",),
    plan=plan,
    executables=("likwid-mpirun",),
)
