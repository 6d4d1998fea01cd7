"""The page of all claims of the papers with their outcomes: docs/evidence/log/claims.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from corewise_laboratory.studies.claim_list import PAPERS, objections
from corewise_laboratory.studies.decisions import DecidedClaim, decisions, own_claims
from corewise_laboratory.studies.result import FAILS, FITTED, HOLDS, NOT_JUDGED, OPEN, StudyResult, Verdict

OUTCOMES = (HOLDS, FAILS, FITTED, OPEN, NOT_JUDGED)

_HEAD = """# Every claim of the four papers

The list of claims (`laboratory/corewise_laboratory/studies/papers/claims.toml`) is frozen: it was written
from the papers alone. This page is made by a command:
`corewise study --all --computed -o FOLDER --table docs/evidence/log/claims.md`.

* **{holds}** and **{fails}**: by the test of the list, with the list's tolerance.
* **{fitted}**: a value that was chosen for this claim is among its inputs, so that the outcome shows nothing.
* **{open}**: the reason stands below the table. **{not_judged}**: a detail that no study's data decide.
* Weight: 3 is a headline of the paper, 2 the message of a figure, 1 a detail.
* Computed: from the papers' patterns, stored matrices and machine files, whose figures are mostly assumed. No
  cluster of the papers was available. Measured and emulated numbers are those of recorded runs
  (`recorded.toml`) unless the folder has newer ones.
"""


def claims_page(results: Mapping[str, StudyResult]) -> str:
    """The page: counts, fitted claims with the fitted values, a table for each paper, and our own claims."""
    found = decisions(results)
    words = dict(holds=HOLDS, fails=FAILS, fitted=FITTED, open=OPEN, not_judged=NOT_JUDGED)
    lines = [_HEAD.format(**words)]
    lines += ["## Counts", *_counts("weight", found, lambda one: str(one.claim.weight))]
    headlines = [one for one in found if one.claim.weight > 1]
    lines += ["", headlines_text(headlines)]
    lines += _counts("paper", headlines, lambda one: one.claim.paper)
    lines += _counts("kind", headlines, lambda one: one.claim.kind)
    lines += _counts(
        "source of ours", headlines, lambda one: one.verdict.source if one.verdict else "no study"
    )
    lines += _fitted(found)
    for paper, title in PAPERS.items():
        lines += _section(title, [one for one in found if one.claim.paper == paper], results)
    return "\n".join([*lines, *_own(own_claims(results))]) + "\n"


def headlines_text(headlines: list[DecidedClaim]) -> str:
    """The counts of outcomes as a sentence."""
    n = Counter(one.outcome for one in headlines)
    return (
        f"Of the {len(headlines)} claims of weight 2 and 3, {n[HOLDS]} hold, {n[FAILS]} do not hold, "
        f"{n[FITTED]} are fitted, and {n[OPEN]} cannot be judged here:"
    )


def _counts(by: str, found: list[DecidedClaim], key: Callable[[DecidedClaim], str]) -> list[str]:
    numbers = Counter((key(one), one.outcome) for one in found)
    rows = [
        [name, *(str(numbers[name, word]) for word in OUTCOMES)]
        for name in sorted({key(one) for one in found})
    ]
    total = ["all", *(str(sum(one.outcome == word for one in found)) for word in OUTCOMES)]
    return ["", *_table([by, *OUTCOMES], [*rows, total])]


def _fitted(found: list[DecidedClaim]) -> list[str]:
    rows = [
        [one.claim.id, "; ".join(one.verdict.fitted_by)]
        for one in found
        if one.verdict and one.outcome == FITTED
    ]
    return ["", "## Fitted, and by which value", "", *_table(["claim", "chosen value"], rows)]


def _section(title: str, found: list[DecidedClaim], results: Mapping[str, StudyResult]) -> list[str]:
    rows = [
        [
            one.claim.id,
            str(one.claim.weight),
            one.claim.source,
            one.claim.test,
            *_numbers(one.verdict),
            one.study or "-",
            one.outcome,
        ]
        for one in found
    ]
    heads = ["claim", "weight", "source", "test", "paper", "ours", "formula", "by", "study", "outcome"]
    objected = [
        f"* Objection, *{one.claim.id}*: {objections()[one.claim.id]}."
        for one in found
        if one.claim.id in objections()
    ]
    by_words: dict[str, list[str]] = {}
    for name in dict.fromkeys(one.study for one in found if one.study):
        for words in results[name].conditions:
            by_words.setdefault(words, []).append(name)
    conditions = [f"* Conditions of {', '.join(names)}: {words}." for words, names in by_words.items()]
    return ["", f"## {title}", "", *_table(heads, rows), "", *conditions, *_reasons(found), *objected]


def _numbers(verdict: Verdict | None) -> list[str]:
    if verdict is None:
        return ["-", "-", "-", "-"]
    paper = verdict.paper if isinstance(verdict.paper, str) else f"{verdict.paper:g}"
    return [paper, figure_text(verdict.ours), f"`{verdict.formula}`", verdict.source]


def _reasons(found: list[DecidedClaim]) -> list[str]:
    """Why claims do not hold or cannot be judged, grouped by reason; without details (weight 1)."""
    by_reason: dict[str, list[str]] = {}
    for one in found:
        if one.outcome in (FAILS, OPEN) or (
            one.verdict and len(one.verdict.fitted_by) and one.outcome != FITTED
        ):
            by_reason.setdefault(f"{one.outcome}: {one.because}", []).append(one.claim.id)
    return [*(f"* {reason}. ({', '.join(names)})" for reason, names in by_reason.items())]


def _own(own: list[tuple[str, Verdict]]) -> list[str]:
    rows = [
        [
            study,
            verdict.claim,
            figure_text(verdict.ours),
            f"`{verdict.formula}`",
            verdict.source,
            verdict.outcome,
        ]
        for study, verdict in own
    ]
    heads = ["study", "claim", "ours", "formula", "by", "outcome"]
    reasons = [
        f"* {verdict.outcome}: {verdict.claim}: {verdict.because}."
        for _, verdict in own
        if verdict.holds is not True
    ]
    return [
        "",
        "## Claims of our own",
        "",
        "No paper makes these; they are in no count above.",
        "",
        *_table(heads, rows),
        "",
        *reasons,
    ]


def figure_text(figure: float | str | list[Any] | None) -> str:
    """A number with three digits, a list separated by semicolons, "-" for None."""
    if figure is None:
        return "-"
    if isinstance(figure, list):
        return "; ".join(figure_text(each) for each in figure)
    return figure if isinstance(figure, str) else f"{figure:.3g}"


def _table(heads: list[str], rows: Iterable[list[str]]) -> list[str]:
    cells = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    return ["| " + " | ".join(row) + " |" for row in (heads, ["---"] * len(heads), *cells)]
