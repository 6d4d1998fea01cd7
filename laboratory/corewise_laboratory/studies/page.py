"""The results of studies: text and a document for one, and the table of all claims of the papers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from corewise.page import TextTable
from corewise.text.quantities import counted
from corewise.text.table import text_table

from corewise_laboratory.studies.claims import (
    FAILS,
    FITTED,
    HOLDS,
    OPEN,
    ListedClaim,
    Verdict,
    listed_claims,
    reasons,
)
from corewise_laboratory.studies.papers import PAPERS, paper_of
from corewise_laboratory.studies.study import NOT_STARTED, Judged

OUTCOMES = (HOLDS, FAILS, FITTED, OPEN)

_HEAD = f"""# Every claim of the four papers

The list of claims (`laboratory/corewise_laboratory/studies/claims.toml`) is frozen: it was written from the
papers alone. This page is made by a command:
`corewise study --all --computed --table docs/evidence/log/claims.md`.

* **{HOLDS}** and **{FAILS}**: by the test of the list, with the list's tolerance.
* **{FITTED}**: a value that was chosen for this claim is among its inputs, so that the outcome shows nothing.
* **{OPEN}**: the reason stands below the table.
* Weight: 3 is a headline of the paper, 2 the message of a figure.
* Ours: the number that the claim's function returns, one for each reading (engine and figures of machines).
* Computed: from the papers' patterns, stored matrices and machine files, whose figures are mostly assumed. No
  cluster of the papers was available. Measured and emulated numbers are those of runs that were made once.
"""


@dataclass(frozen=True)
class Decided:
    """A claim of the list with its study and verdict; these are "-" and None if no study decides it."""

    claim: ListedClaim
    study: str
    verdict: Verdict | None

    @property
    def outcome(self) -> str:
        """One of OUTCOMES."""
        return self.verdict.outcome if self.verdict else OPEN

    @property
    def because(self) -> str:
        """The reason of the outcome, a sentence without a full stop."""
        return self.verdict.because if self.verdict else reasons("undecided").get(self.claim.id, NOT_STARTED)


def decisions(results: Mapping[str, Judged]) -> list[Decided]:
    """All claims in the list's order."""
    found = {verdict.id: (name, verdict) for name, judged in results.items() for verdict in judged.verdicts}
    return [Decided(claim, *found.get(name, ("-", None))) for name, claim in listed_claims().items()]


def claims_page(results: Mapping[str, Judged]) -> str:
    """The page: counts, fitted claims with the fitted values, and a table for each paper."""
    found = decisions(results)
    n = Counter(one.outcome for one in found)
    lines = [_HEAD, "## Counts", ""]
    lines.append(
        f"Of the {len(found)} claims of weight 2 and 3, {n[HOLDS]} hold, {n[FAILS]} do not hold, "
        f"{n[FITTED]} are fitted, and {n[OPEN]} cannot be judged here:"
    )
    keys: dict[str, Callable[[Decided], str]] = {
        "paper": lambda one: one.claim.paper,
        "weight": lambda one: str(one.claim.weight),
        "kind": lambda one: one.claim.kind,
        "source of ours": lambda one: one.verdict.source if one.verdict else "no study",
    }
    for by, key in keys.items():
        lines += _counts(by, found, key)
    fitted = [
        [one.claim.id, "; ".join(one.verdict.fitted_by)]
        for one in found
        if one.verdict and one.outcome == FITTED
    ]
    lines += ["", "## Fitted, and by which value", "", *_table(["claim", "chosen value"], fitted)]
    for paper in PAPERS:
        lines += ["", f"## {paper.title}", ""]
        lines += _section([one for one in found if one.claim.paper == paper.key], results)
    return "\n".join(lines) + "\n"


def _counts(by: str, found: list[Decided], key: Callable[[Decided], str]) -> list[str]:
    numbers = Counter((name, one.outcome) for one in found for name in (key(one), "all"))
    names = [*sorted({key(one) for one in found}), "all"]
    return [
        "",
        *_table(
            [by, *OUTCOMES], [[name, *(str(numbers[name, word]) for word in OUTCOMES)] for name in names]
        ),
    ]


def _section(found: list[Decided], results: Mapping[str, Judged]) -> list[str]:
    """The table of a paper, the conditions of its runs, and why claims do not hold or cannot be judged."""
    rows = [
        [one.claim.id, str(one.claim.weight), one.claim.source, one.claim.test, _paper(one.claim)]
        + ([one.verdict.number, one.verdict.source] if one.verdict else ["-", "-"])
        + [one.study, one.outcome]
        for one in found
    ]
    heads = ["claim", "weight", "source", "test", "paper", "ours", "by", "study", "outcome"]
    conditions: dict[str, dict[str, None]] = {}
    for one in found:
        if one.study in results and "conditions" in results[one.study].study.texts:
            words = results[one.study].study.texts["conditions"]
            conditions.setdefault(f"Conditions: {words}", {})[one.study] = None
    reasons: dict[str, dict[str, None]] = {}
    for one in found:
        if one.outcome in (FAILS, OPEN) or (one.verdict and one.verdict.fitted_by and one.outcome != FITTED):
            reasons.setdefault(f"{one.outcome}: {one.because}", {})[one.claim.id] = None
    told = [f"* {words}. ({', '.join(names)})" for words, names in (conditions | reasons).items()]
    return [*_table(heads, rows), "", *told]


def _paper(claim: ListedClaim) -> str:
    return claim.kind if claim.value is None else f"{claim.value:g} {claim.unit}"


def _table(heads: list[str], rows: Iterable[list[str]]) -> list[str]:
    cells = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    return ["| " + " | ".join(row) + " |" for row in (heads, ["---"] * len(heads), *cells)]


def tables_of(judged: Judged) -> dict[str, TextTable]:
    """The claims, and the results of each runs."""
    rows = [
        [
            one.id,
            one.outcome,
            _paper(listed_claims()[one.id]),
            one.number,
            one.source,
            listed_claims()[one.id].test,
        ]
        for one in judged.verdicts
    ]
    counts = Counter(verdict.outcome for verdict in judged.verdicts)
    notes = [f"{counted(len(rows), 'claim')}: {'; '.join(f'{words}: {n}' for words, n in counts.items())}."]
    notes += [
        f"{one.outcome.capitalize()}: {one.id}: {'; '.join(one.fitted_by) if one.fitted else one.because}."
        for one in judged.verdicts
        if one.outcome != HOLDS
    ]
    heads = ["<claim", "<", ">paper", ">ours", "<source", "<test"]
    tables = {"Claims": TextTable(heads, rows, [*notes, *judged.study.texts.get("notes", [])])}
    for name, outcome in judged.outcomes.items():
        runs = judged.study.runs[name]
        axes = list(dict.fromkeys(axis for row in outcome.rows for axis in row.labels))
        columns = [column for column in runs.columns if any(column in row.values for row in outcome.rows)]
        cells = [
            [row.labels.get(axis, "") for axis in axes]
            + [_number(row.values.get(column)) for column in columns]
            for row in outcome.rows
        ]
        heads = [*(f"<{axis}" for axis in axes), *(f">{column}" for column in columns)]
        tables[f"Results ({runs.source}), {name}"] = TextTable(heads, cells, outcome.notes)
    return tables


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4g}"


def text(judged: Judged) -> list[str]:
    """All tables for a terminal."""
    lines = [f"{judged.study.name}: {judged.study.title}", paper_of(judged.study.name).title]
    for title, table in tables_of(judged).items():
        lines += [*text_table(title, table.heads, table.rows), "", *table.notes]
    return lines


def document(judged: Judged) -> dict[str, Any]:
    """The document of `corewise study --json`: claims with verdicts, and rows by the name of runs."""
    return {
        "name": judged.study.name,
        "title": judged.study.title,
        "paper": paper_of(judged.study.name).title,
        "claims": [asdict(verdict) | {"outcome": verdict.outcome} for verdict in judged.verdicts],
        "runs": {
            name: {
                "source": judged.study.runs[name].source,
                "notes": outcome.notes,
                "rows": [{**row.labels, **row.values} for row in outcome.rows],
            }
            for name, outcome in judged.outcomes.items()
        },
        "failed": judged.failed,
        "missing": {name: str(error) for name, error in judged.missing.items()},
    }
