"""What a study found, for people: tables and its page."""

from __future__ import annotations

from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from corewise.plugin.documents import counted, text_table
from corewise.plugin.figures import TextTable, tables_page, write_page
from msgspec import structs

from corewise_laboratory.studies.driver import JudgedStudy
from corewise_laboratory.studies.figures import draw_study

PAGE, DOCUMENT = "study.html", "study.json"
HOLDS = {True: "holds", False: "does not hold", None: "cannot be judged"}
SIGNS = {True: "right", False: "wrong", None: "-"}


def claims_table(judged: JudgedStudy) -> TextTable:
    """One row for each verdict, with our number next to the paper's even where nothing is judged."""
    rows = [
        [
            verdict.figure,
            HOLDS[verdict.holds],
            SIGNS[verdict.sign_right],
            figure_text(verdict.paper),
            figure_text(verdict.ours),
            verdict.source + (", fitted" if verdict.fitted else ""),
            ", ".join(verdict.machines),
            verdict.claim,
        ]
        for verdict in judged.verdicts
    ]
    counts = {words: sum(v.holds is holds for v in judged.verdicts) for holds, words in HOLDS.items()}
    summary = "; ".join(f"{words}: {n}" for words, n in counts.items())
    heads = ["<fig.", "<", "<sign", ">paper", ">ours", "<source", "<machine", "<claim"]
    reasons = [
        f"{HOLDS[verdict.holds].capitalize()}: {verdict.claim} ({', '.join(verdict.machines)}): "
        f"{verdict.because}."
        for verdict in judged.verdicts
        if verdict.holds is not True
    ]
    notes = [f"{counted(len(rows), 'claim')}: {summary}.", *_scale_notes(judged), *reasons]
    return TextTable(heads, rows, [*notes, *judged.study.notes])


def _scale_notes(judged: JudgedStudy) -> list[str]:
    notes = [note for outcome in judged.outcomes.values() for note in outcome.notes]
    return notes if judged.outcomes else ["Nothing was run."]


def figure_text(figure: float | str | list[Any] | None) -> str:
    """A number with three digits, a list parted by semicolons, a dash for none."""
    if figure is None:
        return "-"
    if isinstance(figure, list):
        return "; ".join(figure_text(each) for each in figure)
    return figure if isinstance(figure, str) else f"{figure:.3g}"


def _tables(judged: JudgedStudy) -> dict[str, TextTable]:
    tables = {"Claims": claims_table(judged)}
    for outcome in judged.outcomes.values():
        tables |= outcome.tables
    return tables


def text(judged: JudgedStudy) -> list[str]:
    """Everything for a terminal."""
    lines = [f"{judged.study.name}: {judged.study.title}", judged.study.source]
    for title, table in _tables(judged).items():
        lines += [*text_table(title, table.heads, table.rows), "", *table.notes]
    return lines


def write_study(judged: JudgedStudy, folder: Path, digest: str) -> None:
    """Writes study.html, with the figures inside, and study.json with the digest of the study's file."""
    figures = draw_study(judged.study, judged.outcomes, judged.verdicts)
    date = datetime.now(timezone.utc).isoformat(timespec="seconds")
    folder.mkdir(parents=True, exist_ok=True)
    write_page(tables_page(f"study: {judged.study.name}", date, _tables(judged), figures), folder / PAGE)
    structs.replace(judged.result, digest=digest).write(folder / DOCUMENT)
