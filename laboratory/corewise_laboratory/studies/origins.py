"""The origins of all values on which claims depend, and which values were chosen (fitted) for a claim.

A value is `published` (source, page), `measured` (where, when, by which command), `assumed` (by whom), or
`chosen` for claims of the list, or for all claims of a figure ("zhang-fig5"). A published value that was
adopted because a claim had failed without it is `published` and `chosen`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from pathlib import Path

from corewise.plugin.documents import Table, read_toml

from corewise_laboratory.studies.claim_list import papers_file
from corewise_laboratory.studies.claims import Claim

WORDS = ("published", "measured", "assumed", "chosen")
# Keys of a level or torus in a machine file that need no origin.
_NO_FIGURES = ("source", "assumed")


@dataclass(frozen=True)
class Origin:
    """The origin of the value `name`: one of WORDS, and a text; `chosen` has the claims, if any."""

    name: str
    word: str
    text: str
    chosen: tuple[str, ...] = ()

    def is_for(self, claim: str) -> bool:
        """Whether the value was chosen for this claim or its figure."""
        return any(claim == name or claim.startswith(f"{name}-") for name in self.chosen)


def read_origin(table: Table, name: str) -> Origin:
    """Reads the origin of a value; raises InputError with the wrong key."""
    table.refuse_others((*WORDS, "because"))
    words = [word for word in WORDS if table.holds(word)]
    chosen = table.texts("chosen", [])
    if not words or (len(words) > 1 and not chosen):
        raise table.refused(
            "", f"{name} has {' and '.join(words) or 'none'}; expected one of {', '.join(WORDS)}"
        )
    word = "chosen" if chosen else words[0]
    text = table.get("because", str) if chosen else table.get(word, str)
    return Origin(name, word, text, tuple(chosen))


@dataclass(frozen=True)
class Constant:
    """A constant in the program or a stored input, with its users.

    `file` is our file with the definition `name = value`, "" if it is in none.
    """

    name: str
    value: str
    file: str
    used_by: tuple[str, ...]
    origin: Origin

    def is_used_by(self, user: str) -> bool:
        """Whether `user`, such as "engine:estimate" or "input:hpl/hpl.2000.16.npz", uses the constant."""
        return any(user == name or (name.endswith("/") and user.startswith(name)) for name in self.used_by)


@cache
def constants() -> list[Constant]:
    """All constants in studies/papers/constants.toml."""
    tables = read_toml(papers_file("constants.toml"), "constants and their origins").tables("constant")
    return [
        Constant(
            name=table.get("name", str),
            value=table.get("value", str),
            file=table.get("file", str, ""),
            used_by=tuple(table.texts("used_by")),
            origin=read_origin(table.table("origin"), table.get("name", str)),
        )
        for table in tables
    ]


def machine_files(preset: str) -> list[Path]:
    """The files of a preset: the one that it is based on, if any, then its own."""
    path = Path(str(resources.files("corewise") / "machines" / f"{preset}.toml"))
    top = read_toml(path, "a machine file")
    return [*([path.parent / top.get("base", str)] if top.holds("base") else []), path]


def presets_of(spec: object) -> list[str]:
    """The presets of the machines in runs, without numbers of nodes. `spec` is what the kind read."""
    users = [user for key in ("cases", "curves", "cells") for user in getattr(spec, key, [])]
    names = [*(user.machine for user in users), *getattr(spec, "machines", [])]
    return list(dict.fromkeys(name.split(":")[0] for name in names))


@cache
def machine_origins(preset: str) -> list[Origin]:
    """The origins of all figures in a machine file; raises InputError for a figure without an origin."""
    tables = [read_toml(path, "a machine file") for path in machine_files(preset)]
    figures: set[str] = set()
    origins: dict[str, Origin] = {}
    for each in tables:
        figures |= _figures(each)
        given = each.table("origins", {})
        own = {name: read_origin(given.table(name), name) for name in given.values}
        # An origin for a whole level replaces the base file's origins of single figures.
        origins = {name: origin for name, origin in origins.items() if name.split(".")[0] not in own} | own
    return [_origin_of(figure, origins, tables[-1]) for figure in sorted(figures)]


def _figures(top: Table) -> set[str]:
    """Names of figures, such as "package.latency_s"."""
    levels = dict(top.table("levels", {}).values)
    if top.holds("torus"):
        levels["torus"] = top.table("torus").values
    return {f"{level}.{key}" for level, keys in levels.items() for key in keys if key not in _NO_FIGURES}


def _origin_of(figure: str, origins: dict[str, Origin], top: Table) -> Origin:
    found = origins.get(figure) or origins.get(figure.split(".")[0])
    if found is None:
        raise top.refused("origins", f" has none of {figure}; expected one of {', '.join(WORDS)}")
    return Origin(f"{top.get('name', str)}: {figure}", found.word, found.text, found.chosen)


def inputs_of(
    claim: Claim, spec: object, kind: str, given: dict[str, Origin], labels: dict[str, str]
) -> list[Origin]:
    """The origins of everything on which a claim's number depends, for the reading with these labels.

    `spec` is what the kind read from the table of runs. `given` has the study's origins of their parameters,
    by name: "share", or "planes=96" for a value of an axis.
    """
    wanted = {axis: [label] for axis, label in labels.items()}
    users = [f"kind:{kind}"]
    cases = [
        case
        for case in getattr(spec, "cases", [])
        if all(case.labels[axis] in claim.uses(axis, _labels_of(spec, axis)) for axis in case.labels)
        and all(case.labels.get(axis, label) == label for axis, (label,) in wanted.items())
    ]
    users += [f"input:{case.stored}" if case.stored else f"pattern:{case.pattern}" for case in cases]
    users += [f"input:{name}" for name in getattr(spec, "profiles", {}).values()]
    engines = [labels["engine"]] if "engine" in labels else getattr(spec, "engines", [])
    users += [f"engine:{engine}" for engine in engines]
    users += [f"build:{spec.build}"] if hasattr(spec, "build") else []
    work = getattr(spec, "work", None)
    users += [f"work:{work.kind}"] if work else []
    solvers = getattr(spec, "placings", None) or getattr(spec, "mapped", {})
    users += [f"solver:{solvers[label].solver}" for label in claim.uses("placement", list(solvers))]
    presets = dict.fromkeys(case.machine for case in cases) if cases else presets_of(spec)
    found = [origin for preset in presets for origin in machine_origins(preset)]
    if kind == "links":
        found = [_asked_for(origin, claim.id) for origin in found]
    found += [each.origin for each in constants() if any(map(each.is_used_by, users))]
    return found + [origin for name, origin in given.items() if _is_used(claim, spec, name)]


def _asked_for(origin: Origin, claim: str) -> Origin:
    """Marks an assumed figure as chosen: a claim about links would be judged by the assumption itself."""
    if origin.word != "assumed":
        return origin
    return replace(
        origin, chosen=(claim,), text=f"assumed by {origin.text}; the claim asks for this very figure"
    )


def _labels_of(spec: object, axis: str) -> list[str]:
    return list(
        dict.fromkeys(case.labels[axis] for case in getattr(spec, "cases", []) if axis in case.labels)
    )


def _is_used(claim: Claim, spec: object, name: str) -> bool:
    """Whether a claim uses a parameter: all claims do; "AXIS=LABEL", those about this label."""
    axis, _, label = name.partition("=")
    return not label or label in claim.uses(
        axis, getattr(spec, "vary", {}).get(axis) or _labels_of(spec, axis)
    )


def chosen_for(
    claim: Claim, spec: object, kind: str, given: dict[str, Origin], labels: dict[str, str]
) -> list[str]:
    """Descriptions of the claim's inputs and of changes of models that were chosen for it."""
    if not claim.id:
        return []
    inputs = inputs_of(claim, spec, kind, given, labels)
    by_text: dict[str, list[str]] = {}
    for origin in inputs:
        if origin.is_for(claim.id):
            by_text.setdefault(origin.text, []).append(origin.name)
    found = [f"{', '.join(dict.fromkeys(names))} ({text})" for text, names in by_text.items()]
    return sorted(found) + [told for told, claims in changes() if claim.id in claims]


@cache
def changes() -> list[tuple[str, list[str]]]:
    """Descriptions of changes of models that were made because claims failed, with the claims' IDs."""
    tables = read_toml(papers_file("changes.toml"), "changes of models").tables("change", [])
    return [
        (f"a change of {each.get('date', str)}: {each.get('reason', str)}", each.texts("claims"))
        for each in tables
    ]
