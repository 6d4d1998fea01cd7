"""Reads Slurm's topology.conf, topology.yaml (25.05) or `scontrol show topology` as switches and blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from corewise.errors import InputError
from corewise.text.escaping import printable
from corewise.text.node_list import expand_node_list

# Source: topology.conf(5). scontrol also prints a switch's level and all nodes below it, a block's index and
# size, and blocks joined by BlockSizes as AggregatedBlock (topology_block.c).
_KEYS = {
    "switchname": {"nodes", "switches", "linkspeed", "level"},
    "blockname": {"nodes", "blockindex", "blocksize"},
    "aggregatedblock": {"nodes", "blockindex", "blocksize"},
    "blocksizes": set(),
}
_PAIR = re.compile(r"""\s*(\w+)\s*=\s*("[^"]*"|[^\s"]+)(?=\s|$)""")
_EXPECTED = (
    "expected SwitchName=NAME with Nodes=LIST or Switches=LIST, or BlockName=NAME with Nodes=LIST, as in "
    "topology.conf or as `scontrol show topology` prints them"
)


@dataclass(frozen=True)
class Record:
    """A switch or a block: the nodes that it lists, and the switches or blocks below it."""

    name: str
    nodes: Sequence[str] = ()
    below: Sequence[str] = ()


@dataclass(frozen=True)
class Topology:
    """`kind` is "switch", "block" or "flat" (without records); names of records are unique."""

    kind: str
    records: Sequence[Record] = ()


def records_of_lines(text: str) -> Topology:
    """The topology in the lines; raises InputError naming the line."""
    records: dict[str, Record] = {}
    sizes: list[int] = []
    joined: list[list[str]] = []
    kinds: set[str] = set()
    for number, line in _lines(text):
        try:
            words = _words(line)
            kinds.add("switch" if "switchname" in words else "block")
            if len(kinds) > 1:
                raise InputError(f"found {line!r:.80}; expected either switches or blocks, not both")
            if "blocksizes" in words:
                sizes = block_sizes(words["blocksizes"].split(","))
            elif "aggregatedblock" in words:
                joined.append(expand_node_list(words["aggregatedblock"]))
            else:
                record = _record(words)
                require_new(record, records, "switch" if "switchname" in words else "block")
                records[record.name] = record
        except InputError as error:
            raise InputError(f"line {number}: {error}") from error
    if not records:
        raise InputError(f"found no switch and no block; {_EXPECTED}")
    found = list(records.values())
    if "switch" in kinds:
        return Topology("switch", found)
    return Topology("block", with_joined_blocks(found, joined or blocks_of_sizes(found, sizes)))


def require_new(record: Record, records: dict[str, Record], kind: str) -> None:
    """Raises InputError if the name is among `records` already."""
    if record.name in records:
        raise InputError(f"{kind} {record.name} appears twice; expected one line for each")


def block_sizes(words: Sequence[str]) -> list[int]:
    """The sizes in BlockSizes=4,16: nodes of a block, then of 4 joined blocks; raises InputError."""
    if not all(re.fullmatch(r"\s*[0-9]{1,6}\s*", word) and int(word) for word in words):
        raise InputError(f"found block sizes {','.join(words)!r:.80}; expected whole numbers, as in 4,16")
    return [int(word) for word in words]


def blocks_of_sizes(blocks: Sequence[Record], sizes: Sequence[int]) -> list[list[str]]:
    """The groups of consecutive blocks that each higher size joins, as in Slurm's topology/block.

    With sizes 4 and 16, these are blocks 0 to 3, 4 to 7, and so on.
    """
    names = [block.name for block in blocks]
    counts = [size // sizes[0] for size in sizes[1:]]
    return [names[first : first + n] for n in sorted(counts) if n > 1 for first in range(0, len(names), n)]


def with_joined_blocks(blocks: Sequence[Record], joined: Sequence[Sequence[str]]) -> list[Record]:
    """The blocks, and a record above each group of joined blocks, smaller groups first."""
    top = {block.name: block.name for block in blocks}
    records = list(blocks)
    for number, names in enumerate(sorted(joined, key=len)):
        below = list(dict.fromkeys(top.get(name, name) for name in names))
        if len(names) > 1:
            records.append(Record(f"blocks {names[0]} to {names[-1]} ({number})", below=below))
            top.update(dict.fromkeys(names, records[-1].name))
    return records


def _record(words: dict[str, str]) -> Record:
    lists = [expand_node_list(words[key]) if key in words else [] for key in ("nodes", "switches")]
    return Record(words.get("switchname") or words["blockname"], *lists)


def _words(line: str) -> dict[str, str]:
    """`SwitchName=s0 Nodes=n[0-3]` as a dict with lower-case keys; raises InputError for other lines."""
    words = {key.lower(): value.strip('"') for key, value in _PAIR.findall(line)}
    kind = next((key for key in _KEYS if key in words), None)
    if (
        kind is None
        or _PAIR.sub("", line).strip()
        or not all(words.values())
        or words.keys() - _KEYS[kind] - {kind}
    ):
        raise InputError(f"found {line!r:.80}; {_EXPECTED}")
    return words


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The nonempty lines with numbers from 1, without comments; a final backslash continues a line."""
    before = ""
    for number, line in enumerate(text.splitlines(), 1):
        content = before + line.split("#")[0].strip()
        before = content[:-1] + " " if content.endswith("\\") else ""
        if content and not before:
            yield number, content
    if before.strip():
        yield len(text.splitlines()), before.strip()


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
        return Topology("switch", [_record_of_entry(one, "switch") for one in switches])
    if "block" in entry:
        blocks = [_record_of_entry(one, "block") for one in _entries(entry["block"], "blocks", "block", name)]
        sizes = block_sizes(_words_of_value(entry["block"].get("block_sizes")))
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


def _record_of_entry(entry: dict[str, Any], kind: str) -> Record:
    try:
        lists = [
            [name for word in _words_of_value(entry.get(key)) for name in expand_node_list(word)]
            for key in ("nodes", "children")
        ]
    except InputError as error:
        raise InputError(f"{kind} {entry[kind]}: {error}") from error
    return Record(entry[kind], *lists)


def _words_of_value(value: Value) -> list[str]:
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
