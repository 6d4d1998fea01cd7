"""Machine files: a node, the network, figures with their sources, in TOML (see formats/FORMATS.md)."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corewise.errors import InputError
from corewise.machines import node_shapes
from corewise.machines.node_count import NodeCount
from corewise.model import LinkFigures, Machine, NodeShape, make_machine

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FORMAT, VERSION = "corewise-machine", 1
_KINDS = {str: "a text", int: "a whole number", bool: "true or false", dict: "a table", list: "a list"}


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
        document = _read_toml(path)
        if "base" in document:
            base = path.parent / _Table(path, "", document).get("base", str)
            beneath = _read_toml(base)
            if "base" in beneath:
                raise InputError(f"{base}: is the base of {path} and has a base itself; expected one without")
            document = _laid_over(beneath, document)
        return _parse(_Table(path, "", document))

    def machine(self, count: NodeCount | None, name: str) -> Machine:
        """The machine with `count` nodes (None: the file's own number), called `name:count`."""
        nodes = count or self.nodes
        spec = f"{name}:{nodes}"
        shapes, shape_of_node = nodes.shapes(self.node, spec)
        return make_machine(spec, shapes, shape_of_node, self.network, self.figures, self.distances)


@dataclass(frozen=True)
class _Table:
    """A TOML table that knows where it stands, for the error messages."""

    path: Path
    where: str
    values: dict[str, Any]

    def get(self, key: str, kind: type, default: Any = None) -> Any:
        """The value of `key`, of exactly that kind; a `default` makes it optional."""
        value = self.values.get(key, default)
        if value is None:
            raise InputError(f"{self.path}: {self.where}{key} is missing; expected {_KINDS[kind]}")
        if type(value) is not kind:
            raise self.error(key, value, _KINDS[kind])
        return value

    def number(self, key: str) -> float:
        """The value of `key`, whole or not."""
        if key not in self.values:
            raise InputError(f"{self.path}: {self.where}{key} is missing; expected a number")
        value = self.values[key]
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.error(key, value, "a number")
        return float(value)

    def table(self, key: str) -> _Table:
        """The table `key`, empty when it isn't there."""
        return _Table(self.path, f"{self.where}{key}.", self.get(key, dict, {}))

    def tables(self, key: str) -> list[_Table]:
        """The tables [[key]], none when there are none."""
        entries = self.get(key, list, [])
        for entry in entries:
            if type(entry) is not dict:
                raise self.error(key, entry, "tables [[" + key + "]]")
        return [_Table(self.path, f"{self.where}{key}[{i}].", entry) for i, entry in enumerate(entries)]

    def error(self, key: str, found: object, expected: str) -> InputError:
        """The sentence for a wrong value."""
        return InputError(f"{self.path}: {self.where}{key} is {found!r}; expected {expected}")


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: could not be read ({error.strerror}); expected a machine file") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"{path}: can't be read as TOML ({error}); expected a machine file") from error


def _laid_over(beneath: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    """Both documents in one: tables are merged, other values of `above` replace those beneath."""
    merged = beneath | above
    for key, value in beneath.items():
        if isinstance(value, dict) and isinstance(above.get(key), dict):
            merged[key] = _laid_over(value, above[key])
    return merged


def _parse(top: _Table) -> MachineFile:
    if top.get("format", str) != FORMAT:
        raise top.error("format", top.values["format"], f"'{FORMAT}'")
    if top.get("version", int) != VERSION:
        raise top.error("version", top.values["version"], f"{VERSION}, the newest that this corewise knows")
    levels = top.table("levels")
    distances = top.table("distances")
    facts = top.table("facts")
    return MachineFile(
        path=top.path,
        name=top.get("name", str),
        summary=top.get("summary", str),
        source=top.get("source", str, ""),
        nodes=NodeCount.parse(str(top.values.get("nodes", 1)), str(top.path)),
        node=_node_shape(top),
        network=[(level.get("name", str), level.get("children", int, 0)) for level in top.tables("network")],
        figures=[(level, _figures(levels.table(level))) for level in levels.values],
        distances=[(level, _distance(distances, level)) for level in distances.values],
        facts={kind: _texts(facts, kind) for kind in facts.values},
    )


def _node_shape(top: _Table) -> NodeShape:
    if ("node" in top.values) == ("node_xml" in top.values):
        raise InputError(
            f"{top.path}: expected either node, an hwloc synthetic string, or node_xml, a file beside it"
        )
    if "node" in top.values:
        return node_shapes.from_synthetic(top.get("node", str))
    return node_shapes.from_xml(str(top.path.parent / top.get("node_xml", str)))


def _figures(level: _Table) -> LinkFigures:
    source = level.get("source", str)
    if level.get("assumed", bool, False):
        source = f"assumed: {source}"
    return LinkFigures(level.number("latency_s"), level.number("bandwidth_bytes_per_s"), source)


def _distance(distances: _Table, level: str) -> int:
    distance = distances.get(level, int)
    if not 0 < distance < 2**32:
        raise distances.error(level, distance, "a whole number from 1 to 4294967295")
    return distance


def _texts(facts: _Table, kind: str) -> list[str]:
    texts = facts.get(kind, list)
    if any(type(text) is not str for text in texts):
        raise facts.error(kind, texts, "a list of texts")
    return texts
