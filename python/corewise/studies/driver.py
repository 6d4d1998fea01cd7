"""The one driver of all studies: computes on the papers' topologies, runs what they name, judges."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from corewise import machines
from corewise.errors import InputError, MissingError, did_you_mean
from corewise.studies.emulated_judges import EMULATED, Times
from corewise.studies.emulating import Emulated, emulate_study
from corewise.studies.judges import COMPUTED, MEASURED, Places
from corewise.studies.measuring import Measured, measure
from corewise.studies.study_file import Claim, Study, topology_of
from corewise.studies.thread_places import bindings_of, thread_places
from corewise.sweep.running import Say


@dataclass(frozen=True)
class StudyOptions:
    """`measured` False runs nothing; `say` and `tell` are for progress: a run, and a sentence.

    `program` is the user's own for an emulated study, None the one that the study builds.
    """

    folder: Path
    full: bool = False
    measured: bool = True
    program: str | None = None
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
    """`missing` is the sentence on why nothing was run, None where something was or nobody asked."""

    study: Study
    scale: str
    places: dict[str, Places]
    measured: Measured | None
    emulated: Emulated | None
    verdicts: list[Verdict] = field(default_factory=list)
    missing: MissingError | None = None

    @property
    def failed(self) -> bool:
        """A run failed, or a binding wasn't the one that was asked for."""
        n_failed = sum(ran.sweep.n_failed for ran in (self.measured, self.emulated) if ran)
        starts = self.measured.starts if self.measured else []
        return n_failed > 0 or not all(start.verified for start in starts)


def run_study(study: Study, options: StudyOptions) -> StudyResult:
    """Computes, runs, judges; where something that the runs need is missing, the computed part comes back."""
    if options.program is not None and study.emulated is None:
        raise InputError(f"{study.name} emulates nothing; --program is for a study that does")
    options.tell("computing thread places")
    places = {machine: compute_places(study, machine) for machine in study.machines} if study.threads else {}
    measured, emulated, missing = None, None, None
    if options.measured:
        try:
            measured = _measured(study, options)
            emulated = _emulated(study, options)
        except MissingError as error:
            missing = error
    times = emulated_times(study, options.full, emulated) if study.emulated else None
    found = Found(places, measured, times)
    verdicts = [verdict for claim in study.claims for verdict in judge(claim, found)]
    scale = "full" if options.full else "quick"
    return StudyResult(study, scale, places, measured, emulated, verdicts, missing)


def _measured(study: Study, options: StudyOptions) -> Measured | None:
    if study.threads is None:
        return None
    scale = study.threads.full if options.full else study.threads.quick
    return measure(study, scale, options.folder, options.say, options.tell)


def _emulated(study: Study, options: StudyOptions) -> Emulated | None:
    if study.emulated is None:
        return None
    scale = study.emulated.full if options.full else study.emulated.quick
    return emulate_study(study, scale, options.folder, options.program, options.say, options.tell)


def emulated_times(study: Study, full: bool, emulated: Emulated | None) -> Times:
    """What the judges of an emulated study look at, without any time where nothing ran."""
    runs = study.emulated
    scale = runs.full if full else runs.quick
    estimates = emulated.estimates if emulated else {}
    return Times(runs.baseline, runs.cells, runs.placements, scale, estimates)


def compute_places(study: Study, machine: str) -> Places:
    """Where the study's policies put the threads of a machine's node; a repeated binding is left out."""
    xml_path = topology_of(machine)
    same = bindings_of(machines.load(str(xml_path)), study.threads.bindings)
    rows = [
        thread_places(xml_path, binding, policy)
        for binding, of in same.items()
        if of is None
        for policy in study.threads.computed_policies
    ]
    return Places(rows, same)


@dataclass(frozen=True)
class Found:
    """What there is to judge claims by."""

    places: dict[str, Places]
    measured: Measured | None
    emulated: Times | None


def judge(claim: Claim, found: Found) -> list[Verdict]:
    """One verdict a machine where topology decides, else one for all.

    Times measured here are of this machine and leave a claim open; emulated ones are of links like the
    machine's and decide it. Raises InputError for a judge that doesn't exist.
    """
    if claim.judge in COMPUTED:
        verdicts = []
        for machine in claim.machines:
            ours, holds = COMPUTED[claim.judge](found.places[machine])
            because = f"as our affinity library plans threads on the topology of {machine}"
            verdicts.append(Verdict(claim, [machine], ours, "computed", holds, because))
        return verdicts
    if claim.judge in EMULATED:
        if found.emulated is None:
            raise InputError(f"the claim '{claim.sentence}' is about emulated runs; the study has none")
        ours, holds, because = EMULATED[claim.judge](found.emulated, claim.about)
        return [Verdict(claim, claim.machines, ours, "emulated", holds, because)]
    if claim.judge not in MEASURED:
        near = did_you_mean(claim.judge, [*COMPUTED, *EMULATED, *MEASURED])
        raise InputError(f"there is no judge '{claim.judge}' for the claim '{claim.sentence}'{near}")
    ours = MEASURED[claim.judge](found.measured.times) if found.measured else None
    because = f"it is about times on {', '.join(claim.machines)}; " + (
        "ours are of this machine" if found.measured else "nothing was measured"
    )
    return [Verdict(claim, claim.machines, ours, "measured", None, because)]
