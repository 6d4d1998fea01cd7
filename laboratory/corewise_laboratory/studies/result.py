"""StudyResult: the verdicts of a study, as printed by `corewise study --json` and stored in study.json."""

from __future__ import annotations

from typing import Any, ClassVar

from corewise.plugin.documents import Noun

HOLDS, FAILS, FITTED = "holds", "does not hold", "fitted"
OPEN, NOT_JUDGED = "cannot be judged here", "not judged"


class Verdict(Noun, frozen=True):
    """A claim and our finding.

    `id` is the ID in the list, "" for our own claim. `paper` is the paper's number, or a text without one.
    `ours` is the value of `formula`, None without a value, or a list (of the values of `readings`, if the
    runs have any). `source` is the runs'. `holds` is None if the claim can't be judged here, and `because` is
    the reason. A `fitted` claim proves nothing, because the inputs `fitted_by` were chosen for it.
    """

    DERIVED: ClassVar[tuple[str, ...]] = ("outcome",)

    id: str
    figure: str
    claim: str
    formula: str
    paper: float | str
    source: str
    fitted: bool
    because: str
    ours: float | str | list[Any] | None = None
    holds: bool | None = None
    fitted_by: list[str] = []
    readings: list[str] = []

    @property
    def outcome(self) -> str:
        """One of HOLDS, FAILS, FITTED and OPEN."""
        if self.holds is None:
            return OPEN
        return FITTED if self.fitted else HOLDS if self.holds else FAILS


class StudyResult(Noun, frozen=True):
    """A study's result.

    `runs` are results by the name of runs, with `kind`, `source`, and fields that depend on the kind.
    `failed` is whether a run failed or had another binding than the wanted one. `missing` has the reasons of
    runs that were impossible, by name. `conditions` are differences from the paper's runs. `digest` is that
    of the study's inputs, only in study.json.
    """

    FORMAT: ClassVar[str] = "corewise-study-result"
    WRITTEN_BY: ClassVar[str] = "corewise study"
    LEFT_OUT: ClassVar[tuple[str, ...]] = ("digest",)

    name: str
    title: str
    paper: str
    scale: str
    claims: list[Verdict]
    runs: dict[str, dict[str, Any]]
    failed: bool
    missing: dict[str, str]
    conditions: list[str] = []
    digest: str = ""
