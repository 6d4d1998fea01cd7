"""The one driver of all studies: computes on the papers' topologies, measures here, judges the claims."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from corewise import machines
from corewise.errors import InputError, MissingError, did_you_mean
from corewise.studies.judges import COMPUTED, MEASURED, Places
from corewise.studies.measuring import Measured, measure
from corewise.studies.study_file import Claim, Study, topology_of
from corewise.studies.thread_places import bindings_of, thread_places
from corewise.sweep.running import Say


@dataclass(frozen=True)
class StudyOptions:
    """`measured` False computes only; `say` and `tell` are for progress: a run, and a sentence."""

    folder: Path
    full: bool = False
    measured: bool = True
    say: Say = lambda _: None
    tell: Callable[[str], None] = lambda _: None


@dataclass(frozen=True)
class Verdict:
    """A claim beside ours. `holds` is None where it can't be judged; `because` says why in a sentence."""

    claim: Claim
    machines: list[str]
    ours: float | str | None
    source: str
    holds: bool | None
    because: str


@dataclass(frozen=True)
class StudyResult:
    """`missing` is the sentence on why nothing was measured, None where something was or nobody asked."""

    study: Study
    scale: str
    places: dict[str, Places]
    measured: Measured | None
    verdicts: list[Verdict] = field(default_factory=list)
    missing: MissingError | None = None


def run_study(study: Study, options: StudyOptions) -> StudyResult:
    """Computes, measures, judges; without an MPI or the workloads the computed part alone comes back."""
    options.tell("computing thread places")
    places = {machine: compute_places(study, machine) for machine in study.machines}
    measured, missing = None, None
    scale = study.full if options.full else study.quick
    if options.measured:
        try:
            measured = measure(study, scale, options.folder, options.say, options.tell)
        except MissingError as error:
            missing = error
    verdicts = [verdict for claim in study.claims for verdict in judge(claim, places, measured)]
    return StudyResult(study, "full" if options.full else "quick", places, measured, verdicts, missing)


def compute_places(study: Study, machine: str) -> Places:
    """Where the study's policies put the threads of a machine's node; a repeated binding is left out."""
    xml_path = topology_of(machine)
    same = bindings_of(machines.load(str(xml_path)), study.bindings)
    rows = [
        thread_places(xml_path, binding, policy)
        for binding, of in same.items()
        if of is None
        for policy in study.computed_policies
    ]
    return Places(rows, same)


def judge(claim: Claim, places: dict[str, Places], measured: Measured | None) -> list[Verdict]:
    """One verdict a machine where topology decides, else one for all, left open: times are of this machine.

    Raises InputError for a judge that doesn't exist.
    """
    if claim.judge in COMPUTED:
        verdicts = []
        for machine in claim.machines:
            ours, holds = COMPUTED[claim.judge](places[machine])
            because = f"as our affinity library plans threads on the topology of {machine}"
            verdicts.append(Verdict(claim, [machine], ours, "computed", holds, because))
        return verdicts
    if claim.judge not in MEASURED:
        near = did_you_mean(claim.judge, [*COMPUTED, *MEASURED])
        raise InputError(f"there is no judge '{claim.judge}' for the claim '{claim.sentence}'{near}")
    ours = MEASURED[claim.judge](measured.times) if measured else None
    because = f"it is about times on {', '.join(claim.machines)}; " + (
        "ours are of this machine" if measured else "nothing was measured"
    )
    return [Verdict(claim, claim.machines, ours, "measured", None, because)]
