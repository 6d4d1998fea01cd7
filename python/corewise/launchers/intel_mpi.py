"""Intel MPI: a list of cores for each node's own part of the command. Exported, not run here.

Syntax: Developer Reference for Linux 2021, "Environment Variables for Process Pinning"
(I_MPI_PIN_PROCESSOR_LIST, and the example that gives each host its own list), "Interoperability with
OpenMP API" (I_MPI_PIN_DOMAIN=[m1,...,mn], domains that don't overlap) and "Machine File Options"
(-machinefile).
"""

from __future__ import annotations

from corewise.launchers.binding import Binding
from corewise.launchers.hydra import host_file
from corewise.launchers.launcher import Job, Launcher, host_of, inject, masks_of
from corewise.launchers.per_node import fills_in_order, hex_mask, ranks_by_node
from corewise.nouns.launch_plan import LaunchPlan
from corewise.nouns.placement import Placement

WHY_BINDER = (
    "corewise-bind sets the cores: Intel MPI's lists count the ranks of a node that follow each other and "
    "don't overlap; in this placement ranks {reason}."
)


def plan(placement: Placement, job: Job) -> LaunchPlan:
    """mpiexec.hydra -host n1 -env I_MPI_PIN_PROCESSOR_LIST=... : -host n2 ...: a part for each node.

    The binder replaces the lists if a node's ranks are not consecutive or share hardware threads. Raises
    InputError for a placement without OS indices.
    """
    masks = masks_of(placement)
    nodes = ranks_by_node(placement)
    if not fills_in_order(placement):
        return _with_binder(placement, job, "return to a node")
    if any(_overlap([masks[rank] for rank in ranks]) for ranks in nodes.values()):
        return _with_binder(placement, job, "share cores")
    before_app, files = inject(job)
    argv = [*job.command.start]
    for i, ranks in enumerate(nodes.values()):
        argv += [":"] if i else []
        host = host_of(placement, job, ranks[0])
        argv += [] if job.hosts_from == "nowhere" else ["-host", host]
        argv += ["-env", _pinning([masks[rank] for rank in ranks]), "-n", str(len(ranks))]
        argv += [*before_app, *job.command.app]
    return LaunchPlan(argv, {}, files)


def _pinning(masks: list[list[int]]) -> str:
    """The variable that pins the i-th rank of a node to the i-th mask."""
    if all(len(mask) == 1 for mask in masks):
        return "I_MPI_PIN_PROCESSOR_LIST=" + ",".join(str(mask[0]) for mask in masks)
    return "I_MPI_PIN_DOMAIN=[" + ",".join(hex_mask(mask).removeprefix("0x") for mask in masks) + "]"


def _overlap(masks: list[list[int]]) -> bool:
    pus = [pu for mask in masks for pu in mask]
    return len(set(pus)) < len(pus)


def _with_binder(placement: Placement, job: Job, reason: str) -> LaunchPlan:
    before_app, files = inject(job, masks_of(placement), binds=True)
    argv = [*job.command.start, "-genv", "I_MPI_PIN=off"]
    if job.hosts_from != "nowhere":
        path = f"{job.directory}/machines"
        files = {path: host_file(placement, job)} | files
        argv += ["-machinefile", path]
    argv += ["-n", str(placement.n_ranks), *before_app, *job.command.app]
    return LaunchPlan(argv, {}, files, [WHY_BINDER.format(reason=reason)])


_REFERENCE = "Intel MPI, Developer Reference, process pinning"

LAUNCHER = Launcher(
    name="intel-mpi",
    sentence="Intel MPI: mpiexec.hydra with a list of cores for each node",
    families=("mpich",),
    plan=plan,
    executables=("mpiexec.hydra",),
    binding=Binding(
        variables={
            "I_MPI_PIN_DOMAIN": (r"\[", _REFERENCE),
            "I_MPI_PIN_PROCESSOR_LIST": (r"\d", _REFERENCE),
        }
    ),
)
