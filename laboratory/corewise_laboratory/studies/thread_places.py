"""Computes the places of all threads on a node for a thread policy and a process binding."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import corewise
from corewise import Machine
from corewise.plugin.placing import binding_file, bound_objects

from corewise_laboratory.studies.thread_plan import PlannedThread, ThreadPlan, thread_plan


@dataclass(frozen=True)
class ThreadPlaces:
    """The threads on a node, with one process for each object of the binding.

    A pinned thread has exactly one core.
    * `shared_cores` have several pinned threads, and `most_on_a_core` is the greatest number of these.
      `sharing` describes the first such core.
    * `idle_cores`: no thread may run there.
    * `outside`: threads that may run outside their process's cores.
    * `narrowed`: threads whose mask is not that of their process.
    * `mixed_cores`: workers share them with other roles of the same process.
    * `doubled_cores`: a thread may use several of their hardware threads.
    * `helper_domains`: the greatest number of NUMA domains with pinned helpers of one process.
    * `adjacent`: whether in every process, each role has consecutive cores (in tree order, cyclic) and no
      core has two roles; None if some threads are not pinned.
    * `near_card`: processes with a core in the smallest object around the network card; `at_card`: those
      whose comm_servers are pinned there. `card_distance`: numbers of comm_servers by the smallest object
      that contains the card and all their cores.
    """

    machine: str
    binding: str
    policy: str
    n_processes: int
    n_threads: int
    n_pinned: int
    shared_cores: int
    most_on_a_core: int
    sharing: str
    idle_cores: int
    outside: int
    narrowed: int
    mixed_cores: int
    doubled_cores: int
    helper_domains: int
    adjacent: bool | None
    at_card: int
    near_card: int
    card_distance: dict[str, int]


def bindings_of(machine: Machine, wanted: list[str]) -> dict[str, str | None]:
    """For each wanted binding, an earlier one with the same cores on this machine, else None."""
    seen: dict[str, str | None] = {}
    for binding in wanted:
        objects = bound_objects(machine, binding)
        same = [name for name in seen if bound_objects(machine, name) == objects]
        seen[binding] = same[0] if same else None
    return seen


def thread_places(xml_path: Path, binding: str, policy: str) -> ThreadPlaces:
    """Plans the threads of every process on the node; raises InputError for an invalid topology or policy."""
    machine = corewise.machine(str(xml_path))
    masks = [frozenset(pus) for pus in binding_file(machine, binding).os_pus or []]
    plans = [thread_plan(policy, xml_path, mask) for mask in masks]
    core_of_pu = {pu: core for core in range(machine.n_cores) for pu in machine.os_pus(core)}
    threads = [(process, thread) for process, plan in enumerate(plans) for thread in plan.threads]
    on_core: dict[int, list[str]] = {}
    for process, thread in threads:
        if thread.core is not None:
            on_core.setdefault(thread.core, []).append(f"{thread.role} {thread.index} of process {process}")
    shared = {core: names for core, names in sorted(on_core.items()) if len(names) > 1}
    reachable = {core_of_pu[pu] for _, thread in threads for pu in thread.os_pus}
    card = thread_plan(policy, xml_path).card
    card_pus = card.os_pus if card else frozenset()
    servers = [server for plan in plans for server in plan.role("comm_server")]
    return ThreadPlaces(
        machine=xml_path.stem,
        binding=binding,
        policy=policy,
        n_processes=len(plans),
        n_threads=len(threads),
        n_pinned=sum(thread.core is not None for _, thread in threads),
        shared_cores=len(shared),
        most_on_a_core=max(map(len, on_core.values()), default=0),
        sharing=_sharing(shared),
        idle_cores=machine.n_cores - len(reachable),
        outside=sum(not thread.os_pus <= masks[process] for process, thread in threads),
        narrowed=sum(thread.os_pus != masks[process] for process, thread in threads),
        mixed_cores=sum(_mixed_cores(plan) for plan in plans),
        doubled_cores=_doubled_cores(threads, core_of_pu),
        helper_domains=max(_n_domains(plan.role("helper")) for plan in plans),
        adjacent=_adjacent(plans),
        at_card=sum(_at_card(plan, card_pus) for plan in plans),
        near_card=sum(bool(mask & card_pus) for mask in masks),
        card_distance=dict(Counter(_meeting(machine, server.os_pus | card_pus) for server in servers)),
    )


def _sharing(shared: dict[int, list[str]]) -> str:
    for core, names in shared.items():
        more = f" and {len(names) - 3} more" if len(names) > 3 else ""
        return f"core {core}: {', '.join(names[:3])}{more}"
    return ""


def _roles_of_core(plan: ThreadPlan) -> dict[int, set[str]]:
    roles: dict[int, set[str]] = {}
    for thread in plan.threads:
        if thread.core is not None:
            roles.setdefault(thread.core, set()).add(thread.role)
    return roles


def _mixed_cores(plan: ThreadPlan) -> int:
    return sum("worker" in roles and len(roles) > 1 for roles in _roles_of_core(plan).values())


def _doubled_cores(threads: list[tuple[int, PlannedThread]], core_of_pu: dict[int, int]) -> int:
    doubled: set[int] = set()
    for pus in {thread.os_pus for _, thread in threads}:
        doubled |= {core for core, n in Counter(core_of_pu[pu] for pu in pus).items() if n > 1}
    return len(doubled)


def _n_domains(threads: list[PlannedThread]) -> int:
    return len({thread.numa for thread in threads if thread.numa is not None and thread.core is not None})


def _adjacent(plans: list[ThreadPlan]) -> bool | None:
    if any(thread.core is None for plan in plans for thread in plan.threads):
        return None
    return all(_in_one_piece(_roles_of_core(plan)) for plan in plans)


def _in_one_piece(roles_of_core: dict[int, set[str]]) -> bool:
    """Whether each role's cores are consecutive: then, the cycle has as many changes as roles."""
    walked = [roles_of_core[core] for core in sorted(roles_of_core)]
    if any(len(roles) > 1 for roles in walked):
        return False
    changes = sum(walked[at] != walked[at - 1] for at in range(len(walked)))
    n_roles = len(set.union(*walked))
    return changes == (n_roles if n_roles > 1 else 0)


def _meeting(machine: Machine, os_pus: frozenset[int]) -> str:
    """The smallest object that contains these hardware threads."""
    for binding, name in (("numa", "NUMA domain"), ("socket", "package")):
        for cores in bound_objects(machine, binding):
            if os_pus <= {pu for core in cores for pu in machine.os_pus(core)}:
                return name
    return "machine"


def _at_card(plan: ThreadPlan, card_pus: frozenset[int]) -> bool:
    servers = plan.role("comm_server")
    return bool(servers) and all(server.core is not None and server.os_pus <= card_pus for server in servers)
