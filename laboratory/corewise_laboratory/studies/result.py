"""StudyResult: what `corewise study` found, claim by claim, and its file study.json."""

from __future__ import annotations

from typing import Any, ClassVar

from corewise.plugin.documents import Noun

HOLDS, FAILS, FITTED = "holds", "does not hold", "fitted"
OPEN, NOT_JUDGED = "cannot be judged here", "not judged"


class Verdict(Noun, frozen=True):
    """A claim, next to what we found.

    `id` is that of the frozen list, "" for a claim of our own. `paper` is the paper's figure, a number where
    it gives one; `ours` is the value of `formula`, None if there is none, a list where there are several:
    those of `readings`, if the runs have any.
    `source` is that of the runs. `holds` is None where it can't be judged; `because` says why in a sentence.
    `fitted`: each input that was chosen for this claim is in `fitted_by`; it proves nothing then, whatever
    `holds` says.
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

    `runs` has by name what the runs came to, with their `kind` and `source`; the rest depends on the kind.
    `failed`: a run failed, or a binding wasn't the one that was asked for. `missing` says by the name of runs
    what they lack. `conditions` say how the runs differ from the paper's. `digest` is of the study's file, in
    the document that is kept.
    """

    FORMAT: ClassVar[str] = "corewise-study-result"
    VERSION: ClassVar[int] = 2
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
