"""JSON schemas of the nouns that have a document (formats/schemas), generated from their definitions.

Usage: python scripts/schemas.py FOLDER [MODULE:NOUN ...]   writes them all, of other packages' nouns, too
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any, get_type_hints

import msgspec
from corewise.files.whole_file import write_whole
from corewise.nouns.checked import Checked
from corewise.nouns.codec import WIRES, Noun
from corewise.nouns.comparison import AdviceOnMachines, Comparison
from corewise.nouns.input_summary import InputSummary
from corewise.nouns.installation import Installation
from corewise.nouns.launch_plan import JobScript, LaunchPlan
from corewise.nouns.machine_summary import MachineSummary
from corewise.nouns.mapping import Mapping
from corewise.nouns.placement import JobPrograms, Placement
from corewise.nouns.probed import Probed
from corewise.nouns.run import Run, TraceSummary
from corewise.nouns.scores import PlacementScores
from corewise.nouns.simulation import Simulated
from corewise.nouns.steered_run import SteeredLog, SteeredRun
from corewise.nouns.tune_result import TuneResult
from corewise.text.escaping import json_text

NOUNS: tuple[type[Noun], ...] = (
    AdviceOnMachines,
    Checked,
    Comparison,
    Installation,
    InputSummary,
    JobPrograms,
    JobScript,
    LaunchPlan,
    MachineSummary,
    Mapping,
    Placement,
    PlacementScores,
    Probed,
    Run,
    Simulated,
    SteeredLog,
    SteeredRun,
    TraceSummary,
    TuneResult,
)


def schema_name(noun: type[Noun]) -> str:
    """`placement-1.json`: the format of the document and its version."""
    return f"{noun.FORMAT.removeprefix('corewise-')}-{noun.VERSION}.json"


def schema_of(noun: type[Noun]) -> dict[str, Any]:
    """The schema of the documents that to_json() writes: derived fields and the format, too."""
    kinds: list[Any] = [noun]
    for kind in kinds:
        kinds += [one for one in _nouns_in(kind) if one not in kinds]
    _, definitions = msgspec.json.schema_components(kinds, schema_hook=_schema, ref_template="#/$defs/{name}")
    for kind in kinds:
        _complete(definitions[kind.__name__], kind)
    for kind in kinds:
        if kind.FLAT:
            _allow_flat(definitions, kind)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"{noun.FORMAT} {noun.VERSION}",
        "$ref": f"#/$defs/{noun.__name__}",
        "$defs": definitions,
    }


def _complete(schema: dict[str, Any], kind: type[Noun]) -> None:
    """What the document has in addition to the fields, and which keys are always there."""
    schema.pop("description", None)  # what Python's reader needs to know, which may be said in other words
    properties: dict[str, Any] = schema.setdefault("properties", {})
    always = [name for name in properties if name not in kind.LEFT_OUT]
    for name in kind.DERIVED:
        properties[name] = _schema(_derived(kind, name))
        always.append(name)
    if kind.FORMAT:
        head: dict[str, Any] = {"format": {"const": kind.FORMAT}, "version": {"const": kind.VERSION}}
        schema["properties"] = head | properties
        always = [*head, *always]
    schema["required"] = always


def _allow_flat(definitions: dict[str, Any], kind: type[Noun]) -> None:
    """Either unchanged, or with the fields of the only entry in place of the list."""
    listed = definitions[kind.__name__]
    entry = definitions[listed["properties"][kind.FLAT]["items"]["$ref"].rpartition("/")[2]]
    flat = {
        "title": f"{kind.__name__} of one",
        "type": "object",
        "properties": {key: of for key, of in listed["properties"].items() if key != kind.FLAT}
        | entry["properties"],
        "required": [key for key in listed["required"] if key != kind.FLAT] + entry["required"],
    }
    definitions[kind.__name__] = {"anyOf": [listed, flat]}


def _derived(kind: type[Noun], name: str) -> Any:
    return get_type_hints(getattr(kind, name).fget)["return"]


def _nouns_in(kind: type[Noun]) -> list[type[Noun]]:
    """The nouns that are in its fields, also inside the types of others."""
    found: list[type[Noun]] = []

    def walk(one: Any) -> None:
        if isinstance(one, msgspec.inspect.StructType):
            found.append(one.cls)  # type: ignore[arg-type]
        for name in ("item_type", "value_type", "type"):
            if inner := getattr(one, name, None):
                walk(inner)
        for inner in getattr(one, "types", ()) or getattr(one, "item_types", ()):
            walk(inner)
        if isinstance(one, msgspec.inspect.CustomType):
            walk(msgspec.inspect.type_info(WIRES[one.cls].kind))

    info = msgspec.inspect.type_info(kind)
    assert isinstance(info, msgspec.inspect.StructType)
    for field in info.fields:
        walk(field.type)
    for name in kind.DERIVED:
        walk(msgspec.inspect.type_info(_derived(kind, name)))
    return found


def _schema(kind: Any) -> dict[str, Any]:
    """The schema of any type; of one that is no noun, that of what it is written as."""
    kind = WIRES[kind].kind if kind in WIRES else kind
    [schema], _ = msgspec.json.schema_components([kind], schema_hook=_schema, ref_template="#/$defs/{name}")
    return schema


def main() -> None:
    """Writes the schemas. After a release, a change that others can't read needs a new version."""
    folder, *others = sys.argv[1:]
    named = (name.split(":") for name in others)
    for noun in (*NOUNS, *(getattr(importlib.import_module(module), name) for module, name in named)):
        write_whole(Path(folder) / schema_name(noun), json_text(schema_of(noun), indent=1) + "\n")


if __name__ == "__main__":
    main()
