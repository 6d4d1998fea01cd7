"""Flux: a host file for the nodes, and a list of cores if it is the same for all. Exported, not run here.

Syntax: flux-run(1) (--taskmap=hostfile:FILE, --requires=host:HOSTLIST) and flux-shell-options(7)
(cpu-affinity=map:LIST with ';' between the tasks of a node, cpu-affinity=off) of flux-core, as of August
2026; the entries are lists of os_index in hwloc's notation.
"""

from __future__ import annotations

from collections import Counter

from corewise.errors import InputError
from corewise.launchers.allocation import flux
from corewise.launchers.launcher import Job, Launcher, hosts_of_ranks
from corewise.launchers.options import OptionTable
from corewise.launchers.per_node import bound_alike
from corewise.nouns.launch_plan import LaunchPlan
from corewise.nouns.placement import Placement
from corewise.text.quantities import index_text

WHY_BINDER = (
    "corewise-bind sets the cores: Flux's cpu-affinity=map is the same for every node, a placement has a "
    "list for each."
)


def plan(placement: Placement, job: Job) -> LaunchPlan:
    """flux run --taskmap=hostfile:FILE -o cpu-affinity=...: task i runs on the host in line i.

    Raises InputError if ranks share a core, because Flux gives each task a core, or without OS indices.
    """
    if placement.oversubscribed:
        raise InputError("ranks share a core; `flux run` gives each task its own core: expected no sharing")
    alike, before_app, files = bound_alike(placement, job)
    hosts = hosts_of_ranks(placement, job)
    argv = [*job.command.start, "-n", str(placement.n_ranks), "-N", str(len(set(hosts)))]
    argv += _cores(placement)
    if job.hosts_from != "nowhere":
        path = f"{job.directory}/hosts"
        files = {path: "".join(f"{host}\n" for host in hosts)} | files
        argv += [f"--requires=host:{','.join(dict.fromkeys(hosts))}", f"--taskmap=hostfile:{path}"]
    affinity = "off" if alike is None else "map:" + ";".join(map(index_text, alike))
    argv += ["-o", f"cpu-affinity={affinity}", *before_app, *job.command.app]
    return LaunchPlan(argv, {}, files, [WHY_BINDER] if alike is None else [])


def _cores(placement: Placement) -> list[str]:
    """`-c N`, because Flux by default allocates one core for each task (flux-run(1)).

    Flux allocates the first free cores. If the placement uses others, it needs whole nodes.
    """
    n_cores = max(map(len, placement.cores))
    ranks_on = Counter(placement.node)
    used = (
        (node, core) for node, cores in zip(placement.node, placement.cores, strict=True) for core in cores
    )
    if any(core >= ranks_on[node] * n_cores for node, core in used):
        return ["--exclusive"]
    return ["-c", str(n_cores)] if n_cores > 1 else []


LAUNCHER = Launcher(
    name="flux",
    sentence="Flux: flux run --taskmap=hostfile:FILE",
    families=("mpich", "openmpi"),
    options=OptionTable({}, subcommand="run"),
    plan=plan,
    allocations=(flux,),
    executables=("flux",),
)
