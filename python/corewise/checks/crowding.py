"""Finds ranks that share cores while other cores of the host are idle, for several checks."""

from __future__ import annotations

from dataclasses import dataclass

from corewise.checks.situation import Situation, StartedRank, ranks_text
from corewise.observe.host_cpus import HostCpus
from corewise.text.quantities import counted, index_text


@dataclass(frozen=True)
class CrowdedCores:
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


def crowds(situation: Situation) -> list[CrowdedCores]:
    """The first crowd of each host; empty if every usable core has a rank."""
    return [
        crowd
        for node, host in enumerate(situation.nodes)
        if (crowd := _crowd_on(host, situation.seen_on(node)))
    ]


def _crowd_on(host: HostCpus, ranks: list[StartedRank]) -> CrowdedCores | None:
    used = frozenset(pu for rank in ranks for pu in rank.os_pus)
    idle = [core for core in host.cores_of(host.affinity) if core not in host.cores_of(used)]
    if not idle:
        return None
    for cores in sorted(
        {tuple(host.cores_of(rank.os_pus)) for rank in ranks}, key=lambda own: (len(own), own)
    ):
        inside = [rank for rank in ranks if set(host.cores_of(rank.os_pus)) <= set(cores)]
        if len(inside) > len(cores):
            return CrowdedCores(host, inside, list(cores), idle)
    return None
