"""HPE's PALS: one list of cores for all nodes. Exported, not run here.

Syntax: mpiexec(1) of PALS, as quoted in the user guide of ALCF's Aurora and Polaris ("Running Jobs": --np,
--ppn, --hostfile, --cpu-bind list:0:1 with a colon between the ranks of a node, commas and ranges within one,
--cpu-bind none).
"""

from __future__ import annotations

from corewise.launchers.launcher import Job, Launcher, host_of
from corewise.launchers.per_node import bound_alike, rank_order, ranks_by_node, ranks_per_node, slots
from corewise.nouns.launch_plan import LaunchPlan
from corewise.nouns.placement import Placement
from corewise.text.quantities import index_text

WHY_BINDER = (
    "corewise-bind sets the cores: PALS's --cpu-bind list is the same for every node, a placement has one "
    "for each."
)
RANK_ORDER = (
    "PALS fills node after node; MPICH_RANK_REORDER_FILE gives the ranks to the nodes, which Cray MPICH "
    "reads and other MPIs don't."
)


def plan(placement: Placement, job: Job) -> LaunchPlan:
    """mpiexec -n 8 --ppn 4 --cpu-bind list:0:1:2:3 ...: ranks go to the hosts in blocks.

    Raises InputError if nodes have different numbers of ranks, and for a placement without OS indices.
    """
    per_node = ranks_per_node(placement, "PALS")
    alike, before_app, files = bound_alike(placement, job, slots(placement))
    hosts = [host_of(placement, job, ranks[0]) for ranks in ranks_by_node(placement).values()]
    env, order = rank_order(placement, job)
    argv = [*job.command.start, "-n", str(placement.n_ranks), "--ppn", str(per_node)]
    if job.hosts_from == "user":
        path = f"{job.directory}/hosts"
        argv, files = [*argv, "--hostfile", path], {path: "".join(f"{host}\n" for host in hosts)} | files
    argv += ["--cpu-bind", "none" if alike is None else "list:" + ":".join(map(index_text, alike))]
    notes = ([RANK_ORDER] if env else []) + ([WHY_BINDER] if alike is None else [])
    return LaunchPlan([*argv, *before_app, *job.command.app], env, order | files, notes)


LAUNCHER = Launcher(
    name="pals",
    sentence="HPE's PALS: mpiexec --cpu-bind list",
    families=("mpich",),
    plan=plan,
    any_host="+n{node}",
    executables=("mpiexec",),
)
