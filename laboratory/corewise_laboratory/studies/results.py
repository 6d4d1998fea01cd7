"""What a study found: the document for programs, tables for people, and its page."""

from __future__ import annotations

from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from corewise.plugin.documents import counted, json_text, text_table, write_whole
from corewise.plugin.figures import TextTable, tables_page, write_page

from corewise_laboratory.studies.claims import Verdict
from corewise_laboratory.studies.driver import StudyResult
from corewise_laboratory.studies.figures import draw_study

PAGE, DOCUMENT = "study.html", "study.json"
HOLDS = {True: "holds", False: "does not hold", None: "cannot be judged"}
SIGNS = {True: "right", False: "wrong", None: "-"}


def to_json(result: StudyResult) -> dict[str, Any]:
    """The document of `corewise study --json`."""
    return {
        "name": result.study.name,
        "title": result.study.title,
        "paper": result.study.source,
        "scale": result.scale,
        "claims": [claim_document(verdict) for verdict in result.verdicts],
        "runs": {
            name: {"kind": runs.kind.name, "source": runs.source} | result.outcomes[name].document
            for name, runs in result.study.runs.items()
            if name in result.outcomes
        },
        "failed": result.failed,
        "missing": {name: str(error) for name, error in result.missing.items()},
    }


def claim_document(verdict: Verdict) -> dict[str, Any]:
    """One of `claims` of the document."""
    claim = verdict.claim
    return {
        "figure": claim.figure,
        "machines": verdict.machines,
        "claim": claim.sentence,
        "formula": formula_text(verdict),
        "paper": claim.paper,
        "ours": verdict.ours,
        "source": verdict.source,
        "fitted": claim.fitted,
        "holds": verdict.holds,
        "sign_right": verdict.sign_right,
        "because": verdict.because,
    }


def formula_text(verdict: Verdict) -> str:
    """The claim's formula with its own names written out, and what is done with the values of groups."""
    claim = verdict.claim
    text = claim.formula.text
    for name, formula in reversed(claim.formula.named.items()):
        text = f"{text}; {name} = {formula.text}" if name in text else text
    if claim.per:
        text = f"{claim.over} of {text} per {', '.join(claim.per)}"
    if claim.where:
        wanted = "; ".join(f"{axis} {' or '.join(labels)}" for axis, labels in claim.where.items())
        text = f"{text}, where {wanted}"
    return text if claim.only_if is None else f"{text}, only if {claim.only_if.text}"


def claims_table(result: StudyResult) -> TextTable:
    """A row a verdict; what can't be judged has our number beside the paper's all the same."""
    rows = [
        [
            verdict.claim.figure,
            HOLDS[verdict.holds],
            SIGNS[verdict.sign_right],
            figure_text(verdict.claim.paper),
            figure_text(verdict.ours),
            verdict.source + (", fitted" if verdict.claim.fitted else ""),
            ", ".join(verdict.machines),
            verdict.claim.sentence,
        ]
        for verdict in result.verdicts
    ]
    counts = {words: sum(v.holds is holds for v in result.verdicts) for holds, words in HOLDS.items()}
    summary = "; ".join(f"{words}: {n}" for words, n in counts.items())
    heads = ["<fig.", "<", "<sign", ">paper", ">ours", "<source", "<machine", "<claim"]
    reasons = [
        f"{HOLDS[verdict.holds].capitalize()}: {verdict.claim.sentence} ({', '.join(verdict.machines)}): "
        f"{verdict.because}."
        for verdict in result.verdicts
        if verdict.holds is not True
    ]
    notes = [f"{counted(len(rows), 'claim')}: {summary}.", *_scale_notes(result), *reasons]
    return TextTable(heads, rows, [*notes, *result.study.notes])


def _scale_notes(result: StudyResult) -> list[str]:
    notes = [note for outcome in result.outcomes.values() for note in outcome.notes]
    return notes if result.outcomes else ["Nothing was run."]


def figure_text(figure: float | str | list[Any] | None) -> str:
    """A number with three digits, a list parted by semicolons, a dash for none."""
    if figure is None:
        return "-"
    if isinstance(figure, list):
        return "; ".join(figure_text(each) for each in figure)
    return figure if isinstance(figure, str) else f"{figure:.3g}"


def _tables(result: StudyResult) -> dict[str, TextTable]:
    tables = {"Claims": claims_table(result)}
    for outcome in result.outcomes.values():
        tables |= outcome.tables
    return tables


def text(result: StudyResult) -> list[str]:
    """Everything for a terminal."""
    lines = [f"{result.study.name}: {result.study.title}", result.study.source]
    for title, table in _tables(result).items():
        lines += [*text_table(title, table.heads, table.rows), "", *table.notes]
    return lines


def write_study(result: StudyResult, folder: Path, digest: str) -> None:
    """Writes study.html, with the figures inside, and study.json with the digest of the study's file."""
    figures = draw_study(result.study, result.outcomes, result.verdicts)
    date = datetime.now(timezone.utc).isoformat(timespec="seconds")
    folder.mkdir(parents=True, exist_ok=True)
    write_page(tables_page(f"study: {result.study.name}", date, _tables(result), figures), folder / PAGE)
    write_whole(folder / DOCUMENT, json_text(to_json(result) | {"digest": digest}, indent=1) + "\n")
