"""Sentences on failed runs: of which placement, how many, how they ended, and where their output is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from corewise.nouns.run import AS_WRITTEN, Run, Width
from corewise.text.exit_codes import exit_text

if TYPE_CHECKING:
    from corewise.nouns.tune_result import Candidate, TuneResult

_MOST_NAMED = 3


def failures(result: TuneResult) -> list[str]:
    """The traced run first, then a sentence for each placement; empty if every run ended well."""
    sentences = []
    if result.traced and result.traced.exit_code != 0:
        sentences.append(
            f"The program failed while it was traced: {exit_text(result.traced.exit_code)}. Nothing was run "
            "under a placement, and the traffic shown is what it sent until then."
        )
    others: list[Candidate | Width] = [*result.candidates, *result.widths]
    runs = {AS_WRITTEN: result.as_written} | {one.label: one.runs for one in others}
    of_placements = (_sentence(label, of_label) for label, of_label in runs.items())
    return sentences + [sentence for sentence in of_placements if sentence]


def _sentence(label: str, of_label: list[Run]) -> str:
    """A sentence on the failed runs of a label; empty if none failed."""
    runs = [run for run in of_label if run.source == "measured"]
    failed = {number: run for number, run in enumerate(runs, 1) if run.exit_code != 0}
    numbers_of: dict[str, list[int]] = {}
    for number, run in failed.items():
        numbers_of.setdefault(exit_text(run.exit_code), []).append(number)
    ends = ", ".join(f"{how} in run {_listed(numbers)}" for how, numbers in numbers_of.items())
    folders = _listed(f"runs/{label}-{number}" for number in failed)
    if not failed:
        return ""
    return (
        f"{label}: {len(failed)} of {len(runs)} runs failed ({ends}). "
        f"Their output is in output.txt of {folders}."
    )


def _listed(items: Iterable[object]) -> str:
    texts = [str(item) for item in items]
    more = [f"{len(texts) - _MOST_NAMED} more"] if len(texts) > _MOST_NAMED else []
    return ", ".join(texts[:_MOST_NAMED] + more)
