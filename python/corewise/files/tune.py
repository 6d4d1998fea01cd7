"""TuneResult: everything that `corewise tune` found, and its file tune.json (formats/FORMATS.md)."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np

from corewise.errors import InputError
from corewise.files.document import read_json
from corewise.files.launch_plan import LaunchPlan
from corewise.files.machine import machine_from_json, machine_to_json
from corewise.files.run import Run, Source, all_verified
from corewise.files.whole_file import write_whole
from corewise.model import Advice, CommMatrix, Machine, Phase, Placement, Profile, Traffic, validate
from corewise.statistics import MeasuredGain
from corewise.text.any_bytes import json_text

FORMAT = "corewise-tune"
VERSION = 1
NAME = "tune.json"


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

    def wall_s(self, source: Source) -> list[float]:
        """Launcher's start to end of each repeat of that source that ended well, s."""
        return [run.wall_s for run in self.runs if run.source == source and run.exit_code == 0]


@dataclass(frozen=True)
class TuneResult:
    """Everything that `corewise tune` found: what the report shows.

    `command` is the user's, as typed. `candidates` are in the order default, best, worst. `gain` is None
    where nothing was run. `notes` are full sentences on how to read the result (ranks that were unbound,
    oversubscription, a machine that is not this one), for people. `traced` is the run that was recorded, None
    where an earlier profile was taken; `interrupted` says that not all runs were made.
    """

    command: list[str]
    machine: Machine
    profile: Profile
    traffic: Traffic
    advice: Advice
    objective: str
    candidates: list[Candidate]
    gain: MeasuredGain | None
    notes: list[str]
    date: str
    plan: LaunchPlan | None = None  # starts the best placement: how to apply it
    conditions: dict[str, str] = field(default_factory=dict)  # what ran: "Open MPI" -> "4.1.4", ...
    traced: Run | None = None
    interrupted: bool = False

    def candidate(self, label: str) -> Candidate:
        """Raises KeyError for a label that was not compared."""
        return {candidate.label: candidate for candidate in self.candidates}[label]

    @property
    def runs(self) -> list[Run]:
        """All runs, candidate by candidate."""
        return [run for candidate in self.candidates for run in candidate.runs]

    @property
    def verified(self) -> bool | None:
        """Every run's bindings were seen as wanted; None where nothing ran, a run failed or shows no rank."""
        return all_verified(self.runs)


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
    """A directory, or a file whose document says that it is a tune."""
    if path.is_dir():
        return True
    try:
        return read_json(path, "what `corewise tune` writes").get("format") == FORMAT
    except InputError:
        return False


def read_tune(path: Path) -> TuneResult:
    """Reads a tune file, or the one of a directory; raises InputError naming it."""
    if path.is_dir():
        path = path / NAME
    document = read_json(path, "what `corewise tune` writes")
    try:
        return tune_from_json(document)
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        raise InputError(
            f"{path}: not a tune file ({error!r}); expected what `corewise tune` writes"
        ) from error


def tune_to_json(result: TuneResult) -> dict:
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
        },
        "profile": {"complete": result.profile.complete, "faults": list(result.profile.faults)},
        "plan": result.plan and asdict(result.plan),
        "candidates": [_candidate_to_json(candidate) for candidate in result.candidates],
        "machine": machine_to_json(result.machine),
        "phases": [_phase_to_json(phase) for phase in result.traffic.phases],
    }


def tune_from_json(document: dict) -> TuneResult:
    """InputError for another format or version; KeyError, TypeError or ValueError for a misshapen one."""
    if document.get("format") != FORMAT or document.get("version") != VERSION:
        raise InputError(
            f"found format {document.get('format')!r} version {document.get('version')!r}; "
            f"expected '{FORMAT}' version {VERSION}"
        )
    machine = machine_from_json(document["machine"])
    traffic = Traffic.of_phases([_phase_from_json(phase) for phase in document["phases"]])
    gain, plan = document["gain"], document["plan"]
    candidates = [_candidate_from_json(c, machine, traffic.n_ranks) for c in document["candidates"]]
    if [candidate.label for candidate in candidates][:2] != ["default", "best"]:
        raise ValueError("expected the placements default and best, in this order")
    return TuneResult(
        command=_strings(document["command"]),
        machine=machine,
        profile=KeptProfile(bool(document["profile"]["complete"]), _strings(document["profile"]["faults"])),
        traffic=traffic,
        advice=_advice_from_json(document["advice"]),
        objective=str(document["objective"]),
        candidates=candidates,
        gain=_gain_from_json(gain) if gain else None,
        notes=_strings(document["notes"]),
        date=str(document["date"]),
        plan=_plan_from_json(plan) if plan else None,
        conditions=_texts(document["conditions"]),
        traced=Run.from_json(document["traced"]) if document.get("traced") else None,
        interrupted=bool(document.get("interrupted")),
    )


def _strings(values: list) -> list[str]:
    if not isinstance(values, list):
        raise ValueError(f"expected a list of texts, found {values!r:.60}")
    return [str(value) for value in values]


def _texts(document: dict) -> dict[str, str]:
    return {str(name): str(value) for name, value in document.items()}


def _advice_from_json(document: dict) -> KeptAdvice:
    ratio = document["ratio"]
    if document["matters"] not in ("yes", "no", "unsure"):
        raise ValueError(f"expected yes, no or unsure, found {document['matters']!r:.60}")
    return KeptAdvice(
        matters=document["matters"],
        gain=PredictedGain(*(float(document["gain"][name]) for name in ("low", "expected", "high"))),
        ratio=None if ratio is None else float(ratio),
        because=str(document["because"]),
        offer_spread=bool(document["offer_spread"]),
    )


def _gain_from_json(document: dict) -> MeasuredGain:
    n_repeats = document["n_repeats"]
    if type(n_repeats) is not int or n_repeats < 1:
        raise ValueError(f"expected a number of repeats, found {n_repeats!r:.60}")
    bounds = {name: float(document[name]) for name in ("low", "expected", "high", "confidence")}
    return MeasuredGain(n_repeats=n_repeats, **bounds)


def _plan_from_json(document: dict) -> LaunchPlan:
    return LaunchPlan(_strings(document["argv"]), _texts(document["env"]), _texts(document["files"]))


def _candidate_to_json(candidate: Candidate) -> dict:
    placement = candidate.placement
    return {
        "label": candidate.label,
        "cores": [placement.cores(rank).tolist() for rank in range(placement.n_ranks)],
        "scores": {name: [float(value) for value in values] for name, values in candidate.scores.items()},
        "link_bytes": [[int(load) for load in level] for level in candidate.link_bytes],
        "runs": [run.to_json() for run in candidate.runs],
    }


def _candidate_from_json(document: dict, machine: Machine, n_ranks: int) -> Candidate:
    placement = Placement.from_core_lists(document["cores"])
    validate(placement, machine, [placement.n_ranks] * machine.n_cores)
    loads = [[float(load) for load in level] for level in document["link_bytes"]]
    expected = [machine.n_groups(level) for level in range(machine.n_levels)]
    if placement.n_ranks != n_ranks or [len(level) for level in loads] != expected:
        raise ValueError(f"the placement {document['label']!r:.60} doesn't fit the machine and the traffic")
    runs = [Run.from_json(run) for run in document["runs"]]
    if any(run.label != document["label"] for run in runs):
        raise ValueError(f"expected runs of {document['label']!r:.60}, found one of another placement")
    if any(not 0 <= binding.rank < n_ranks for run in runs for binding in run.ranks):
        raise ValueError(f"a run of {document['label']!r:.60} has a rank outside 0-{n_ranks - 1}")
    return Candidate(
        label=str(document["label"]),
        placement=placement,
        scores={name: [float(value) for value in values] for name, values in document["scores"].items()},
        link_bytes=loads,
        runs=runs,
    )


def _phase_to_json(phase: Phase) -> dict:
    names = ("src", "dst", "bytes", "messages")
    columns = {name: column.tolist() for name, column in zip(names, phase.matrix.columns(), strict=True)}
    return {"repeat": phase.repeat, "n_ranks": phase.matrix.n_ranks} | columns


def _phase_from_json(document: dict) -> Phase:
    src, dst = (np.array(document[name], np.int32) for name in ("src", "dst"))
    n_bytes, messages = (np.array(document[name], np.uint64) for name in ("bytes", "messages"))
    return Phase(
        document["repeat"], CommMatrix.from_columns(document["n_ranks"], src, dst, n_bytes, messages)
    )
