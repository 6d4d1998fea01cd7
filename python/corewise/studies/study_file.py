"""A study's file: what a paper measured, at which scale that fits here, and what it claims."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from corewise.errors import InputError, did_you_mean
from corewise.files.document import read_toml
from corewise.files.table import Table, check_format
from corewise.sweep.figure_spec import Bars, Scatter, read_figures
from corewise.sweep.spec import Protocol, read_protocol

FORMAT, VERSION = "corewise-study", 1


@dataclass(frozen=True)
class Claim:
    """A sentence of the paper about some of its machines, as a formula; `judge` names a row of judges.py.

    `paper` is the paper's figure, a number where it gives one.
    """

    figure: str
    machines: list[str]
    sentence: str
    formula: str
    paper: float | str
    judge: str


@dataclass(frozen=True)
class Scale:
    """How large it runs here: node counts, repeats, and each workload's own arguments."""

    nodes: list[int]
    protocol: Protocol
    arguments: dict[str, list[str]]


@dataclass(frozen=True)
class Study:
    """`machines` are presets whose topology lies beside this file; `bindings` are process_binding's names.

    `policies` are run, `computed_policies` shown on the machines' topologies; `notes` are for readers.
    """

    name: str
    title: str
    source: str
    machines: list[str]
    policies: list[str]
    computed_policies: list[str]
    bindings: list[str]
    workloads: list[str]
    quick: Scale
    full: Scale
    figures: list[Bars | Scatter]
    claims: list[Claim]
    notes: list[str]


def study_names() -> list[str]:
    """The studies there are, sorted."""
    return sorted(path.stem for path in _folder().glob("*.toml"))


def load_study(name: str) -> Study:
    """Raises InputError with the nearest name."""
    if name not in study_names():
        near = did_you_mean(name, study_names())
        raise InputError(f"there is no study '{name}' (there are {', '.join(study_names())}){near}")
    return read_study(_folder() / f"{name}.toml")


def topology_of(machine: str) -> Path:
    """hwloc XML of one node of a paper's machine, with its network card."""
    return _folder() / "topologies" / f"{machine}.xml"


def read_study(path: Path) -> Study:
    """Reads a study's file; raises InputError with the key that is wrong."""
    top = read_toml(path, "a study")
    check_format(top, FORMAT, VERSION)
    workloads, policies, bindings = (top.texts(key) for key in ("workloads", "policies", "bindings"))
    quick, full = (_scale(top.table(scale), workloads) for scale in ("quick", "full"))
    axes = {
        axis: {label: [label] for label in labels}
        for axis, labels in (("workload", workloads), ("policy", policies), ("binding", bindings))
    }
    nodes = {str(count): [str(count)] for count in (*quick.nodes, *full.nodes)}
    return Study(
        name=top.get("name", str),
        title=top.get("title", str),
        source=top.get("source", str),
        machines=top.texts("machines"),
        policies=policies,
        computed_policies=top.texts("computed_policies"),
        bindings=bindings,
        workloads=workloads,
        quick=quick,
        full=full,
        figures=read_figures(top.tables("figures", []), axes | {"nodes": nodes}),
        claims=[_claim(table) for table in top.tables("claims", [])],
        notes=top.texts("notes", []),
    )


def _scale(table: Table, workloads: list[str]) -> Scale:
    arguments = table.table("arguments")
    nodes = table.get("nodes", list)
    if not nodes or any(type(n) is not int or n < 1 for n in nodes):
        raise table.error("nodes", nodes, "a list of node counts")
    return Scale(
        nodes, read_protocol(table.table("runs", {})), {name: arguments.texts(name) for name in workloads}
    )


def _claim(table: Table) -> Claim:
    def text(key: str) -> str:
        return table.get(key, str)

    return Claim(
        figure=text("figure"),
        machines=table.texts("machines"),
        sentence=text("sentence"),
        formula=text("formula"),
        paper=_paper_figure(table),
        judge=text("judge"),
    )


def _paper_figure(table: Table) -> float | str:
    paper: Any = table.values.get("paper")
    if isinstance(paper, bool) or not isinstance(paper, str | int | float):
        raise table.error("paper", paper, "a number or a text")
    return paper


def _folder() -> Path:
    return Path(str(resources.files("corewise") / "studies"))
