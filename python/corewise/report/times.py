"""Section: the measured times with their spread, every repeat shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from corewise.files.run import Run
from corewise.files.tune import TuneResult
from corewise.plots.repeats import repeats_svg
from corewise.statistics import median_interval

TITLE = "Measured times"


def context(result: TuneResult) -> dict | None:
    """None where nothing was run."""
    runs = {candidate.label: candidate.runs for candidate in result.candidates if candidate.runs}
    return context_of_runs(runs) if runs else None


def context_of_runs(runs: Mapping[str, Sequence[Run]]) -> dict:
    """`runs` maps a label to its repeats, in order."""
    times_s = {
        label: [run.wall_s for run in repeats if run.exit_code == 0] for label, repeats in runs.items()
    }
    rows = [_row(label, runs[label], values) for label, values in times_s.items() if values]
    failed = []
    for label, values in times_s.items():
        n_repeats = len(runs[label])
        if len(values) < n_repeats:
            n_failed = n_repeats - len(values)
            failed.append(f"{label}: {n_failed} of {n_repeats} repeats ended with an error and are left out")
    sources = sorted({run.source for repeats in runs.values() for run in repeats})
    return {"figure": Markup(repeats_svg(times_s)), "rows": rows, "failed": failed, "sources": sources}


def _row(label: str, repeats: Sequence[Run], times_s: Sequence[float]) -> dict:
    shares = [
        run.mpi_s / run.app_s for run in repeats if run.exit_code == 0 and run.app_s and run.mpi_s is not None
    ]
    return {
        "label": label,
        "n": len(times_s),
        "interval": median_interval(times_s),
        "least": min(times_s),
        "greatest": max(times_s),
        "mpi_share": sum(shares) / len(shares) if shares else None,
    }
