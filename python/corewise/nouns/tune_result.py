"""TuneResult: everything that `corewise tune` found, and its file tune.json (formats/FORMATS.md)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from corewise.errors import InputError
from corewise.files.document import read_json
from corewise.files.machine import machine_from_table, machine_to_json
from corewise.files.table import Table, check_format
from corewise.files.whole_file import write_whole
from corewise.model import (
    Advice,
    CommMatrix,
    Machine,
    Phase,
    Placement,
    Profile,
    Traffic,
    default_objective,
    objective,
    validate,
)
from corewise.nouns.codec import decoded
from corewise.nouns.launch_plan import LaunchPlan
from corewise.nouns.load import Load
from corewise.nouns.run import Run, Source, all_verified
from corewise.statistics import MeasuredGain, measured_gain
from corewise.text.any_bytes import json_text
from corewise.text.gains import compared_text

FORMAT = "corewise-tune"
VERSION = 1
NAME = "tune.json"
AS_WRITTEN = "as-written"  # label of the runs of a command without the settings that all others have

# Bytes and messages of a matrix, and how often a phase is repeated: the core adds them up in 64 bits.
MOST_AMOUNT = 2**62


@dataclass(frozen=True)
class Candidate:
    """One placement that `tune` compared.

    `label` is "default", "best" or "worst". `scores` holds every objective by name, a list of one or more
    values, lower is better. `link_bytes[k - 1][g]` is what crosses the link from group g of level k - 1 up
    to level k (both directions, bytes; level 0 is the core). `runs` are the repeats, in order; empty where
    nothing was run.
    """

    label: str
    placement: Placement
    scores: dict[str, list[float]]
    link_bytes: list[list[float]]
    runs: list[Run] = field(default_factory=list)

    def times_s(self, source: Source) -> list[float]:
        """Each repeat of that source that ended well: its time from MPI_Init to MPI_Finalize, s."""
        return times_of(self.runs, source)


@dataclass(frozen=True)
class Width:
    """Runs of the placement `of` ("default" or "best") with masks of another width, label `of`-`binding`.

    `binding` is what the ranks were bound to: one of BINDINGS or "pu" (mapping/process_binding.py), or
    "none" where each rank was free on its node. The runs are compared with those of `of` itself.
    """

    of: str
    binding: str
    runs: list[Run]

    @property
    def label(self) -> str:
        return width_label(self.of, self.binding)


def width_label(of: str, binding: str) -> str:
    """The label of runs of a compared placement whose masks are as wide as `binding` says."""
    return f"{of}-{binding}"


@dataclass(frozen=True)
class TuneResult:
    """Everything that `corewise tune` found: what the report shows.

    `command` is the user's, as typed. `candidates` are in the order default, best, worst. All their runs have
    the launcher's options `settings` besides; where there are any, `as_written` are runs of the command
    without them. `gain` compares the runs of default and best, None where these were not both run; `widths`
    are what was run of these placements with other masks. `same_as` maps the label of a candidate to an
    earlier one that gives every rank the same masks: they are one placement, run once under the earlier
    label. `looked` says that the spread decided how many rounds were run. `notes` are full sentences on how
    to read the result (ranks that were unbound, oversubscription, a machine that is not this one), for
    people. `traced` is the run that was recorded, None where an earlier profile was taken; `interrupted` says
    that not all runs were made. `load` is how busy this host was, None where the ranks ran elsewhere.
    `silence` is a sentence where the ranks send each other nothing in what was mapped, else empty.
    """

    command: list[str]
    machine: Machine
    profile: Profile | KeptProfile
    traffic: Traffic
    advice: Advice | KeptAdvice
    objective: str
    candidates: list[Candidate]
    gain: MeasuredGain | None
    notes: list[str]
    date: str
    plan: LaunchPlan | None = None  # starts the best placement: how to apply it
    conditions: dict[str, str] = field(default_factory=dict)  # what ran: "Open MPI" -> "4.1.4", ...
    traced: Run | None = None
    interrupted: bool = False
    settings: list[str] = field(default_factory=list)
    as_written: list[Run] = field(default_factory=list)
    widths: list[Width] = field(default_factory=list)
    same_as: dict[str, str] = field(default_factory=dict)
    looked: bool = False
    load: Load | None = None
    silence: str = ""

    def candidate(self, label: str) -> Candidate:
        """Raises KeyError for a label that was not compared."""
        return {candidate.label: candidate for candidate in self.candidates}[label]

    @property
    def predicted_from(self) -> str:
        """The figures that the predicted gain is formed from, in one sentence."""
        compared_by = objective(default_objective(self.machine))
        values = [self.candidate(label).scores[compared_by.name][0] for label in ("default", "best")]
        return compared_text(self.advice, compared_by.name, compared_by.unit, *values)

    @property
    def runs(self) -> list[Run]:
        """All runs: the command as it was written, then candidate by candidate, then other widths."""
        of_labels: list[Candidate | Width] = [*self.candidates, *self.widths]
        return self.as_written + [run for of_label in of_labels for run in of_label.runs]

    def gain_over(self, label: str, runs: Sequence[Run]) -> MeasuredGain | None:
        """What `runs` gain over the placement with that label; None where one of both was not run."""
        return gain_between(self.candidate(self.same_as.get(label, label)).runs, runs, self.looked)

    @property
    def settings_gain(self) -> MeasuredGain | None:
        """What the settings alone gain: 1 - t_default / t_as_written; None where nothing was run without."""
        return gain_between(self.as_written, self.candidate("default").runs, self.looked)

    def width_gain(self, width: Width) -> MeasuredGain | None:
        """What the width gains over the same placement as it was compared: 1 - t_width / t_placement."""
        return self.gain_over(width.of, width.runs)

    @property
    def binding_alone(self) -> bool:
        """Default and best put every rank on the same cores, and only the best one binds it to them."""
        default, best = (self.candidate(label).placement for label in ("default", "best"))
        ranks = range(default.n_ranks)
        return "best" not in self.same_as and all(
            sorted(default.cores(rank).tolist()) == sorted(best.cores(rank).tolist()) for rank in ranks
        )

    @property
    def verified(self) -> bool | None:
        """Every run's bindings were seen as wanted; None where nothing ran, a run failed or shows no rank."""
        return all_verified(self.runs)


def times_of(runs: Iterable[Run], source: Source) -> list[float]:
    """The times to compare of the runs of one source that ended well, s."""
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


def is_silent(traffic: Traffic) -> bool:
    """No rank sends another one a message, not even an empty one."""
    src, dst, n_bytes, messages = traffic.folded().columns()
    return not any(((src != dst) & ((n_bytes > 0) | (messages > 0))).tolist())


@dataclass(frozen=True)
class PredictedGain:
    """gain = 1 - t_best / t_default as the model predicts it, as fractions."""

    low: float
    expected: float
    high: float


@dataclass(frozen=True)
class KeptAdvice:
    """What a tune file keeps of an Advice, under the same names."""

    matters: str
    gain: PredictedGain
    ratio: float | None
    because: str
    offer_spread: bool
    gain_of: str
    transfer_share: float | None = None


@dataclass(frozen=True)
class KeptProfile:
    """What a tune file keeps of a Profile, under the same names; the traffic stands by itself."""

    complete: bool
    faults: list[str]


def write_tune(result: TuneResult, directory: Path) -> Path:
    """Writes `directory`/tune.json whole and returns its path."""
    path = directory / NAME
    write_whole(path, json_text(tune_to_json(result)) + "\n")
    return path


def is_tune(path: Path) -> bool:
    """A directory, a file of that name, or one whose document says that it is a tune."""
    if path.is_dir() or path.name == NAME:
        return True
    try:
        return read_json(path, "what `corewise tune` writes").values.get("format") == FORMAT
    except InputError:
        return False


def read_tune(path: Path) -> TuneResult:
    """Reads a tune file, or the one of a directory; raises InputError naming it."""
    if path.is_dir():
        path = path / NAME
    return tune_from_table(read_json(path, "what `corewise tune` writes"))


def tune_to_json(result: TuneResult) -> dict[str, Any]:
    """The document of the file."""
    advice = result.advice
    gain = {name: getattr(advice.gain, name) for name in ("low", "expected", "high")}
    return {
        "format": FORMAT,
        "version": VERSION,
        "command": result.command,
        "date": result.date,
        "objective": result.objective,
        "notes": result.notes,
        "conditions": result.conditions,
        "gain": result.gain and asdict(result.gain),
        "traced": result.traced and result.traced.to_json(),
        "interrupted": result.interrupted,
        "advice": {
            "matters": advice.matters,
            "gain": gain,
            "ratio": advice.ratio,
            "because": advice.because,
            "offer_spread": advice.offer_spread,
            "gain_of": advice.gain_of,
            "transfer_share": advice.transfer_share,
        },
        "profile": {"complete": result.profile.complete, "faults": list(result.profile.faults)},
        "plan": result.plan and result.plan.to_json(),
        "settings": result.settings,
        "as_written": [run.to_json() for run in result.as_written],
        "candidates": [_candidate_to_json(candidate) for candidate in result.candidates],
        "widths": [_width_to_json(width) for width in result.widths],
        "same_as": result.same_as,
        "looked": result.looked,
        "silence": result.silence,
        "load": result.load and result.load.to_json(),
        "machine": machine_to_json(result.machine),
        "phases": [_phase_to_json(phase) for phase in result.traffic.phases],
    }


def tune_from_table(top: Table) -> TuneResult:
    """The result that a document holds; raises InputError naming file and key."""
    check_format(top, FORMAT, VERSION)
    machine = machine_from_table(top.table("machine"))
    candidates = [_candidate(table, machine) for table in top.tables("candidates")]
    if [candidate.label for candidate in candidates][:2] != ["default", "best"]:
        raise top.error("candidates", len(candidates), "the placements default and best, in this order")
    profile, n_ranks = top.table("profile"), candidates[0].placement.n_ranks
    return TuneResult(
        command=top.texts("command"),
        machine=machine,
        profile=KeptProfile(profile.get("complete", bool), profile.texts("faults")),
        traffic=_traffic(top, candidates),
        advice=_advice(top.table("advice")),
        objective=top.get("objective", str),
        candidates=candidates,
        gain=_gain(top.table("gain")) if top.holds("gain") else None,
        notes=top.texts("notes"),
        date=top.get("date", str),
        plan=decoded(LaunchPlan, top.values["plan"], f"{top.path}: plan.") if top.holds("plan") else None,
        conditions=_texts(top.table("conditions")),
        traced=Run.from_table(top.table("traced")) if top.holds("traced") else None,
        interrupted=top.get("interrupted", bool, False),
        settings=top.texts("settings", []),
        as_written=[_run_of(run, AS_WRITTEN, n_ranks) for run in top.tables("as_written", [])],
        widths=[_width(table, n_ranks) for table in top.tables("widths", [])],
        same_as=_same_as(top, candidates),
        looked=top.get("looked", bool, False),
        silence=top.get("silence", str, ""),
        load=decoded(Load, top.values["load"], f"{top.path}: load.") if top.holds("load") else None,
    )


def _same_as(top: Table, candidates: list[Candidate]) -> dict[str, str]:
    found = _texts(top.table("same_as")) if top.holds("same_as") else {}
    labels = [candidate.label for candidate in candidates]
    for label, other in found.items():
        if not (label in labels and other in labels[: labels.index(label)]):
            raise top.error(f"same_as.{label}", other, f"pairs of {', '.join(labels)}, the earlier one last")
    return found


def _texts(table: Table) -> dict[str, str]:
    return {name: table.get(name, str) for name in table.values}


def _advice(table: Table) -> KeptAdvice:
    matters, gain = table.get("matters", str), table.table("gain")
    if matters not in ("yes", "no", "unsure"):
        raise table.error("matters", matters, "yes, no or unsure")
    return KeptAdvice(
        matters=matters,
        gain=PredictedGain(*(gain.number(name) for name in ("low", "expected", "high"))),
        ratio=table.number("ratio") if table.holds("ratio") else None,
        because=table.get("because", str),
        offer_spread=table.get("offer_spread", bool),
        gain_of=table.get("gain_of", str, "run"),
        transfer_share=table.number("transfer_share") if table.holds("transfer_share") else None,
    )


def _gain(table: Table) -> MeasuredGain:
    bounds = {name: table.number(name) for name in ("low", "expected", "high", "confidence")}
    return MeasuredGain(n_repeats=table.whole("n_repeats", least=1), **bounds)


def _candidate_to_json(candidate: Candidate) -> dict[str, Any]:
    placement = candidate.placement
    return {
        "label": candidate.label,
        "cores": [placement.cores(rank).tolist() for rank in range(placement.n_ranks)],
        "scores": {name: [float(value) for value in values] for name, values in candidate.scores.items()},
        "link_bytes": [[int(load) for load in level] for level in candidate.link_bytes],
        "runs": [run.to_json() for run in candidate.runs],
    }


def _candidate(table: Table, machine: Machine) -> Candidate:
    label = table.get("label", str)
    with table.building("cores"):
        placement = Placement.from_core_lists(table.whole_number_lists("cores"))
        validate(placement, machine, [placement.n_ranks] * machine.n_cores)
    scores = table.table("scores")
    return Candidate(
        label=label,
        placement=placement,
        scores={name: scores.numbers(name) for name in scores.values},
        link_bytes=_link_bytes(table, machine),
        runs=[_run_of(run, label, placement.n_ranks) for run in table.tables("runs")],
    )


def _width_to_json(width: Width) -> dict[str, Any]:
    return {"of": width.of, "binding": width.binding, "runs": [run.to_json() for run in width.runs]}


def _width(table: Table, n_ranks: int) -> Width:
    of, binding = table.get("of", str), table.get("binding", str)
    if of not in ("default", "best"):
        raise table.error("of", of, "default or best")
    runs = [_run_of(run, width_label(of, binding), n_ranks) for run in table.tables("runs")]
    return Width(of, binding, runs)


def _link_bytes(table: Table, machine: Machine) -> list[list[float]]:
    levels = table.number_lists("link_bytes")
    expected = [machine.n_groups(level) for level in range(machine.n_levels)]
    if [len(level) for level in levels] != expected:
        raise table.error("link_bytes", levels, f"lists of {', '.join(map(str, expected)) or 'no'} numbers")
    return levels


def _run_of(table: Table, label: str, n_ranks: int) -> Run:
    run = Run.from_table(table)
    if run.label != label:
        raise table.error("label", run.label, f"'{label}', the placement that it is a run of")
    for i, binding in enumerate(run.ranks):
        if binding.rank >= n_ranks:
            raise table.error(f"ranks[{i}].rank", binding.rank, f"a rank below {n_ranks}")
    return run


def _phase_to_json(phase: Phase) -> dict[str, Any]:
    src, dst, sent, messages = (column.tolist() for column in phase.matrix.columns())
    columns = {"src": src, "dst": dst, "bytes": sent, "messages": messages}
    return {"repeat": phase.repeat, "n_ranks": phase.matrix.n_ranks} | columns


def _traffic(top: Table, candidates: list[Candidate]) -> Traffic:
    n_ranks = {candidate.placement.n_ranks for candidate in candidates}
    phases = []
    for table in top.tables("phases"):
        if n_ranks != {table.whole("n_ranks")}:
            raise table.error("n_ranks", table.values["n_ranks"], "as many as each of the placements has")
        phases.append(_phase(table))
    if not phases:
        raise top.error("phases", [], "one phase at least")
    with top.building("phases"):
        return Traffic.of_phases(phases)


def _phase(table: Table) -> Phase:
    src, dst = (np.array(table.whole_numbers(key), np.int32) for key in ("src", "dst"))
    n_bytes, messages = (
        np.array(table.whole_numbers(key, MOST_AMOUNT), np.uint64) for key in ("bytes", "messages")
    )
    with table.building("bytes"):
        matrix = CommMatrix.from_columns(table.whole("n_ranks"), src, dst, n_bytes, messages)
    return Phase(table.whole("repeat", most=MOST_AMOUNT), matrix)
