"""Machine files: a node, the network, figures with their sources, in TOML (see formats/FORMATS.md)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corewise.errors import InputError
from corewise.files.document import read_toml
from corewise.files.table import MOST_DISTANCE, Table, check_format
from corewise.machines import node_shapes
from corewise.machines.node_count import NodeCount
from corewise.model import LinkFigures, Machine, NodeShape, make_machine

FORMAT, VERSION = "corewise-machine", 1


@dataclass(frozen=True)
class MachineFile:
    """What a machine file says; `machine()` builds it for a number of nodes.

    `network` holds (name, children a group; 0: all of them), bottom-up. `facts` says which of the facts come
    from the paper, from elsewhere (with the source named), or are assumptions.
    """

    path: Path
    name: str
    summary: str
    source: str
    nodes: NodeCount
    node: NodeShape
    network: list[tuple[str, int]]
    figures: list[tuple[str, LinkFigures]]
    distances: list[tuple[str, int]]
    facts: dict[str, list[str]]

    @classmethod
    def read(cls, path: Path) -> MachineFile:
        """Reads a machine file; raises InputError naming it and the field that is wrong."""
        top = read_toml(path, "a machine file")
        if "base" in top.values:
            base = path.parent / top.get("base", str)
            beneath = read_toml(base, "a machine file").values
            if "base" in beneath:
                raise InputError(f"{base}: is the base of {path} and has a base itself; expected one without")
            top = Table(path, "", _laid_over(beneath, top.values))
        return _parse(top)

    def machine(self, count: NodeCount | None, name: str) -> Machine:
        """The machine with `count` nodes (None: the file's own number), called `name:count`."""
        nodes = count or self.nodes
        spec = f"{name}:{nodes}"
        shapes, shape_of_node = nodes.shapes(self.node, spec)
        return make_machine(spec, shapes, shape_of_node, self.network, self.figures, self.distances)


def _laid_over(beneath: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    """Both documents in one: tables are merged, other values of `above` replace those beneath."""
    merged = beneath | above
    for key, value in beneath.items():
        if isinstance(value, dict) and isinstance(above.get(key), dict):
            merged[key] = _laid_over(value, above[key])
    return merged


def _parse(top: Table) -> MachineFile:
    check_format(top, FORMAT, VERSION)
    levels = top.table("levels", {})
    distances = top.table("distances", {})
    facts = top.table("facts", {})
    return MachineFile(
        path=top.path,
        name=top.get("name", str),
        summary=top.get("summary", str),
        source=top.get("source", str, ""),
        nodes=NodeCount.parse(str(top.values.get("nodes", 1)), str(top.path)),
        node=_node_shape(top),
        network=[
            (level.get("name", str), level.whole("children", default=0))
            for level in top.tables("network", [])
        ],
        figures=[(level, _figures(levels.table(level))) for level in levels.values],
        distances=[(level, distances.whole(level, 1, MOST_DISTANCE)) for level in distances.values],
        facts={kind: facts.texts(kind) for kind in facts.values},
    )


def _node_shape(top: Table) -> NodeShape:
    if ("node" in top.values) == ("node_xml" in top.values):
        raise InputError(
            f"{top.path}: expected either node, an hwloc synthetic string, or node_xml, a file beside it"
        )
    if "node" in top.values:
        return node_shapes.from_synthetic(top.get("node", str))
    return node_shapes.from_xml(str(top.path.parent / top.get("node_xml", str)))


def _figures(level: Table) -> LinkFigures:
    source = level.get("source", str)
    if level.get("assumed", bool, False):
        source = f"assumed: {source}"
    return LinkFigures(level.number("latency_s"), level.number("bandwidth_bytes_per_s"), source)
