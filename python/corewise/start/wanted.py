"""Wanted: where the ranks of a run should be, and which devices they should see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from corewise.nouns.placement import Placement
from corewise.start.this_node import own_name

if TYPE_CHECKING:
    from corewise.model import Machine


@dataclass(frozen=True)
class Wanted:
    """Where ranks should run: `hosts[i]` is node i of the machine; without a placement, on any of them.

    If `machine` is None, the topology of the hosts is unknown. Hosts under a placement are then assumed to be
    like this one; without a placement, the threads' cores stay unknown. `devices[rank]` are the variables
    with which corewise makes only one GPU or network card visible, empty without. `environment` is the
    command's, and `gpus_asked` its requests for GPUs in words.
    """

    hosts: Sequence[str]
    placement: Placement | None = None
    machine: Machine | None = None
    devices: Sequence[Mapping[str, str]] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    gpus_asked: str = ""

    def host(self, rank: int) -> str | None:
        """The host that the rank should run on; None if nothing was asked for."""
        if self.placement is None or rank >= self.placement.n_ranks:
            return None
        return own_name(self.hosts[self.placement.node[rank]])

    def os_pus(self, rank: int) -> list[int] | None:
        """The hardware threads (os_index) that the rank should have; None if nothing was asked for."""
        if self.placement is None or self.placement.os_pus is None or rank >= self.placement.n_ranks:
            return None
        return self.placement.os_pus[rank]
