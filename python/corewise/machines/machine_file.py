"""Reads machine files: nodes, network, and figures with their sources, in TOML (formats/FORMATS.md)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from corewise.errors import InputError
from corewise.files.document import read_toml
from corewise.files.table import MOST_DISTANCE, Table, check_format
from corewise.machines import node_shapes
from corewise.machines.node_count import NodeCount
from corewise.model import LinkFigures, Machine, NodeShape, Torus, make_machine, points_in_boxes
from corewise.nouns.codec import decoded
from corewise.nouns.link_figures import Figures
from corewise.nouns.machine import Children, ShapeColumns, TorusColumns

FORMAT, VERSION = "corewise-machine", 1
# `box` and `point_of_node` are alternatives.
_TORUS_KEYS = (*TorusColumns.__struct_fields__, "box", "assumed")


@dataclass(frozen=True)
class MachineFile:
    """The contents of a machine file; machine() builds the machine for a number of nodes.

    Node i has shape `shape_of_node[i]`; a single shape is for any number of nodes. `network` is (name,
    children of its switches), bottom-up. `torus` is the file's table. `facts` are sentences by origin: from
    the paper, from another source, or assumed.
    """

    path: Path
    name: str
    summary: str
    source: str
    nodes: NodeCount
    shapes: list[NodeShape]
    shape_of_node: list[int]
    network: list[tuple[str, Children]]
    figures: list[tuple[str, LinkFigures]]
    distances: list[tuple[str, int]]
    torus: Table | None
    facts: dict[str, list[str]]

    @classmethod
    def read(cls, path: Path) -> MachineFile:
        """Reads a machine file; raises InputError naming the file and the wrong field."""
        top = read_toml(path, "a machine file")
        if "base" in top.values:
            base = path.parent / top.get("base", str)
            beneath = read_toml(base, "a machine file").values
            if "base" in beneath:
                raise InputError(f"{base}: is the base of {path} and has a base itself; expected one without")
            top = _laid_over(Table(path, "", beneath), top)
        return _parse(top)

    def machine(self, count: NodeCount | None, name: str) -> Machine:
        """The machine with `count` nodes (None: the file's own number), called `name:count`."""
        nodes = count or self.nodes
        spec = f"{name}:{nodes}"
        if len(self.shapes) == 1:
            shapes, shape_of_node = nodes.shapes(self.shapes[0], spec)
        elif count is None:
            shapes, shape_of_node = self.shapes, self.shape_of_node
        else:
            raise InputError(
                f"machine '{spec}': {self.path} lists nodes of {len(self.shapes)} shapes one by one; leave "
                "the number out"
            )
        torus = _torus(self.torus, len(shape_of_node)) if self.torus else None
        return make_machine(
            spec, shapes, shape_of_node, self.network, self.figures, self.distances, torus=torus
        )


def _laid_over(beneath: Table, above: Table) -> Table:
    """Merges two documents: tables are merged, other values of `above` replace those of `beneath`."""
    merged = beneath.values | above.values
    for key, value in beneath.values.items():
        if isinstance(value, dict) and isinstance(above.values.get(key), dict):
            merged[key] = _laid_over(beneath.table(key), above.table(key)).values
    return replace(above, values=merged)


def _parse(top: Table) -> MachineFile:
    check_format(top, FORMAT, VERSION)
    levels = top.table("levels", {})
    distances = top.table("distances", {})
    facts = top.table("facts", {})
    shapes = _node_shapes(top)
    shape_of_node = _shape_of_node(top, len(shapes))
    return MachineFile(
        path=top.path,
        name=top.get("name", str),
        summary=top.get("summary", str),
        source=top.get("source", str, ""),
        nodes=NodeCount.parse(str(top.values.get("nodes", len(shape_of_node))), str(top.path)),
        shapes=shapes,
        shape_of_node=shape_of_node,
        network=[(level.get("name", str), _children(level)) for level in top.tables("network", [])],
        figures=[(level, _figures(levels.table(level))) for level in levels.values],
        distances=[(level, distances.whole(level, 1, MOST_DISTANCE)) for level in distances.values],
        torus=top.table("torus") if top.holds("torus") else None,
        facts={kind: facts.texts(kind) for kind in facts.values},
    )


def _node_shapes(top: Table) -> list[NodeShape]:
    if sum(key in top.values for key in ("node", "node_xml", "shapes")) != 1:
        raise InputError(
            "expected either node, an hwloc synthetic string, or node_xml, a file next to it, or "
            "shapes, a list of nodes",
            path=top.path,
        )
    if "node" in top.values:
        return [node_shapes.from_synthetic(top.get("node", str))]
    if "node_xml" in top.values:
        return [node_shapes.from_xml(str(top.path.parent / top.get("node_xml", str)))]
    with top.building("shapes"):
        shapes = [decoded(ShapeColumns, shape).shape for shape in top.tables("shapes")]
    if not shapes:
        raise top.error("shapes", [], "at least one node")
    return shapes


def _shape_of_node(top: Table, n_shapes: int) -> list[int]:
    """[0] for a single shape, which all nodes have."""
    if n_shapes == 1 and "shape_of_node" not in top.values:
        return [0]
    found = top.whole_numbers("shape_of_node")
    if not found or max(found) >= n_shapes:
        raise top.error("shape_of_node", found, f"an index below {n_shapes} for each node")
    if "nodes" in top.values and str(top.values["nodes"]) != str(len(found)):
        raise top.error("nodes", top.values["nodes"], f"{len(found)}, the length of shape_of_node")
    return found


def _children(level: Table) -> Children:
    """The number of children of each switch of a network level."""
    if isinstance(level.values.get("children"), list):
        return level.whole_numbers("children")
    return level.whole("children", default=0)


def _figures(level: Table) -> LinkFigures:
    assumed = level.get("assumed", bool, False)
    return decoded(Figures, replace(level, values=_whole(level.values))).link(assumed)


def _whole(value: Any) -> Any:
    """Converts whole floats to int, because 1e6 is a float in TOML, but sizes must be whole."""
    if isinstance(value, dict):
        return {key: _whole(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_whole(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 2**53 else value


def _torus(table: Table, n_nodes: int) -> Torus:
    """The torus for a number of nodes.

    Without `point_of_node`, nodes fill boxes of `box` points one after the other. Without `box`, the torus is
    one box.
    """
    table.refuse_others(_TORUS_KEYS)
    if not table.holds("point_of_node"):
        sizes, box = table.whole_numbers("sizes"), table.whole_numbers("box") if table.holds("box") else []
        with table.building("sizes"):
            points = points_in_boxes(sizes, box, n_nodes)
        table = replace(table, values=table.values | {"point_of_node": points})
    return decoded(TorusColumns, table).torus(table.get("assumed", bool, False))
