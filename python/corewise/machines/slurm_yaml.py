"""Reads the topologies of Slurm's topology.yaml (25.05)."""

from __future__ import annotations

import re
from typing import Any

from corewise.errors import InputError
from corewise.machines.slurm_records import (
    Record,
    Topology,
    block_sizes,
    blocks_of_sizes,
    require_new,
    with_joined_blocks,
)
from corewise.text.escaping import printable
from corewise.text.node_list import expand_node_list

Value = str | list[Any] | dict[str, Any] | None

_BEGINS = re.compile(r"""(---|%YAML|-(\s|$)|["']?[\w./-]+["']?\s*:(\s|$))""")


def is_yaml(text: str) -> bool:
    """Decides by the first line without a comment, which in topology.conf has words with `=`."""
    lines = (line.strip() for line in text.splitlines())
    return bool(_BEGINS.match(next((line for line in lines if line and not line.startswith("#")), "")))


def topologies_of_yaml(text: str) -> list[Topology]:
    """The topologies, the cluster's default first; raises InputError. Format: topology.yaml(5)."""
    entries = _document(text)
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries) or not entries:
        raise InputError("expected a list of topologies, each beginning with '- topology: NAME'")
    entries.sort(key=lambda entry: str(entry.get("cluster_default")).lower() not in ("true", "yes"))
    return [_topology(entry) for entry in entries]


def _topology(entry: dict[str, Any]) -> Topology:
    name = entry.get("topology")
    if "tree" in entry:
        switches = _entries(entry["tree"], "switches", "switch", name)
        return Topology("switch", [_record(one, "switch") for one in switches])
    if "block" in entry:
        blocks = [_record(one, "block") for one in _entries(entry["block"], "blocks", "block", name)]
        sizes = block_sizes(_words(entry["block"].get("block_sizes")))
        return Topology("block", with_joined_blocks(blocks, blocks_of_sizes(blocks, sizes)))
    if "flat" in entry:
        return Topology("flat")
    raise InputError(
        f"topology {name!r:.80} is of none of the types tree, block and flat, which corewise reads"
    )


def _entries(found: Value, key: str, kind: str, name: Value) -> list[dict[str, Any]]:
    """The list of switches or blocks of a topology; raises InputError for repeated names."""
    entries = found.get(key) if isinstance(found, dict) else None
    if not isinstance(entries, list) or not all(
        isinstance(one, dict) and isinstance(one.get(kind), str) for one in entries
    ):
        raise InputError(f"topology {name!r:.80}: expected {key}: as a list of '- {kind}: NAME' with nodes:")
    seen: dict[str, Record] = {}
    for one in entries:
        require_new(record := Record(one[kind]), seen, kind)
        seen[record.name] = record
    return entries


def _record(entry: dict[str, Any], kind: str) -> Record:
    try:
        lists = [
            [name for word in _words(entry.get(key)) for name in expand_node_list(word)]
            for key in ("nodes", "children")
        ]
    except InputError as error:
        raise InputError(f"{kind} {entry[kind]}: {error}") from error
    return Record(entry[kind], *lists)


def _words(value: Value) -> list[str]:
    found = value if isinstance(value, list) else [value] if value else []
    words = [word for word in found if isinstance(word, str)]
    if len(words) < len(found):
        raise InputError(f"found {found!r:.80}; expected names or numbers")
    return words


def _document(text: str) -> Any:
    """The document with all scalars as strings. Raises InputError for invalid YAML and repeated keys."""
    import yaml  # imported here, because only this format needs it

    class Loader(yaml.BaseLoader):  # type: ignore[misc]  # PyYAML has no types
        def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[str, Any]:
            seen: list[object] = []
            for key, _ in node.value:
                if key.value in seen:
                    problem = f"'{key.value}' appears twice"
                    raise yaml.constructor.ConstructorError(None, None, problem, key.start_mark)
                seen.append(key.value)
            mapping: dict[str, Any] = super().construct_mapping(node, deep)
            return mapping

    try:
        return yaml.load(text, Loader)
    except RecursionError as error:
        raise InputError("too many lists inside of each other; expected a list of topologies") from error
    except yaml.YAMLError as error:
        mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", None)
        where = f"line {mark.line + 1}: " if mark else ""
        what = printable(problem or "a character that is not allowed")
        raise InputError(f"{where}{what:.120}; expected YAML, as in topology.yaml(5)") from error
