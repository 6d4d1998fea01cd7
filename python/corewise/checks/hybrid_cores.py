"""hybrid-cores: ranks on fast and slow cores wait for each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from corewise.checks.check import Check, Finding
from corewise.checks.corrected import hydra_example, on_threads
from corewise.checks.situation import AskedCommand, Situation, StartedRank, ranks_text
from corewise.observe.host_cpus import HostCpus
from corewise.text.quantities import index_text

_WHY = "ranks of a bulk-synchronous program wait for the slowest of them in each step"


def _look(situation: Situation, asked: AskedCommand) -> Iterator[Finding]:
    for node, host in enumerate(situation.nodes):
        yield from _of_ranks(asked, situation.seen_on(node), host)


def _kinds_in(host: HostCpus, os_pus: frozenset[int]) -> int:
    return sum(bool(os_pus & pus) for _, pus in host.core_kinds)


def _fast_threads(host: HostCpus) -> list[int]:
    return host.first_threads(host.core_kinds[-1][1] & host.affinity)


def _on_host(situation: Situation) -> Iterator[Finding]:
    host = situation.here
    if _kinds_in(host, host.affinity) < 2:
        return
    kinds = "; ".join(f"{name}: {index_text(pus)}" for name, pus in host.core_kinds)
    yield Finding(
        found=f"the cores are of several kinds, slowest first (os_index): {kinds}",
        why=_WHY,
        do="use the fast cores alone, or let the program share out its work unevenly",
        command=hydra_example(_fast_threads(host)),
    )


def _of_ranks(asked: AskedCommand, ranks: Sequence[StartedRank], host: HostCpus) -> Iterator[Finding]:
    used = frozenset(pu for rank in ranks for pu in rank.os_pus)
    if _kinds_in(host, used) < 2 or len(ranks) > len(_fast_threads(host)):
        return  # more ranks than fast cores, so slow cores are needed
    slow = [rank for rank in ranks if rank.os_pus - host.core_kinds[-1][1]]
    fast = _fast_threads(host)[: len(ranks)]
    yield Finding(
        found=f"{ranks_text(slow)} may run on slower cores of {host.host}, which has "
        f"{len(_fast_threads(host))} fast ones for {len(ranks)} ranks",
        why=_WHY,
        do="name the fast cores",
        command=on_threads(asked, host, fast),
    )


CHECK = Check(
    name="hybrid-cores",
    sentence="ranks are on performance and on efficiency cores, though the fast ones would do",
    source="ompi#11345, likwid#114",
    of_command=_look,
    of_host=_on_host,
)
