"""StudyResult: what `corewise study` found, claim by claim, and its file study.json."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

from corewise.plugin.documents import Noun, Table


class Verdict(Noun, frozen=True):
    """A claim of the paper, next to what we found.

    `paper` is the paper's figure, a number where it gives one; `ours` is the value of `formula`, None where
    there is none, a list where there are several. `source` is that of the runs. `fitted`: a figure of the
    machine, or the part of a core that a run gives to protocol work, was chosen by that of the claim. `holds`
    is None where it can't be judged; `because` says why in a sentence. `sign_right` leaves the size of the
    number aside; None where it can't be judged and where the claim has no sign.
    """

    figure: str
    machines: list[str]
    claim: str
    formula: str
    paper: float | str
    source: str
    fitted: bool
    because: str
    ours: float | str | list[Any] | None = None
    holds: bool | None = None
    sign_right: bool | None = None


class StudyResult(Noun, frozen=True):
    """A study's result.

    `runs` has by name what the runs came to, with their `kind` and `source`; the rest depends on the kind.
    `failed`: a run failed, or a binding wasn't the one that was asked for. `missing` says by the name of runs
    what they lack. `digest` is of the study's file, in the document that is kept.
    """

    FORMAT: ClassVar[str] = "corewise-study-result"
    SCHEMA: ClassVar[int] = 1
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
    digest: str = ""

    @classmethod
    def from_table(cls, top: Table) -> StudyResult:
        """Version 0.1 wrote neither format nor version."""
        head = {"format": cls.FORMAT, "version": cls.VERSION}
        return super().from_table(replace(top, values=head | top.values))
