"""Fewer slots than ranks, so that the launcher refuses to start the command."""

from __future__ import annotations

import re

from corewise.checks.corrected import as_typed, with_option, with_ranks
from corewise.checks.situation import AskedCommand, Finding, Situation
from corewise.launchers.allocation import task_counts
from corewise.launchers.hosts import Host, distinct
from corewise.text.quantities import counted


def too_few_slots(situation: Situation, asked: AskedCommand) -> list[Finding]:
    """The launcher refuses a command because it has fewer slots than ranks."""
    if asked.seen or not asked.exit_code:
        return []
    launcher = asked.application.launcher
    said = launcher.too_few_slots and re.search(launcher.too_few_slots, asked.printed)
    if not said:
        return []
    return [_of_step(asked, said[0]) if launcher.allocated_by else _of_mpirun(asked)]


def _of_step(asked: AskedCommand, said: str) -> Finding:
    """A step that needs more nodes or CPUs than its allocation has."""
    application = asked.application
    n_ranks, n_nodes = application.n_ranks, len(application.hosts)
    around = asked.programs[0].environment
    per_task = _number_of(asked, {"c", "cpus-per-task"}) or 1
    cpus = task_counts(around.get("SLURM_JOB_CPUS_PER_NODE", "")) or [
        host.n_slots or 1 for host in application.hosts
    ]
    options = ["-n", str(n_ranks or "N"), *(["-c", str(per_task)] if per_task > 1 else [])]
    fits = sum(n_cpus // per_task for n_cpus in cpus)
    if said.startswith("Only"):
        options = ["-N", str(_number_of(asked, {"N", "nodes"}) or "N"), *options]
        fewer: str | None = with_option(asked, {"N", "nodes"}, ["-N", str(n_nodes)])
    else:
        changed = with_ranks(asked, fits) if fits else None
        fewer = as_typed(changed) if changed else None
    return Finding(
        found=f"{application.launcher.name} ends with '{said}': the allocation has "
        f"{counted(sum(cpus), 'CPU')} on {counted(n_nodes, 'node')}, and the command asks for "
        f"{n_ranks or 'more'} tasks of {counted(per_task, 'CPU')} each",
        why="a step gets what its allocation has, and no more",
        do=f"start what fits, or ask for more: {application.launcher.allocated_by} {' '.join(options)}",
        command=fewer,
    )


def _of_mpirun(asked: AskedCommand) -> Finding:
    hosts, n_ranks = asked.application.hosts, asked.application.n_ranks
    known = asked.application.hosts_from != "nowhere"
    slots = counted(sum(host.n_slots or 1 for host in hosts), "slot") if known else "too few slots"
    source, do = _who_says(asked, n_ranks)
    return Finding(
        found=f"mpirun has {slots} for {n_ranks or 'more'} ranks: {source}",
        why="it starts one rank for each slot, and refuses a command with more ranks",
        do=do,
        command=_with_slots(asked, n_ranks),
        otherwise=(_oversubscribed(asked),),
    )


def _number_of(asked: AskedCommand, names: set[str]) -> int | None:
    """The number in the last of these options; None without one."""
    given = asked.application.command.values(names)
    return int(given[-1][-1]) if given and given[-1][-1].isdecimal() else None


def _who_says(asked: AskedCommand, n_ranks: int | None) -> tuple[str, str]:
    """Where the slots come from, and what to do about them."""
    application = asked.application
    if application.hosts_from == "command":
        named = application.launcher.named_hosts(application.command)[0]
        if named.path is None:
            return f"'{named.origin}' gives a host one slot unless it says more", "give the host its slots"
        return (
            f"'{named.origin}' says so",
            f"write the number of ranks of each host in {named.path} (slots=...)",
        )
    if application.hosts_from == "allocation":
        tasks = asked.programs[0].environment.get("SLURM_TASKS_PER_NODE")
        per_task = asked.programs[0].environment.get("SLURM_CPUS_PER_TASK")
        if tasks is None:
            return "the batch system says so", "ask the batch system for as many tasks as ranks"
        cpus = (
            f" (SLURM_CPUS_PER_TASK={per_task} gives a task more CPUs, and no more slots)" if per_task else ""
        )
        return (
            f"SLURM_TASKS_PER_NODE={tasks}{cpus}",
            f"ask for a task for each rank: salloc -n {n_ranks or 'N'}",
        )
    lists = application.command.values({"cpu-list", "cpu-set"})
    of = f" that '{lists[0][0]}' names" if lists else ""
    return f"one for each core of this host{of}", "start as many ranks as it has cores, or let them share"


def _with_slots(asked: AskedCommand, n_ranks: int | None) -> str | None:
    """The command with enough slots for its ranks in the list of hosts; None if it has no list."""
    launcher = asked.application.launcher
    if n_ranks is None or not asked.application.command.values(launcher.options.host_list):
        return None
    hosts: list[Host] = distinct(asked.host_lines)
    shares = [n_ranks // len(hosts) + (i < n_ranks % len(hosts)) for i in range(len(hosts))]
    named = ",".join(f"{host.name}:{max(share, 1)}" for host, share in zip(hosts, shares, strict=True))
    return with_option(asked, launcher.options.host_list, [launcher.hosts_option, named])


def _oversubscribed(asked: AskedCommand) -> str:
    """The command with :OVERSUBSCRIBE added to its mapping."""
    mapping = asked.application.command.values({"map-by", "mapby"})
    policy = mapping[-1][0] if mapping else "slot"
    return with_option(asked, {"map-by", "mapby"}, ["--map-by", f"{policy}:OVERSUBSCRIBE"])
