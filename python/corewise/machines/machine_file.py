"""Machine files in TOML: nodes, network, and figures with their sources (formats/FORMATS.md)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from corewise.errors import InputError
from corewise.files.document import read_toml
from corewise.files.table import MOST_DISTANCE, Table, check_format
from corewise.machines import node_shapes
from corewise.model import MOST_CORES, LinkFigures, Machine, NodeShape, Torus, make_machine, points_in_boxes
from corewise.nouns.codec import decoded
from corewise.nouns.machine import Children, Figures, ShapeColumns, TorusColumns, network_of


@dataclass(frozen=True)
class NodeCount:
    """`whole` nodes with all their cores, then one with `rest` cores unless that is 0."""

    whole: int
    rest: int = 0

    @classmethod
    def parse(cls, text: str, spec: str) -> NodeCount:
        """Reads `text`; raises InputError quoting `spec`, the whole machine as the user wrote it."""
        match = re.fullmatch(r"(\d{1,9})(?:\+(\d{1,9}))?", text, re.ASCII)
        if match is None:
            raise InputError(
                f"machine '{spec}': '{text}' is no number of nodes; expected a whole number such as 16, "
                "or 10+8 for ten whole nodes and one with 8 cores"
            )
        whole, rest = int(match[1]), match[2]
        if rest is not None and int(rest) == 0:
            raise InputError(
                f"machine '{spec}': the last node has 0 cores; expected at least 1 after the '+'"
            )
        if whole == 0 and rest is None:
            raise InputError(f"machine '{spec}': 0 nodes; expected at least 1")
        return cls(whole, int(rest or 0))

    def __str__(self) -> str:
        return f"{self.whole}+{self.rest}" if self.rest else str(self.whole)

    def shapes(self, node: NodeShape, spec: str) -> tuple[list[NodeShape], list[int]]:
        """The distinct shapes, and each node's index into them; raises InputError for too many cores."""
        if self.rest > node.n_cores:
            raise InputError(
                f"machine '{spec}': {self.rest} cores in the last node; "
                f"expected at most the {node.n_cores} of a whole one"
            )
        if self.whole * node.n_cores + self.rest > MOST_CORES:
            raise InputError(f"machine '{spec}': more than {MOST_CORES} cores; expected a smaller machine")
        if self.rest == 0:
            return [node], [0] * self.whole
        last = node.cut_to_first_cores(self.rest)
        return ([node, last], [0] * self.whole + [1]) if self.whole else ([last], [0])


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


@dataclass(frozen=True)
class Heading:
    """The description in a machine file; `facts` are lists of sentences by their origin."""

    name: str
    summary: str
    source: str
    facts: Mapping[str, list[str]]


def machine_toml(machine: Machine, heading: Heading, figures: Mapping[str, LinkFigures]) -> str:
    """The text of a machine file for `machine`, which must have OS indices.

    `figures`, by level, override those of the machine. Reading the file gives a machine with the same
    fingerprint. Raises InputError if two levels have the same name, because a file identifies levels by name.
    """
    _check_names(machine)
    head = {
        "format": FORMAT,
        "version": VERSION,
        "name": heading.name,
        "summary": heading.summary,
        "source": heading.source,
    }
    blocks = [_pairs(head | {"shape_of_node": machine.shape_of_node})]
    blocks += [f"[[shapes]]\n{_pairs(ShapeColumns.of(shape).to_json())}" for shape in machine.shapes]
    network = network_of(machine)
    for i, (name, children) in enumerate(network, start=1):
        most = children if i < len(network) else 0  # 0: the last one joins all, so that nodes can be added
        blocks.append(f"[[network]]\n{_pairs({'name': name, 'children': most})}")
    for level in machine.levels:
        link = figures.get(level.name, level.link)
        blocks.append(f"[levels.{_key(level.name)}]\n{_pairs(Figures.of(link).to_json())}")
    if [level.distance for level in machine.levels] != list(range(1, machine.n_levels + 1)):
        distances = {level.name: level.distance for level in machine.levels}
        blocks.append(f"[distances]\n{_pairs(distances)}")
    if machine.torus:
        blocks.append(f"[torus]\n{_pairs(TorusColumns.of(machine.torus).to_json())}")
    blocks.append(f"[facts]\n{_pairs(heading.facts)}")
    return "\n\n".join(block.rstrip("\n") for block in blocks) + "\n"


def _check_names(machine: Machine) -> None:
    names = [level.name for level in machine.levels]
    if repeated := next((name for name in names if names.count(name) > 1), None):
        raise InputError(
            f"{machine.name} has two levels called '{repeated}'; expected a different name for each level "
            "of a machine file"
        )


def _pairs(values: Mapping[str, object]) -> str:
    return "".join(f"{_key(key)} = {_value(value)}\n" for key, value in values.items())


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _text(name)


def _value(value: object) -> str:
    """Lists of lists, of tables and of texts are written with one entry per line."""
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_key(key)} = {_value(inner)}' for key, inner in value.items())}}}"
    if not isinstance(value, list):
        return repr(value)
    entries = [_value(entry) for entry in value]
    if value and isinstance(value[0], list | dict | str):
        return "[\n" + "".join(f"  {entry},\n" for entry in entries) + "]"
    return f"[{', '.join(entries)}]"


def _text(text: str) -> str:
    """A basic string of TOML, whose escapes are those of JSON, and DEL."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
