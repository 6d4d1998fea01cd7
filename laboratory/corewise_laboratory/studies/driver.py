"""Performs any study: executes its runs with the driver of their kind, and judges its claims."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from corewise.errors import InputError, MissingError

from corewise_laboratory.studies.claims import Claim, judge, judge_recorded
from corewise_laboratory.studies.kinds.kind import Runs, StudyOptions
from corewise_laboratory.studies.origins import chosen_for
from corewise_laboratory.studies.recorded import recorded
from corewise_laboratory.studies.result import StudyResult, Verdict
from corewise_laboratory.studies.rows import Outcome
from corewise_laboratory.studies.study_file import Study

NOT_STARTED = "nothing was run"


@dataclass(frozen=True)
class JudgedStudy:
    """A study with the outcomes of its runs, for tables and figures.

    `outcomes` and `missing` are by the name of the runs. `missing` has the reasons of runs that were
    impossible here. Runs that weren't wanted are in neither.
    """

    study: Study
    scale: str
    outcomes: dict[str, Outcome]
    missing: dict[str, MissingError]
    verdicts: list[Verdict] = field(default_factory=list)

    @property
    def failed(self) -> bool:
        """Whether a run failed or had another binding than the wanted one."""
        return any(outcome.failed for outcome in self.outcomes.values())

    @property
    def result(self) -> StudyResult:
        """The document of `corewise study --json`."""
        runs = {name: runs for name, runs in self.study.runs.items() if name in self.outcomes}
        return StudyResult(
            name=self.study.name,
            title=self.study.title,
            paper=self.study.source,
            scale=self.scale,
            claims=self.verdicts,
            runs={
                name: {"kind": of.kind.name, "source": of.source} | self.outcomes[name].document
                for name, of in runs.items()
            },
            failed=self.failed,
            missing={name: str(error) for name, error in self.missing.items()},
            conditions=list(dict.fromkeys(r.conditions for r in self.study.runs.values() if r.conditions)),
        )


def run_study(study: Study, options: StudyOptions) -> JudgedStudy:
    """Executes all runs, or the missing ones of an interrupted study, and judges the claims."""
    if options.program is not None and not any(runs.kind.takes_program for runs in study.runs.values()):
        raise InputError(f"{study.name} emulates nothing; --program is for a study that does")
    outcomes: dict[str, Outcome] = {}
    missing: dict[str, MissingError] = {}
    for name, runs in study.runs.items():
        if runs.kind.starts and not options.started:
            continue
        try:
            outcomes[name] = runs.kind.run(runs, replace(options, folder=options.folder / name))
        except MissingError as error:
            missing[name] = error

    def verdict_of(claim: Claim) -> Verdict:
        runs = study.runs[claim.runs]
        outcome = outcomes.get(claim.runs)
        return (
            _judged(claim, runs, outcome)
            if outcome
            else _not_run(claim, runs, str(missing.get(claim.runs, NOT_STARTED)))
        )

    verdicts = [verdict_of(claim) for claim in study.claims]
    return JudgedStudy(study, options.scale, outcomes, missing, verdicts)


def _judged(claim: Claim, runs: Runs, outcome: Outcome) -> Verdict:
    def fitted_by(labels: dict[str, str]) -> list[str]:
        return chosen_for(claim, runs.spec, runs.kind.name, runs.origins, labels)

    return judge(claim, runs.source, outcome, fitted_by)


def _not_run(claim: Claim, runs: Runs, lacks: str) -> Verdict:
    """The verdict from a recorded earlier run; open without one."""
    earlier = recorded(claim.id or claim.own) if lacks == NOT_STARTED else None
    if earlier is None:
        return claim.verdict(runs.source, claim.open or lacks)
    chosen = chosen_for(claim, runs.spec, runs.kind.name, runs.origins, {})
    return judge_recorded(claim, runs.source, earlier.ours, earlier.conditions, chosen)
