"""Ranks or their threads share cores while other cores of their host are idle."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from corewise.checks.corrected import hydra_example, own_cores, without_variables
from corewise.checks.situation import AskedCommand, Finding, Situation, StartedRank, ranks_text
from corewise.launchers import placing_options
from corewise.launchers.openmp import binds_threads
from corewise.launchers.wrapper import binding_wrapper
from corewise.observe.host_cpus import HostCpus
from corewise.text.escaping import shell_text
from corewise.text.quantities import counted, index_text

_UNITS_ARE_SHARED = (
    "hardware threads of one core share its units, so that two ranks there are slower than on two cores; "
    "Open MPI counts cores, MPICH's and Slurm's lists and OMP_PLACES count hardware threads (os_index)"
)


@dataclass(frozen=True)
class Crowd:
    """Ranks on fewer cores (logical) of a host than there are ranks, and the host's idle cores."""

    host: HostCpus
    ranks: list[StartedRank]
    cores: list[int]
    idle: list[int]

    @property
    def who(self) -> str:
        """The ranks and where they are, for a sentence."""
        where = "core" if len(self.cores) == 1 else "cores"
        return (
            f"{ranks_text(self.ranks)} are all on {where} "
            f"{index_text(self.cores)} (logical) of {self.host.host}, "
            f"where {counted(len(self.idle), 'core')} idle{'s' * (len(self.idle) == 1)}"
        )

    @property
    def on_one_thread(self) -> bool:
        """Whether ranks share hardware threads, not only cores."""
        return len({pu for rank in self.ranks for pu in rank.os_pus}) < len(self.ranks)


def _crowds(situation: Situation) -> list[Crowd]:
    """The first crowd of each host; empty if every usable core has a rank."""
    on_hosts = (_crowd_on(host, situation.seen_on(node)) for node, host in enumerate(situation.nodes))
    return [crowd for crowd in on_hosts if crowd]


def _crowd_on(host: HostCpus, ranks: list[StartedRank]) -> Crowd | None:
    used = frozenset(pu for rank in ranks for pu in rank.os_pus)
    idle = [core for core in host.cores_of(host.affinity) if core not in host.cores_of(used)]
    if not idle:
        return None
    for cores in sorted(
        {tuple(host.cores_of(rank.os_pus)) for rank in ranks}, key=lambda own: (len(own), own)
    ):
        inside = [rank for rank in ranks if set(host.cores_of(rank.os_pus)) <= set(cores)]
        if len(inside) > len(cores):
            return Crowd(host, inside, list(cores), idle)
    return None


def same_places(situation: Situation, asked: AskedCommand) -> list[Finding]:
    """OpenMP binds the threads of ranks with one mask to the same cores."""
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


def shared_cores(situation: Situation, asked: AskedCommand) -> Iterator[Finding]:
    """Ranks share hardware threads."""
    for crowd in _crowds(situation):
        if crowd.on_one_thread:
            yield Finding(
                found=f"{crowd.who}{_cause(asked)}",
                why="ranks on one core take turns, and each waits for the others",
                do="let the launcher give each rank its own core",
                command=own_cores(asked),
            )


def _cause(asked: AskedCommand) -> str:
    application = asked.application
    wrappers = [binding_wrapper(program.app) for program in application.command.programs]
    if wrapper := next(filter(None, wrappers), None):
        alike = "every rank alike" if len(wrappers) == 1 else "ranks"
        return f": '{shell_text(wrapper)}' binds {alike}"
    options = placing_options(application.command, application.launcher.options)
    return f": so '{' '.join(options[0].tokens)}' binds them" if options else ""


def ranks_on_one_core(situation: Situation, asked: AskedCommand) -> Iterator[Finding]:
    """Ranks are on different hardware threads of one core."""
    for crowd in _crowds(situation):
        if not crowd.on_one_thread:
            yield Finding(
                found=f"{crowd.who}: they have different hardware threads of it",
                why=_UNITS_ARE_SHARED,
                do="let the launcher count cores",
                command=own_cores(asked),
            )


def smt_host(situation: Situation) -> Iterator[Finding]:
    """The host has several hardware threads per core."""
    here = situation.here
    shared = [core for core in here.cores if len(set(core) & here.affinity) > 1]
    if not shared:
        return
    yield Finding(
        found=f"{len(shared)} of {len(here.cores)} cores have several hardware threads: "
        f"{index_text(shared[0])} (os_index) are one core",
        why=_UNITS_ARE_SHARED,
        do="name one hardware thread of each core, as below, or let the launcher count cores",
        command=hydra_example(here.first_threads(here.affinity)),
    )
