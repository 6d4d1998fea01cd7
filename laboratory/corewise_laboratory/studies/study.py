"""A study: runs that repeat a paper's experiment, and the claims that they decide."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, ClassVar

from corewise.errors import InputError, MissingError
from corewise.files.document import read_toml
from corewise.files.whole_file import write_whole
from corewise.statistics import Interval

from corewise_laboratory.studies.claims import Chosen, Claim, Verdict, judge, judge_recorded, texts
from corewise_laboratory.studies.rows import Row, Rows

NOT_STARTED = "nothing was run"


@dataclass(frozen=True)
class Options:
    """Options of a study. With `started` False, no program is started; `tell` reports progress.

    `program` is the user's build for emulated runs; by default the study builds it. Stored inputs in the
    folder `data` precede those in the package.
    """

    folder: Path
    full: bool = False
    started: bool = True
    program: str | None = None
    data: Path | None = None
    tell: Callable[[str], None] = lambda _: None

    @property
    def scale(self) -> str:
        """ "full" or "quick"."""
        return "full" if self.full else "quick"


@dataclass(frozen=True)
class Outcome:
    """The rows of runs, and `because`, the basis of verdicts from them.

    `failed` is whether a run failed or had another binding than the wanted one. `notes` are for people.
    """

    rows: Rows
    because: str
    failed: bool = False
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class Runs:
    """Runs of one kind. Each kind is a subclass with an own run().

    `chosen` are inputs that were chosen for claims. `source` is the source of the numbers: measured,
    emulated, simulated or computed. `starts` is whether they start programs; `--computed` skips these.
    `columns` are columns for tables.
    """

    chosen: tuple[Chosen, ...] = ()
    starts: ClassVar[bool] = False
    columns: ClassVar[tuple[str, ...]] = ("t",)

    @property
    def source(self) -> str:
        """The source of the numbers."""
        return "computed"

    def run(self, options: Options) -> Outcome:
        """Executes the runs, or continues them; raises MissingError if they are impossible here."""
        raise NotImplementedError


@dataclass(frozen=True)
class Study:
    """`runs` are by name. The title and other texts for readers are in texts.toml."""

    name: str
    runs: dict[str, Runs]
    claims: list[Claim]

    @property
    def title(self) -> str:
        """The title."""
        title: str = self.texts["title"]
        return title

    @property
    def texts(self) -> dict[str, Any]:
        """Its texts by key: `title`, and perhaps `notes`, `conditions` and `recorded`."""
        found: dict[str, Any] = texts()["studies"][self.name]
        return found

    def runs_of(self, claim: Claim) -> str:
        """The name of the runs of a claim."""
        return claim.runs or next(iter(self.runs))


@dataclass(frozen=True)
class Paper:
    """A paper with its studies; `key` is the first word of its claims' IDs."""

    key: str
    title: str
    studies: list[Study]


@dataclass(frozen=True)
class Judged:
    """A study with the outcomes of its runs.

    `outcomes` and `missing` are by the name of the runs. `missing` has the reasons of runs that were
    impossible here. Runs that weren't wanted are in neither.
    """

    study: Study
    outcomes: dict[str, Outcome]
    missing: dict[str, MissingError]
    verdicts: list[Verdict]

    @property
    def failed(self) -> bool:
        """Whether a run failed or had another binding than the wanted one."""
        return any(outcome.failed for outcome in self.outcomes.values())


def run_study(study: Study, options: Options) -> Judged:
    """Executes all runs, or the missing ones of an interrupted study, and judges the claims."""
    outcomes: dict[str, Outcome] = {}
    missing: dict[str, MissingError] = {}
    for name, runs in study.runs.items():
        if runs.starts and not options.started:
            continue
        options.tell(f"{study.name}: {name}")
        try:
            outcomes[name] = runs.run(replace(options, folder=options.folder / name))
        except MissingError as error:
            missing[name] = error

    def verdict(one: Claim) -> Verdict:
        name = study.runs_of(one)
        runs = study.runs[name]
        if name in outcomes:
            found = outcomes[name]
            chosen = lambda rows: (*runs.chosen, *_chosen_of_machines(rows))  # noqa: E731
            return judge(one, runs.source, found.because, found.rows, chosen)
        if name in missing or one.recorded is None:
            return Verdict(one.id, runs.source, str(missing.get(name, NOT_STARTED)))
        return judge_recorded(one, runs.source, study.texts["recorded"], runs.chosen)

    return Judged(study, outcomes, missing, [verdict(one) for one in study.claims])


def _chosen_of_machines(rows: Rows) -> Iterable[Chosen]:
    return [one for preset in rows.labels("preset") for one in machine_choices(preset)]


@cache
def machine_choices(preset: str) -> list[Chosen]:
    """The figures of a machine file that were chosen for claims, by its [origins] and those of its base.

    An origin for a whole level replaces the base file's origins of single figures.
    """
    folder = Path(str(resources.files("corewise") / "machines"))
    top = read_toml(folder / f"{preset}.toml", "a machine file").values
    base = read_toml(folder / top["base"], "a machine file").values if "base" in top else {}
    own = top.get("origins", {})
    origins = {
        name: origin for name, origin in base.get("origins", {}).items() if name.split(".")[0] not in own
    } | own
    return [
        Chosen(f"{preset}: {name}", origin["because"], tuple(origin["chosen"]))
        for name, origin in origins.items()
        if "chosen" in origin
    ]


def stored_input(name: str, data: Path | None) -> Path:
    """The path of the input `name`, such as npb/cg.C.16.npz, in `data` or else in the package.

    Raises MissingError, which says how to create it.
    """
    own = Path(str(resources.files("corewise_laboratory") / "studies" / "inputs"))
    for folder in filter(None, (data, own)):
        if (folder / name).exists():
            return folder / name
    raise MissingError(
        f"{name} is not among the stored inputs; trace the program (corewise trace -o {Path(name).name} -- "
        "mpirun ...), put the profile or matrix under that name into a folder, and name that with --data"
    )


def program_files(names: Sequence[str], values: dict[str, str]) -> dict[str, str]:
    """Input files of programs, from the folder programs/, with values for {KEY}."""
    folder = Path(str(resources.files("corewise_laboratory") / "studies" / "programs"))
    return {name: (folder / name).read_text(encoding="utf-8").format(**values) for name in names}


def kept_or_run(path: Path, run: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """The numbers of a run, stored ones if an earlier call ran it, so that an interrupted study continues."""
    if path.is_file():
        kept: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return kept
    numbers = run()
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, json.dumps(numbers))
    return numbers


def row_of(labels: dict[str, str], **values: float | None) -> Row:
    """A row with these labels, whose columns include the labels that are numbers."""
    numbers = {axis: float(label) for axis, label in labels.items() if label.replace(".", "", 1).isdigit()}
    return Row(labels, numbers | values)


def interval_values(found: Interval | None) -> dict[str, float | None]:
    """The columns of a time with an interval; None without one."""
    return {
        "t": found.expected if found else None,
        "low": found.low if found else None,
        "high": found.high if found else None,
    }


def refuse_program(study: Study, options: Options) -> None:
    """Raises InputError for --program if no runs of the study take it."""
    if options.program is not None and not any(hasattr(runs, "build") for runs in study.runs.values()):
        raise InputError(f"{study.name} emulates nothing; --program is for a study that does")
