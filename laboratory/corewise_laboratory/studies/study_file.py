"""Reads the file of a study: its runs, figures and claims."""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path

from corewise.errors import InputError, did_you_mean
from corewise.plugin.documents import Table, check_format, read_toml

from corewise_laboratory.studies.claims import Claim, read_claim
from corewise_laboratory.studies.figure_spec import StudyFigure, read_figure
from corewise_laboratory.studies.kinds import KINDS
from corewise_laboratory.studies.kinds.kind import Runs
from corewise_laboratory.studies.origins import read_origin

FORMAT, VERSION = "corewise-study", 3


@dataclass(frozen=True)
class Study:
    """`machines` are presets of the machines in its claims; `notes` are for readers; `runs` are by name."""

    name: str
    title: str
    source: str
    machines: list[str]
    runs: dict[str, Runs]
    figures: list[StudyFigure]
    claims: list[Claim]
    notes: list[str]

    @property
    def computes(self) -> bool:
        """Whether some of its runs start no program."""
        return any(not runs.kind.starts for runs in self.runs.values())


def study_names() -> list[str]:
    """Names of all studies, sorted."""
    return sorted(path.stem for path in _folder().glob("*.toml"))


def load_study(name: str) -> Study:
    """The study with this name; raises InputError, which suggests a similar name."""
    if name not in study_names():
        near = did_you_mean(name, study_names())
        raise InputError(f"there is no study '{name}' (there are {', '.join(study_names())}){near}")
    return read_study(study_path(name))


def study_path(name: str) -> Path:
    """The path of the study's file."""
    return _folder() / f"{name}.toml"


def read_study(path: Path) -> Study:
    """Reads a study's file; raises InputError with the wrong key."""
    top = read_toml(path, "a study")
    check_format(top, FORMAT, VERSION)
    top.refuse_others(
        ("format", "version", "name", "title", "source", "machines", "notes", "runs", "figures", "claims")
    )
    name = top.get("name", str)
    tables = top.table("runs")
    runs = {key: _runs(name, key, tables.table(key)) for key in tables.values}
    axes = {key: list(found.spec.axes) for key, found in runs.items()}
    return Study(
        name=name,
        title=top.get("title", str),
        source=top.get("source", str),
        machines=top.texts("machines"),
        runs=runs,
        figures=[read_figure(table, axes) for table in top.tables("figures", [])],
        claims=[read_claim(table, list(runs)) for table in top.tables("claims", [])],
        notes=top.texts("notes", []),
    )


def _runs(study: str, name: str, table: Table) -> Runs:
    kind = table.get("kind", str)
    if kind not in KINDS:
        raise table.error("kind", kind, f"one of {', '.join(KINDS)}{did_you_mean(kind, KINDS)}")
    given = table.table("origins", {})
    origins = {key: read_origin(given.table(key), f"{study}: {name}.{key}") for key in given.values}
    ours = ("conditions", "origins")
    own = replace(table, values={key: value for key, value in table.values.items() if key not in ours})
    return Runs(study, name, KINDS[kind], KINDS[kind].read(own), origins, table.get("conditions", str, ""))


def _folder() -> Path:
    return Path(str(resources.files("corewise_laboratory") / "studies"))
