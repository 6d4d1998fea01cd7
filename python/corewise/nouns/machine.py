"""A machine as part of other documents, so that they can be read on any host."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar

import numpy as np
from msgspec import Meta, structs

from corewise.files.table import MOST_DISTANCE, Table
from corewise.model import LinkFigures, Machine, NodeShape, Torus, make_machine
from corewise.nouns.codec import Index, Noun, Number, decoded
from corewise.nouns.link_figures import Figures

# For a network level: how many nodes, or switches of the level below, a switch connects. 0: all that are
# left. A list, one entry per switch, if they differ.
Children = Index | list[Index]


class ShapeColumns(Noun, frozen=True):
    """A node: `group`[level][core], lowest level first, and the OS indices `os_pus`[core]."""

    level_names: list[str]
    group: list[list[Index]]
    os_pus: list[list[Index]]

    @classmethod
    def of(cls, machine: Machine, node: int) -> ShapeColumns:
        """Node `node` of a machine with OS indices."""
        cores = machine.cores_on(node)
        levels = range(1, machine.node_level + 1)
        group = [machine.group_of_core(level)[cores.start : cores.stop] for level in levels]
        return cls(
            [machine.levels[level - 1].name for level in levels] or ["node"],
            [(of_core - of_core.min()).tolist() for of_core in group] or [[0] * len(cores)],
            [machine.os_pus(core) for core in cores],
        )

    @property
    def shape(self) -> NodeShape:
        """The node for the C++ core; raises InputError if columns contradict each other."""
        return NodeShape(self.level_names, self.group, self.os_pus)


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
    """A machine with OS indices: distinct node shapes, network, figures and distances by level.

    `shape_of_node` has indices into `shapes`. `node_order` lists the nodes from left to right in the tree,
    empty if that is 0, 1, 2, ...
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
        shapes, shape_of_node = node_shapes(machine)
        order = sorted(range(machine.n_nodes), key=machine.first_core)
        return cls(
            name=machine.name,
            shapes=shapes,
            shape_of_node=shape_of_node,
            node_order=[] if order == list(range(machine.n_nodes)) else order,
            network=[NetworkLevel(*level) for level in network_of(machine)],
            figures=[LevelFigures.of(level.link, level=level.name) for level in machine.levels],
            distances=[LevelDistance(level.name, level.distance) for level in machine.levels],
            torus=TorusColumns.of(machine.torus) if machine.torus else None,
        )

    def machine(self) -> Machine:
        """The machine, with the original's fingerprint; raises InputError if columns are inconsistent."""
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


def with_figures(machine: Machine, figures: Sequence[tuple[str, LinkFigures]]) -> Machine:
    """The same machine with other figures, each with the name of its level."""
    columns = MachineColumns.of(machine)
    levels = [LevelFigures.of(link, level=level) for level, link in figures]
    return structs.replace(columns, figures=levels).machine()


def node_shapes(machine: Machine) -> tuple[list[ShapeColumns], list[int]]:
    """The distinct node shapes, and the index of each node's shape; for machines with OS indices."""
    shapes: list[ShapeColumns] = []
    shape_of_node = []
    for node in range(machine.n_nodes):
        shape = ShapeColumns.of(machine, node)
        if shape not in shapes:
            shapes.append(shape)
        shape_of_node.append(shapes.index(shape))
    return shapes, shape_of_node


def network_of(machine: Machine) -> list[tuple[str, Children]]:
    """(name, children of its switches) of each network level, bottom-up."""
    return [
        (machine.levels[level - 1].name, children_of(_children_at(machine, level)))
        for level in range(machine.node_level + 1, machine.n_levels + 1)
    ]


def children_of(counts: Sequence[int]) -> Children:
    """One number if all switches have this number of children (the last may have fewer), else a list."""
    first, last = counts[0], counts[-1]
    alike = all(count == first for count in counts[:-1]) and last <= first
    return first if alike else list(counts)


def _children_at(machine: Machine, level: int) -> list[int]:
    """Children of each switch of a network level: nodes, or switches of the level below."""
    children_at = level - 1
    below = machine.node_of_core if children_at == machine.node_level else machine.group_of_core(children_at)
    pairs = np.unique(np.stack([machine.group_of_core(level), below]), axis=1)
    return [int(n) for n in np.bincount(pairs[0])]
