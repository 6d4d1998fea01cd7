"""MachineSummary: the sizes of a machine, its levels with what their links carry, and its devices."""

from __future__ import annotations

from typing import ClassVar

from msgspec import UNSET, UnsetType, field

from corewise.nouns.codec import Index, Noun, Number
from corewise.nouns.machine import Measured, TorusColumns


class LevelSummary(Measured, frozen=True, kw_only=True):
    """A level of `count` objects. `names` also has the levels merged into it, which have as many objects.

    Figures are None if the machine has none (a bare tree). `duplex` and `shares_bus` are derived from the
    loads: None if they are inconclusive, left out if nothing was measured.
    """

    LEFT_OUT: ClassVar[tuple[str, ...]] = (*Measured.LEFT_OUT, "duplex", "shares_bus")

    name: str
    names: list[str]
    count: Index
    distance: Index = 0
    latency_s: Number | None = None
    bandwidth_bytes_per_s: Number | None = None
    source: str = "none"
    assumed: bool = False
    duplex: bool | None | UnsetType = UNSET
    shares_bus: bool | None | UnsetType = UNSET


class DeviceSummary(Noun, frozen=True, kw_only=True):
    """A GPU or network card, and the nodes that have an equal one; `numa_domains` are OS indices."""

    nodes: list[Index]
    kind: str
    bus_id: str
    part: int
    n_parts: int
    names: list[str]
    fabric: str = field(name="network")
    attached_to: str
    numa_domains: list[Index]
    cores: list[Index]


class MachineSummary(Noun, frozen=True, kw_only=True):
    """What `corewise topo` finds; levels lowest first.

    `node_level` counts the levels within a node. `numa_nodes` is the number of NUMA nodes of the operating
    system, None if unknown.
    """

    FORMAT: ClassVar[str] = "corewise-topology"
    WRITTEN_BY: ClassVar[str] = "corewise topo --json"

    machine: str
    n_nodes: Index
    n_cores: Index
    n_pus: Index
    levels: list[LevelSummary]
    node_level: Index
    torus: TorusColumns | None
    numa_nodes: int | None
    fingerprint: str
    devices: list[DeviceSummary]
