"""A whole machine as a JSON document, so that a report can be drawn again where that machine is not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from corewise.files.link_figures import figures_from_table, figures_to_json
from corewise.files.table import MOST_DISTANCE, Table
from corewise.files.torus import torus_from_table, torus_to_json
from corewise.model import Machine, NodeShape, make_machine

# Of a network level: how many nodes, or switches of the level below, a switch joins (0: all that are left);
# a list where they differ, switch by switch.
Children = int | list[int]


def machine_to_json(machine: Machine) -> dict[str, Any]:
    """Name, node shapes (equal ones once), network, figures, distances; for machines with OS indices.

    And `node_order`, the nodes from left to right in the tree, where that is not 0, 1, 2, ...
    """
    shapes, shape_of_node = node_shapes_to_json(machine)
    order = sorted(range(machine.n_nodes), key=machine.first_core)
    return {
        "name": machine.name,
        "shapes": shapes,
        "shape_of_node": shape_of_node,
        **({} if order == list(range(machine.n_nodes)) else {"node_order": order}),
        "network": [{"name": name, "children_per_group": children} for name, children in network_of(machine)],
        "figures": [{"level": level.name} | figures_to_json(level.link) for level in machine.levels],
        "distances": [{"level": level.name, "distance": level.distance} for level in machine.levels],
    } | ({"torus": torus_to_json(machine.torus)} if machine.torus else {})


def machine_from_table(table: Table) -> Machine:
    """The machine again; its fingerprint is that of the one written. Raises InputError for an unsound one."""
    shapes = node_shapes_from(table)
    figures = [(level.get("level", str), figures_from_table(level)) for level in table.tables("figures")]
    network = [
        (level.get("name", str), children_from(level, "children_per_group"))
        for level in table.tables("network")
    ]
    distances = [
        (level.get("level", str), level.whole("distance", most=MOST_DISTANCE))
        for level in table.tables("distances")
    ]
    shape_of_node = table.whole_numbers("shape_of_node")
    order = table.whole_numbers("node_order") if table.holds("node_order") else []
    torus = torus_from_table(table.table("torus"), len(shape_of_node)) if table.holds("torus") else None
    with table.building("shapes"):
        name = table.get("name", str)
        return make_machine(name, shapes, shape_of_node, network, figures, distances, order, torus)


def node_shapes_from(table: Table) -> list[NodeShape]:
    """The list of tables at `shapes`, each as node_shapes_to_json() writes it; raises InputError."""
    return [
        NodeShape(
            shape.texts("level_names"), shape.whole_number_lists("group"), shape.whole_number_lists("os_pus")
        )
        for shape in table.tables("shapes")
    ]


def node_shapes_to_json(machine: Machine) -> tuple[list[dict[str, Any]], list[int]]:
    """Equal nodes once, and the shape of each node as an index into them; for machines with OS indices."""
    shapes: list[dict[str, Any]] = []
    shape_of_node = []
    for node in range(machine.n_nodes):
        shape = _node_shape(machine, node)
        if shape not in shapes:
            shapes.append(shape)
        shape_of_node.append(shapes.index(shape))
    return shapes, shape_of_node


def _node_shape(machine: Machine, node: int) -> dict[str, Any]:
    first, n_cores = machine.first_core(node), machine.n_cores_on(node)
    cores = slice(first, first + n_cores)
    levels = range(1, machine.node_level + 1)
    group = [machine.group_of_core(level)[cores] for level in levels]
    return {
        "level_names": [machine.levels[level - 1].name for level in levels] or ["node"],
        "group": [(of_core - of_core.min()).tolist() for of_core in group] or [[0] * n_cores],
        "os_pus": [machine.os_pus(core) for core in range(first, first + n_cores)],
    }


def children_from(level: Table, key: str, default: int | None = None) -> Children:
    """How many children each switch of a network level joins, at `key`; raises InputError."""
    if isinstance(level.values.get(key), list):
        return level.whole_numbers(key)
    return level.whole(key, default=default)


def network_of(machine: Machine) -> list[tuple[str, Children]]:
    """(name, children of its switches) of each network level, bottom-up."""
    return [
        (machine.levels[level - 1].name, children_of(_children_at(machine, level)))
        for level in range(machine.node_level + 1, machine.n_levels + 1)
    ]


def children_of(counts: Sequence[int]) -> Children:
    """The children of each switch as one number where all but the last have it, and that has no more."""
    first, last = counts[0], counts[-1]
    alike = all(count == first for count in counts[:-1]) and last <= first
    return first if alike else list(counts)


def _children_at(machine: Machine, level: int) -> list[int]:
    """Children of each switch of a network level: nodes, or switches of the level below."""
    import numpy as np

    children_at = level - 1
    below = machine.node_of_core if children_at == machine.node_level else machine.group_of_core(children_at)
    pairs = np.unique(np.stack([machine.group_of_core(level), below]), axis=1)
    return [int(n) for n in np.bincount(pairs[0])]
