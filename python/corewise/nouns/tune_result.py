"""TuneResult: everything that `corewise tune` found, and its file tune.json (formats/FORMATS.md)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from corewise import model
from corewise.errors import InputError
from corewise.files.table import Table
from corewise.model import Machine, Traffic
from corewise.nouns.advice import Advice, MeasuredGain, measured_gain
from corewise.nouns.codec import WIRES, FieldError, FilePath, Noun, Number, Wire, WrongField, decoded
from corewise.nouns.comparison import ScoredPlacement
from corewise.nouns.headline import Headline, failures, headline
from corewise.nouns.input_summary import InputSummary
from corewise.nouns.launch_plan import LaunchPlan
from corewise.nouns.load import Load
from corewise.nouns.machine import MachineColumns
from corewise.nouns.run import AS_WRITTEN, Run, Source, Width, all_verified, runs_columns
from corewise.nouns.tables import Tabular
from corewise.nouns.traffic import LargeColumns, PhaseColumns, phases_of, traffic_of
from corewise.text.escaping import shell_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NAME = "tune.json"
WIRES[Machine] = Wire(MachineColumns, MachineColumns.of, MachineColumns.machine)
WIRES[Traffic] = Wire(list[PhaseColumns], phases_of, traffic_of)


class Candidate(ScoredPlacement, frozen=True, kw_only=True):
    """One placement that `tune` compared: label "default", "best" or "worst".

    `link_bytes[k - 1][g]` is the bytes over the link from group g of level k - 1 up to level k, both
    directions together (level 0 is the core). `runs` are the repeats, in order; empty if nothing was run.
    """

    label: str
    link_bytes: list[list[Number]]
    runs: list[Run] = []

    def times_s(self, source: Source) -> list[float]:
        """The times (MPI_Init to MPI_Finalize, s) of the runs of that source that ended well."""
        return times_of(self.runs, source)


class ProfileState(Noun, frozen=True):
    """What a result keeps of the profile apart from traffic: whether it is complete, and its faults."""

    complete: bool
    faults: list[str]


class TuneResult(Tabular, Noun, frozen=True, kw_only=True):
    """Everything that `corewise tune` found and the report shows.

    * `command`: the user's, as typed; corewise's own if the input was a profile or a matrix (`read_from`).
    * `candidates`: default, best and worst. Their runs have the launcher options `settings`. If there are
      any, `as_written` are runs of the command without them.
    * `gain`: from the runs of default and best, None if one of them was not run.
    * `widths`: runs of these placements with other masks.
    * `same_as`: label of a candidate -> an earlier one that gives every rank the same masks; both are run
      once, under the earlier label.
    * `looked`: whether the spread of the times decided how many rounds were run.
    * `notes`: sentences on how to read the result (unbound ranks, oversubscription, another machine).
    * `plan`: starts the best placement; None if the command would run on another machine.
    * `conditions`: versions, such as "Open MPI" -> "4.1.4".
    * `traced`: the recorded run; None if the profile existed before.
    * `interrupted`: whether some runs were not made.
    * `load`: how busy this host was; None if the ranks ran elsewhere.
    * `silence`: a sentence if the mapped ranks send each other nothing, else "".
    * `summary`: what `corewise show` finds in the profile; None if there is no profile.
    """

    FORMAT: ClassVar[str] = "corewise-tune"
    WRITTEN_BY: ClassVar[str] = "corewise tune"
    DERIVED: ClassVar[tuple[str, ...]] = ("headline", "settings_gain", "verified", "failures", "large")

    command: list[str]
    date: str
    machine: Machine
    profile: ProfileState
    traffic: Traffic = msgspec.field(name="phases")
    advice: Advice
    objective: str
    candidates: list[Candidate]
    gain: MeasuredGain | None
    notes: list[str]
    plan: LaunchPlan | None = None
    conditions: dict[str, str] = {}
    traced: Run | None = None
    interrupted: bool = False
    settings: list[str] = []
    as_written: list[Run] = []
    widths: list[Width] = []
    same_as: dict[str, str] = {}
    looked: bool = False
    load: Load | None = None
    silence: str = ""
    summary: InputSummary | None = None
    read_from: str = ""

    def __post_init__(self) -> None:
        """Raises FieldError if fields contradict each other."""
        labels = [candidate.label for candidate in self.candidates]
        if labels not in (["default", "best"], ["default", "best", "worst"]):
            expected = "the placements default, best and worst, in this order"
            raise FieldError("candidates", labels, expected)
        for i, candidate in enumerate(self.candidates):
            self._check_candidate(f"candidates[{i}]", candidate)
        self._check_runs("as_written", AS_WRITTEN, self.as_written)
        for i, width in enumerate(self.widths):
            self._check_runs(f"widths[{i}].runs", width.label, width.runs)
        for label, other in self.same_as.items():
            if not (label in labels and other in labels[: labels.index(label)]):
                expected = f"pairs of {', '.join(labels)}, the earlier one last"
                raise FieldError(f"same_as.{label}", other, expected)

    if TYPE_CHECKING:  # notebook.py adds it

        def plot(self) -> Figure: ...

    def columns(self) -> dict[str, Any]:
        """A row for each run; see runs_columns(). The placements are separate tables."""
        return runs_columns(self.runs)

    def _check_candidate(self, field: str, candidate: Candidate) -> None:
        placement, n_ranks = candidate.placement, self.traffic.phases[0].matrix.n_ranks
        if placement.n_ranks != n_ranks:
            expected = f"{n_ranks}, the ranks of phases"
            raise FieldError(f"{field}.placement.n_ranks", placement.n_ranks, expected)
        try:
            placement.on(self.machine)
        except InputError as error:
            raise WrongField(f"{field}.placement", f": {error}") from error
        if not candidate.scores.get(self.advice.compared_by):
            expected = f"{self.advice.compared_by}, which the advice compares by, too"
            raise FieldError(f"{field}.scores", list(candidate.scores), expected)
        n_links = [self.machine.n_groups(level) for level in range(self.machine.n_levels)]
        if [len(level) for level in candidate.link_bytes] != n_links:
            expected = f"lists of {', '.join(map(str, n_links)) or 'no'} numbers"
            raise FieldError(f"{field}.link_bytes", candidate.link_bytes, expected)
        self._check_runs(f"{field}.runs", candidate.label, candidate.runs)

    def _check_runs(self, field: str, label: str, runs: list[Run]) -> None:
        n_ranks = self.candidates[0].placement.n_ranks
        for i, run in enumerate(runs):
            if run.label != label:
                expected = f"'{label}', the placement that it is a run of"
                raise FieldError(f"{field}[{i}].label", run.label, expected)
            for k, binding in enumerate(run.ranks):
                if binding.rank >= n_ranks:
                    raise FieldError(f"{field}[{i}].ranks[{k}].rank", binding.rank, f"a rank below {n_ranks}")

    @classmethod
    def read(cls, path: FilePath) -> TuneResult:
        """Reads the file, or tune.json in the folder of a tune; raises InputError naming it."""
        path = Path(path)
        return super().read(path / NAME if path.is_dir() else path)

    @classmethod
    def stands_in(cls, path: FilePath) -> bool:
        """Whether `path` is tune.json, a folder that contains it, or a file with its "format"."""
        path = Path(path)
        return (path / NAME).exists() or path.name == NAME or super().stands_in(path)

    @classmethod
    def from_table(cls, top: Table) -> TuneResult:
        """The result in a document; raises InputError naming its field."""
        result = super().from_table(top)
        if top.holds("large"):
            with top.building("large"):
                result.traffic.large = decoded(LargeColumns, top.table("large")).large_of(result.traffic)
        return result

    @property
    def large(self) -> LargeColumns | None:
        """The part of the traffic that is in large messages; None if message sizes are unknown."""
        return LargeColumns.of(self.traffic)

    def candidate(self, label: str) -> Candidate:
        """The placement with that label; raises KeyError if it was not compared."""
        return {candidate.label: candidate for candidate in self.candidates}[label]

    def placement(self, label: str) -> model.Assignment:
        """The placement of that candidate on the machine."""
        return self.candidate(label).placement.on(self.machine)

    @property
    def title(self) -> str:
        """The command, or the input and the machine that it was mapped for."""
        return f"{self.read_from} on {self.machine.name}" if self.read_from else shell_text(self.command)

    @property
    def headline(self) -> Headline:
        """The answer in a sentence, with its reasons."""
        return headline(self)

    @property
    def failures(self) -> list[str]:
        """A sentence for each placement of which runs failed; empty if every run ended well."""
        return failures(self)

    @property
    def predicted_from(self) -> str:
        """The values from which the predicted gain is computed, in one sentence."""
        by = self.advice.compared_by
        values = (self.candidate(label).scores[by][0] for label in ("default", "best"))
        return self.advice.compared_text(*values)

    @property
    def runs(self) -> list[Run]:
        """All runs: the command as it was written, then candidate by candidate, then other widths."""
        of_labels: list[Candidate | Width] = [*self.candidates, *self.widths]
        return self.as_written + [run for of_label in of_labels for run in of_label.runs]

    @property
    def compared_times(self) -> tuple[list[float], list[float]]:
        """The times (s) of default and best in the rounds in which both ended well."""
        return paired_times(self.candidate("default").runs, self.candidate("best").runs)

    def gain_over(self, label: str, runs: Sequence[Run]) -> MeasuredGain | None:
        """The gain of `runs` over the placement with that label; None if either was not run."""
        return gain_between(self.candidate(self.same_as.get(label, label)).runs, runs, self.looked)

    @property
    def settings_gain(self) -> MeasuredGain | None:
        """The gain of the settings alone, 1 - t_default / t_as_written; None without runs as written."""
        return gain_between(self.as_written, self.candidate("default").runs, self.looked)

    def width_gain(self, width: Width) -> MeasuredGain | None:
        """The gain of the width over the compared masks of the same placement: 1 - t_width / t_placement."""
        return self.gain_over(width.of, width.runs)

    @property
    def binding_alone(self) -> bool:
        """Whether default and best use the same cores for every rank, but only best binds ranks to them."""
        default, best = (self.candidate(label).placement for label in ("default", "best"))
        same_cores = [sorted(of) for of in default.cores] == [sorted(of) for of in best.cores]
        return "best" not in self.same_as and default.node == best.node and same_cores

    @property
    def verified(self) -> bool | None:
        """Whether every run had the wanted bindings; None if nothing ran, a run failed or shows no rank."""
        return all_verified(self.runs)


def times_of(runs: Iterable[Run], source: Source) -> list[float]:
    """The times to compare, s, of successful runs of this source."""
    return [run.time_s for run in runs if run.source == source and run.time_s is not None]


def paired_times(default: Sequence[Run], best: Sequence[Run]) -> tuple[list[float], list[float]]:
    """The times (s) of both in the rounds in which both ended well; the i-th run of each is of round i."""
    measured = ([run for run in runs if run.source == "measured"] for runs in (default, best))
    times_s = [(a.time_s, b.time_s) for a, b in zip(*measured, strict=False)]
    both = [pair for pair in times_s if None not in pair]
    return [a for a, _ in both], [b for _, b in both]


def gain_between(default: Sequence[Run], best: Sequence[Run], looked: bool = False) -> MeasuredGain | None:
    """The gain of measured runs; None unless there is a round in which both ended well."""
    default_s, best_s = paired_times(default, best)
    return measured_gain(default_s, best_s, looked) if default_s else None
