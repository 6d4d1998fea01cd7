"""A machine as part of other documents, so that they can be read on any host."""

from __future__ import annotations

import copyreg
import re
from collections.abc import Sequence
from itertools import dropwhile, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from msgspec import Meta, structs

from corewise.errors import InputError
from corewise.files.table import MOST_DISTANCE, MOST_INDEX, Table
from corewise.model import Device, LinkFigures, Machine, NodeShape, Torus, make_machine, make_tree_machine
from corewise.nouns.codec import Count, FieldError, Index, Noun, Number, decoded

if TYPE_CHECKING:
    from typing_extensions import Self


# JSON numbers are doubles, which represent larger integers inexactly.
Size = Annotated[int, Meta(ge=0, le=2**53)]


class Measured(Noun, frozen=True, kw_only=True):
    """What was measured in addition to latency and bandwidth; figures that were not measured are left out.

    Bounds are low and high. A point of the `curve` is a message size in bytes, its time, and the bounds of
    the time, in s. An entry of `loads` is a number of pairs of cores, the number of links that they share,
    the directions used at the same time (1 or 2), and the bytes/s of all pairs together with their bounds.
    """

    LEFT_OUT: ClassVar[tuple[str, ...]] = (
        "latency_bounds_s",
        "bandwidth_bounds_bytes_per_s",
        "eager_bytes",
        "rdma",
        "tcp",
        "curve",
        "loads",
    )

    latency_bounds_s: tuple[Number, Number] | None = None
    bandwidth_bounds_bytes_per_s: tuple[Number, Number] | None = None
    eager_bytes: Size | None = None
    rdma: bool = False
    tcp: bool = False
    curve: list[tuple[Size, Number, Number, Number]] = []
    loads: list[tuple[Count, Count, Literal[1, 2], Number, Number, Number]] = []

    @classmethod
    def of(cls, link: LinkFigures, **others: Any) -> Self:
        """The figures of `link`; `others` add or replace fields."""
        loads = [
            (pairs, links, 2 if both_ways else 1, *rates) for pairs, links, both_ways, *rates in link.loads
        ]
        found = {name: getattr(link, name) for name in cls.__struct_fields__ if hasattr(link, name)}
        return cls(**found | {"loads": loads} | others)

    def __post_init__(self) -> None:
        """Raises FieldError for a load of more links than pairs."""
        for i, load in enumerate(self.loads):
            if load[1] > load[0]:
                raise FieldError(f"loads[{i}]", list(load), "pairs first, then links, no more than pairs")


class Figures(Measured, frozen=True, kw_only=True):
    """Latency and bandwidth of links, where they come from, and what was measured."""

    source: str
    latency_s: Number
    bandwidth_bytes_per_s: Number

    def link(self, assumed: bool = False) -> LinkFigures:
        """The figures; `assumed` is noted in their source.

        make_machine() checks that the numbers are consistent.
        """
        return LinkFigures(
            self.latency_s,
            self.bandwidth_bytes_per_s,
            f"assumed: {self.source}" if assumed else self.source,
            latency_bounds_s=self.latency_bounds_s,
            bandwidth_bounds_bytes_per_s=self.bandwidth_bounds_bytes_per_s,
            eager_bytes=self.eager_bytes,
            curve=self.curve,
            loads=[(load[0], load[1], load[2] == 2, *load[3:]) for load in self.loads],
            rdma=self.rdma,
            tcp=self.tcp,
        )


# For a network level: how many nodes, or switches of the level below, a switch connects. 0: all that are
# left. A list, one entry per switch, if they differ.
Children = Index | list[Index]


class NodeDevice(Noun, frozen=True):
    """A GPU or network card of a node; core/include/corewise/device.hpp explains the fields."""

    kind: Literal["gpu", "nic"]
    bus_id: str
    vendor_id: Annotated[int, Meta(ge=0, le=2**16 - 1)]
    names: list[str]
    part: Index
    n_parts: Count
    driver_number: Annotated[int, Meta(ge=-1, le=MOST_INDEX)]
    uuid: str
    fabric: str
    fabric_name: str
    fabric_port: Index
    is_up: bool
    attached_to: str
    numa_domains: list[Index]
    cores: list[Index]


class ShapeColumns(Noun, frozen=True):
    """A node: `group`[level][core], lowest level first, and the OS indices `os_pus`[core].

    `n_objects`[level] is the number of objects of that kind, if groups lack one; `n_memory_nodes` the number
    of NUMA nodes of the operating system, 0 if unknown.
    """

    LEFT_OUT: ClassVar[tuple[str, ...]] = ("devices", "n_objects", "n_memory_nodes")

    level_names: list[str]
    group: list[list[Index]]
    os_pus: list[list[Index]]
    devices: list[NodeDevice] = []
    n_objects: list[Index] = []
    n_memory_nodes: Index = 0

    @classmethod
    def of(cls, shape: NodeShape) -> ShapeColumns:
        """The columns of a node of the C++ core."""
        columns = {name: getattr(shape, name) for name in cls.__struct_fields__}
        devices = [
            NodeDevice(*(getattr(device, name) for name in NodeDevice.__struct_fields__))
            for device in shape.devices
        ]
        return cls(**columns | {"devices": devices})

    @property
    def shape(self) -> NodeShape:
        """The node for the C++ core; raises InputError if columns contradict each other."""
        devices = [Device(*structs.astuple(device)) for device in self.devices]
        return NodeShape(
            self.level_names, self.group, self.os_pus, devices, self.n_objects, self.n_memory_nodes
        )


class NetworkLevel(Noun, frozen=True):
    """A level of switches."""

    name: str
    children_per_group: Children


class LevelFigures(Figures, frozen=True, kw_only=True):
    """The figures of the links of a level."""

    level: str


class LevelDistance(Noun, frozen=True):
    """The distance of two cores that meet at a level."""

    level: str
    distance: Annotated[int, Meta(ge=0, le=MOST_DISTANCE)]


class TorusColumns(Noun, frozen=True):
    """A torus: the number of points along each axis, the point of each node, and the figures of its links."""

    sizes: list[Index]
    point_of_node: list[Index]
    bandwidth_bytes_per_s: Number
    hop_latency_s: Number
    source: str

    @classmethod
    def of(cls, torus: Torus) -> TorusColumns:
        return cls(*(getattr(torus, name) for name in cls.__struct_fields__))

    def torus(self, assumed: bool = False) -> Torus:
        """The torus; `assumed` figures say so in their source."""
        source = f"assumed: {self.source}" if assumed else self.source
        return Torus(self.sizes, self.point_of_node, self.bandwidth_bytes_per_s, self.hop_latency_s, source)


class MachineColumns(Noun, frozen=True, kw_only=True):
    """A machine: node shapes, network, figures and distances by level.

    `shape_of_node` has indices into `shapes`. `node_order` lists the nodes from left to right in the tree,
    empty if that is 0, 1, 2, ... A bare tree has no shapes; its name is its whole definition.
    """

    LEFT_OUT: ClassVar[tuple[str, ...]] = ("node_order", "torus")

    name: str
    shapes: list[ShapeColumns]
    shape_of_node: list[Index]
    node_order: list[Index] = []
    network: list[NetworkLevel]
    figures: list[LevelFigures]
    distances: list[LevelDistance]
    torus: TorusColumns | None = None

    @classmethod
    def of(cls, machine: Machine) -> MachineColumns:
        order = sorted(range(machine.n_nodes), key=machine.first_core)
        return cls(
            name=machine.name,
            shapes=[ShapeColumns.of(shape) for shape in machine.shapes],
            shape_of_node=machine.shape_of_node,
            node_order=[] if order == list(range(machine.n_nodes)) else order,
            network=[NetworkLevel(*level) for level in network_of(machine)] if machine.shapes else [],
            figures=[LevelFigures.of(level.link, level=level.name) for level in machine.levels],
            distances=[LevelDistance(level.name, level.distance) for level in machine.levels],
            torus=TorusColumns.of(machine.torus) if machine.torus else None,
        )

    def machine(self) -> Machine:
        """The machine, with the original's fingerprint; raises InputError if columns are inconsistent."""
        if not self.shapes and self.name.startswith("tree:"):
            return tree_machine(self.name)
        return make_machine(
            self.name,
            [columns.shape for columns in self.shapes],
            self.shape_of_node,
            [(level.name, level.children_per_group) for level in self.network],
            [(level.level, level.link()) for level in self.figures],
            [(level.level, level.distance) for level in self.distances],
            self.node_order,
            self.torus.torus() if self.torus else None,
        )


def machine_of(table: Table) -> Machine:
    """The machine in a table with the keys of MachineColumns; raises InputError naming the wrong key."""
    columns = decoded(MachineColumns, table)
    with table.building("shapes"):
        return columns.machine()


def tree_machine(spec: str) -> Machine:
    """The bare tree `tree:ARITIES@DISTANCES`, both bottom-up; its name is the spec. Raises InputError."""
    arities, at, distances = spec.removeprefix("tree:").partition("@")
    try:
        return make_tree_machine(
            _whole_numbers(arities, "children an object", 2**31),
            _whole_numbers(distances, "distance", 2**32) if at else [],
        )
    except InputError as error:
        raise InputError(f"machine '{spec}': {error}") from error


def _whole_numbers(text: str, what: str, limit: int) -> list[int]:
    numbers = []
    for word in text.split(":"):
        if not re.fullmatch(r"-?\d+", word, re.ASCII) or not 0 < int(word) < limit:
            raise InputError(
                f"'{word}' as {what}; expected a whole number from 1, as in tree:4:8:32@1:10:100"
            )
        numbers.append(int(word))
    return numbers


def with_figures(machine: Machine, figures: Sequence[tuple[str, LinkFigures]]) -> Machine:
    """The same machine with other figures, each with the name of its level."""
    columns = MachineColumns.of(machine)
    levels = [LevelFigures.of(link, level=level) for level, link in figures]
    return structs.replace(columns, figures=levels).machine()


def network_of(machine: Machine) -> list[tuple[str, Children]]:
    """(name, children of its switches) of each network level, bottom-up; for machines with OS indices."""
    node = machine.shapes[0].level_names[-1]
    above = list(dropwhile(lambda kind: kind.name != node, machine.objects))
    return [
        (kind.name, children_of(_children(machine, kind.level, below.level)))
        for below, kind in pairwise(above)
    ]


def children_of(counts: Sequence[int]) -> Children:
    """One number if all switches have this number of children (the last may have fewer), else a list."""
    first, last = counts[0], counts[-1]
    alike = all(count == first for count in counts[:-1]) and last <= first
    return first if alike else list(counts)


def _children(machine: Machine, level: int, below: int) -> list[int]:
    """Children of each switch: groups of the level `below`, which may be the same level (merged)."""
    import numpy as np  # slow to load, and the tracer needs it not

    pairs = np.unique(np.stack([machine.group_of_core(level), machine.group_of_core(below)]), axis=1)
    return [int(n) for n in np.bincount(pairs[0])]


def _unpickled(document: dict[str, Any]) -> Machine:
    return machine_of(Table(Path(), "", document))


copyreg.pickle(Machine, lambda machine: (_unpickled, (MachineColumns.of(machine).to_json(),)))
