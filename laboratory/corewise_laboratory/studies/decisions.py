"""The outcome of each claim of the papers' list, and separately of our own claims."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from corewise.errors import InputError

from corewise_laboratory.studies.claim_list import ListedClaim, listed_claims, undecided
from corewise_laboratory.studies.result import NOT_JUDGED, OPEN, StudyResult, Verdict

NO_STUDY = "no study yet"
DETAIL = "a detail (weight 1) that no study's data decide"


@dataclass(frozen=True)
class DecidedClaim:
    """A claim of the list, with the study that decides it ("" without one) and its verdict."""

    claim: ListedClaim
    study: str
    verdict: Verdict | None

    @property
    def outcome(self) -> str:
        """One of the outcomes in result.py."""
        if self.verdict:
            return self.verdict.outcome
        return OPEN if self.claim.weight > 1 or self.claim.id in undecided() else NOT_JUDGED

    @property
    def because(self) -> str:
        """The reason of the outcome, a sentence without a full stop."""
        if self.verdict:
            return self.verdict.because
        return undecided().get(self.claim.id, DETAIL if self.claim.weight == 1 else NO_STUDY)


def decisions(results: Mapping[str, StudyResult]) -> list[DecidedClaim]:
    """All claims in the list's order; raises InputError if two studies decide the same claim."""
    found: dict[str, tuple[str, Verdict]] = {}
    for study, verdict in _verdicts(results):
        if verdict.id and verdict.id in found:
            raise InputError(
                f"{verdict.id} is decided by {found[verdict.id][0]} and by {study}; expected one study"
            )
        found[verdict.id] = (study, verdict)
    return [DecidedClaim(claim, *found.get(name, ("", None))) for name, claim in listed_claims().items()]


def own_claims(results: Mapping[str, StudyResult]) -> list[tuple[str, Verdict]]:
    """Our own claims, each with its study."""
    return [(study, verdict) for study, verdict in _verdicts(results) if not verdict.id]


def _verdicts(results: Mapping[str, StudyResult]) -> Iterable[tuple[str, Verdict]]:
    return ((study, verdict) for study, result in results.items() for verdict in result.claims)
