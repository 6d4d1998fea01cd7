"""Cray MPICH under Slurm: a rank order assigns ranks to nodes. Exported, not run here.

Syntax: intro_mpi(3) of HPE Cray MPICH (MPICH_RANK_REORDER_METHOD=3, MPICH_RANK_REORDER_FILE), as described in
the LUMI training material "Advanced Placement"; srun(1) for --cpu-bind. The file lists MPI ranks in the order
of the slots on the nodes. Slurm must fill the nodes in blocks. SLURM_PROCID is the number of the slot, not
the MPI rank.
"""

from __future__ import annotations

from corewise.launchers.binding import Binding
from corewise.launchers.launcher import Job, Launcher, hosts_of_ranks
from corewise.launchers.per_node import bound_alike, hex_mask, rank_order, ranks_per_node, slots
from corewise.launchers.srun import OPTIONS
from corewise.nouns.launch_plan import LaunchPlan
from corewise.nouns.placement import Placement

WHY_BINDER = (
    "corewise-bind sets the cores: srun's --cpu-bind=mask_cpu is the same for every node, a placement has a "
    "list for each."
)
WHICH_NODES = (
    "Node 0 of the placement is the first one of the allocation as `scontrol show hostnames` lists them."
)


def plan(placement: Placement, job: Job) -> LaunchPlan:
    """MPICH_RANK_REORDER_METHOD=3 srun -N 2 --ntasks-per-node=4 --distribution=block ...

    The binder uses slot numbers, because Cray MPICH renumbers the ranks later, in MPI_Init. Raises InputError
    if nodes have different numbers of ranks, or if the placement has no OS indices.
    """
    per_node = ranks_per_node(placement, "srun with a rank order")
    hosts_of_ranks(placement, job)
    env, order = rank_order(placement, job)
    alike, before_app, files = bound_alike(placement, job, slots(placement))
    argv = [
        *job.command.start,
        *job.command.options_without(()),
        "-N",
        str(placement.n_ranks // per_node),
        f"--ntasks-per-node={per_node}",
    ]
    argv += ["--distribution=block", *(["--overcommit"] if placement.oversubscribed else [])]
    binding = "none" if alike is None else "mask_cpu:" + ",".join(map(hex_mask, alike))
    argv += [f"--cpu-bind={binding}", "-n", str(placement.n_ranks), *before_app, *job.command.app]
    notes = [WHICH_NODES] if per_node < placement.n_ranks else []
    return LaunchPlan(argv, env, order | files, notes + ([WHY_BINDER] if alike is None else []))


LAUNCHER = Launcher(
    name="cray-mpich",
    sentence="Cray MPICH under Slurm: srun with MPICH_RANK_ORDER",
    families=("mpich",),
    options=OPTIONS,
    plan=plan,
    any_host="+n{node}",
    executables=("srun",),
    binding=Binding(
        variables={
            "MPICH_RANK_REORDER_METHOD": (r"3", "Cray MPICH, intro_mpi(3): ranks as MPICH_RANK_ORDER says")
        }
    ),
)
