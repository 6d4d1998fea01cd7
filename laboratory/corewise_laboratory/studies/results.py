"""The results of a study as tables for a terminal, and as a page."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timezone
from pathlib import Path

from corewise.plugin.documents import counted, text_table
from corewise.plugin.figures import TextTable, tables_page, write_page
from msgspec import structs

from corewise_laboratory.studies.claims_page import figure_text
from corewise_laboratory.studies.driver import JudgedStudy
from corewise_laboratory.studies.figures import draw_study
from corewise_laboratory.studies.result import FITTED, HOLDS

PAGE, DOCUMENT = "study.html", "study.json"


def claims_table(judged: JudgedStudy) -> TextTable:
    """A row for each verdict, with our number and the paper's, even without a judgement."""
    rows = [
        [
            verdict.id or "our own",
            verdict.outcome,
            figure_text(verdict.paper),
            figure_text(verdict.ours),
            verdict.source,
            verdict.claim,
        ]
        for verdict in judged.verdicts
    ]
    counts = Counter(verdict.outcome for verdict in judged.verdicts)
    summary = "; ".join(f"{words}: {n}" for words, n in counts.items())
    heads = ["<claim", "<", ">paper", ">ours", "<source", "<test"]
    reasons = [
        f"{verdict.outcome.capitalize()}: {verdict.id or verdict.claim}: "
        f"{'; '.join(verdict.fitted_by) if verdict.outcome == FITTED else verdict.because}."
        for verdict in judged.verdicts
        if verdict.outcome != HOLDS
    ]
    notes = [f"{counted(len(rows), 'claim')}: {summary}.", *_scale_notes(judged), *reasons]
    return TextTable(heads, rows, [*notes, *judged.study.notes])


def _scale_notes(judged: JudgedStudy) -> list[str]:
    notes = [note for outcome in judged.outcomes.values() for note in outcome.notes]
    return notes if judged.outcomes else ["Nothing was run."]


def _tables(judged: JudgedStudy) -> dict[str, TextTable]:
    tables = {"Claims": claims_table(judged)}
    for outcome in judged.outcomes.values():
        tables |= outcome.tables
    return tables


def text(judged: JudgedStudy) -> list[str]:
    """All tables for a terminal."""
    lines = [f"{judged.study.name}: {judged.study.title}", judged.study.source]
    for title, table in _tables(judged).items():
        lines += [*text_table(title, table.heads, table.rows), "", *table.notes]
    return lines


def write_study(judged: JudgedStudy, folder: Path, digest: str) -> None:
    """Writes study.html with embedded figures, and study.json with the digest of the study's inputs."""
    figures = draw_study(judged.study, judged.outcomes, judged.verdicts)
    date = datetime.now(timezone.utc).isoformat(timespec="seconds")
    folder.mkdir(parents=True, exist_ok=True)
    write_page(tables_page(f"study: {judged.study.name}", date, _tables(judged), figures), folder / PAGE)
    structs.replace(judged.result, digest=digest).write(folder / DOCUMENT)
