"""one-core-for-threads: the threads of a rank share a core, though it could have one for each."""

from __future__ import annotations

from corewise.checks.check import Check, Finding
from corewise.checks.corrected import own_cores
from corewise.checks.situation import SeenRank, Situation, ranks_text
from corewise.execute.host_cpus import HostCpus


def _look(situation: Situation) -> list[Finding]:
    findings = []
    for node, host in enumerate(situation.nodes):
        ranks = situation.seen_on(node)
        n_cores = _cores_a_rank(situation, host, ranks)
        short = [rank for rank in ranks if len(host.cores_of(rank.os_pus)) < n_cores]
        if short:
            findings.append(_finding(situation, host, short, n_cores))
    return findings[:1]


def _cores_a_rank(situation: Situation, host: HostCpus, ranks: list[SeenRank]) -> int:
    """One for each thread, as far as the host has cores for all its ranks."""
    room = len(host.cores_of(host.affinity)) // len(ranks) if ranks else 0
    return min(situation.n_threads, room)


def _finding(situation: Situation, host: HostCpus, short: list[SeenRank], n_cores: int) -> Finding:
    has = len(host.cores_of(short[0].os_pus))
    return Finding(
        found=f"OMP_NUM_THREADS asks for {situation.n_threads} threads, and {ranks_text(short)} "
        f"{'are' if len(short) > 1 else 'is'} bound to {has} of {len(host.cores)} cores of {host.host}",
        why="threads on one core take turns, and a barrier among them waits for time slices",
        do="bind each rank to a core for each thread",
        command=own_cores(situation.asked, n_cores),
    )


CHECK = Check(
    name="one-core-for-threads",
    sentence="all threads of a rank are bound to its one core",
    source="ompi#12967, ompi#7806",
    look=_look,
)
