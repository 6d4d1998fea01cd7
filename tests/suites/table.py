"""The results of a comparison: a table of suite x MPI x mode, and the list of differences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from corewise.text.table import text_table

from suites.journal import Entry

DIFFER = ("different", "flaky", "refused")
RUN = ("same", "fails alike", *DIFFER)
NOT_TRIED = ("not built", "hangs plainly")


def document(entries: Iterable[Entry]) -> dict:
    """The rows of the table and the differences, for --json."""
    entries = list(entries)
    counted: dict[tuple[str, str, str], Counter[str]] = {}
    for entry in entries:
        counts = counted.setdefault((entry.suite, entry.mpi, entry.mode), Counter())
        counts[entry.verdict.verdict] += 1
        counts["steered"] += entry.verdict.steered
    rows = [
        {"suite": suite, "mpi": mpi, "mode": mode, "programs": sum(counts[name] for name in RUN)}
        | {name.replace(" ", "_"): counts[name] for name in (*RUN, *NOT_TRIED, "steered")}
        for (suite, mpi, mode), counts in sorted(counted.items())
    ]
    differences = [
        {"suite": entry.suite, "mpi": entry.mpi, "mode": entry.mode, "program": entry.program}
        | {"verdict": entry.verdict.verdict, "detail": entry.verdict.detail}
        | {"differed": entry.verdict.differed, "repeats": entry.verdict.repeats}
        for entry in sorted(entries, key=lambda entry: (entry.suite, entry.program, entry.mpi, entry.mode))
        if entry.verdict.verdict in DIFFER
    ]
    return {"rows": rows, "differences": differences}


def text(found: dict) -> str:
    """The same as text."""
    columns = ("suite", "mpi", "mode", "programs", *RUN, "steered", *NOT_TRIED)
    heads = [("<" if index < 3 else ">") + name.replace("_", " ") for index, name in enumerate(columns)]
    cells = [tuple(str(row[name.replace(" ", "_")]) for name in columns) for row in found["rows"]]
    lines = text_table("Programs with and without corewise", heads, cells)
    for row in found["differences"]:
        often = f"{row['differed']} of {row['repeats']} starts: " if row["repeats"] else ""
        lines.append(
            f"{row['verdict']}: {row['program']} [{row['mpi']}, {row['mode']}] {often}{row['detail']}"
        )
    return "\n".join(lines)
