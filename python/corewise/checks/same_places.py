"""same-places: OpenMP binds threads of several ranks to the same cores, because their masks overlap."""

from __future__ import annotations

import re
from collections.abc import Mapping

from corewise.checks.check import Check, Finding
from corewise.checks.corrected import own_cores, without_variables
from corewise.checks.situation import AskedCommand, Situation, StartedRank, ranks_text
from corewise.launchers.openmp import binds_threads
from corewise.observe.host_cpus import HostCpus
from corewise.text.quantities import index_text


def _look(situation: Situation, asked: AskedCommand) -> list[Finding]:
    nodes = enumerate(situation.nodes)
    found = (_on_host(asked, host, situation.seen_on(node)) for node, host in nodes)
    return [finding for finding in found if finding][:1]


def _on_host(asked: AskedCommand, host: HostCpus, ranks: list[StartedRank]) -> Finding | None:
    """Finds ranks whose threads are on the same cores while other cores of the host have none."""
    used: dict[StartedRank, frozenset[int]] = {}
    for rank in ranks:
        program = asked.program_of(rank.rank)
        if (kind := binds_threads(program.environment)) is not None:
            used[rank] = _cores_of_threads(host, rank, kind, program.n_threads, program.environment)
    busy = frozenset(core for cores in used.values() for core in cores)
    shared = [
        rank
        for rank, cores in used.items()
        if len(rank.os_pus) > 1 and any(cores & other for one, other in used.items() if one is not rank)
    ]
    idle = [core for core in host.cores_of(host.affinity) if core not in busy]
    if len(shared) < 2 or not idle:
        return None
    environment = asked.program_of(shared[0].rank).environment
    names = [name for name in ("OMP_PROC_BIND", "KMP_AFFINITY") if name in environment]
    piled = frozenset(core for rank in shared for core in used[rank])
    n_threads = max(asked.program_of(rank.rank).n_threads for rank in shared)
    room = max(len(host.cores_of(host.affinity)) // len(ranks), 1)
    return Finding(
        found=f"{', '.join(f'{name}={environment[name]}' for name in names)} binds the threads of "
        f"{ranks_text(shared)}, which share a mask, to the same cores ({index_text(piled)}, logical) of "
        f"{host.host}",
        why="OpenMP counts places from the beginning of a rank's mask, and every rank with that mask begins "
        "at the same core, while others idle",
        do="let the launcher give each rank its own cores, or leave threads unbound (OMP_PROC_BIND=false)",
        command=own_cores(asked, min(n_threads, room)),
        otherwise=(without_variables(asked, names, ["OMP_PROC_BIND=false"]),),
    )


def _cores_of_threads(
    host: HostCpus, rank: StartedRank, kind: str, n_threads: int, environment: Mapping[str, str]
) -> frozenset[int]:
    """The cores (logical) that a rank's threads are bound to (OpenMP 5.2, section 10.1.3).

    All cores of the mask if places have several cores, because threads move within their place.
    """
    cores = host.cores_of(rank.os_pus)
    places = environment.get("OMP_PLACES", "threads").strip().lower()
    if not re.match(r"threads|cores", places):
        return frozenset(cores)
    if places.startswith("threads"):
        by_thread = [core for core in cores for _ in set(host.cores[core]) & rank.os_pus]
    else:
        by_thread = cores
    n_places = len(by_thread)
    if kind in ("master", "primary") or n_places == 0:
        return frozenset(by_thread[:1])
    step = n_places / n_threads if kind == "spread" and n_threads < n_places else 1
    return frozenset(by_thread[int(i * step) % n_places] for i in range(min(n_threads, n_places)))


CHECK = Check(
    name="same-places",
    sentence="OMP_PROC_BIND piles the threads of ranks up that share a mask",
    source="kokkos#6180, ompi#7870; tried: GCC's libgomp 12 under Hydra 4.0.2; OpenMP 5.2, section 10.1.3",
    of_command=_look,
)
