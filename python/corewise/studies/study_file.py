"""A study's file: what a paper measured, at which scale that fits here, and what it claims."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from corewise.errors import InputError, did_you_mean
from corewise.files.document import read_toml
from corewise.files.table import Table, check_format
from corewise.studies.emulated_runs import EmulatedRuns, read_emulated_runs
from corewise.studies.thread_runs import ThreadRuns, read_thread_runs
from corewise.sweep.figure_spec import Bars, Scatter, read_figures

FORMAT, VERSION = "corewise-study", 1


@dataclass(frozen=True)
class Claim:
    """A sentence of the paper about some of its machines, as a formula; `judge` names a row of the judges.

    `paper` is the paper's figure, a number where it gives one. `about` is what the judge of a claim about
    emulated runs looks at: see emulated_judges.py.
    """

    figure: str
    machines: list[str]
    sentence: str
    formula: str
    paper: float | str
    judge: str
    about: Table


@dataclass(frozen=True)
class Study:
    """`machines` are the presets that its claims are about; `notes` are for readers.

    `threads` and `emulated` are what it runs, by kind; None where it has no runs of that kind.
    """

    name: str
    title: str
    source: str
    machines: list[str]
    threads: ThreadRuns | None
    emulated: EmulatedRuns | None
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
    threads = read_thread_runs(top) if "workloads" in top.values else None
    emulated = read_emulated_runs(top.table("emulated")) if "emulated" in top.values else None
    axes = (threads.axes if threads else {}) | (emulated.axes if emulated else {})
    return Study(
        name=top.get("name", str),
        title=top.get("title", str),
        source=top.get("source", str),
        machines=top.texts("machines"),
        threads=threads,
        emulated=emulated,
        figures=read_figures(top.tables("figures", []), axes),
        claims=[_claim(table) for table in top.tables("claims", [])],
        notes=top.texts("notes", []),
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
        about=table.table("about", {}),
    )


def _paper_figure(table: Table) -> float | str:
    paper: Any = table.values.get("paper")
    if isinstance(paper, bool) or not isinstance(paper, str | int | float):
        raise table.error("paper", paper, "a number or a text")
    return paper


def _folder() -> Path:
    return Path(str(resources.files("corewise") / "studies"))
