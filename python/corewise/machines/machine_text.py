"""Writes machine files: the TOML text of a machine, with a list of all nodes."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from corewise.errors import InputError
from corewise.machines.machine_file import FORMAT, VERSION
from corewise.model import LinkFigures, Machine
from corewise.nouns.link_figures import Figures
from corewise.nouns.machine import ShapeColumns, TorusColumns, network_of


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
