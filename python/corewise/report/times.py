"""Section: the measured times with their spread, every repeat shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from corewise.files.run import Run, RunKey, by_key, key_names
from corewise.files.tune import TuneResult
from corewise.plots.repeats import repeats_svg
from corewise.statistics import median_interval

TITLE = "Measured times"


def context(result: TuneResult) -> dict | None:
    """None where nothing was run."""
    return context_of_runs(by_key(result.runs)) if result.runs else None


def context_of_runs(runs: Mapping[RunKey, Sequence[Run]]) -> dict:
    """`runs` maps a key to its repeats, in order."""
    times_s = {key: [run.wall_s for run in repeats if run.exit_code == 0] for key, repeats in runs.items()}
    rows = [_row(key, runs[key], values) for key, values in times_s.items() if values]
    names = key_names(runs)
    failed = []
    for key, values in times_s.items():
        n_repeats = len(runs[key])
        if len(values) < n_repeats:
            n_failed = n_repeats - len(values)
            failed.append(
                f"{names[key]}: {n_failed} of {n_repeats} repeats ended with an error and are left out"
            )
    return {"figure": Markup(repeats_svg(times_s)), "rows": rows, "failed": failed}


def _row(key: RunKey, repeats: Sequence[Run], times_s: Sequence[float]) -> dict:
    shares = [
        run.mpi_s / run.app_s for run in repeats if run.exit_code == 0 and run.app_s and run.mpi_s is not None
    ]
    return {
        "label": key.label,
        "source": key.source,
        "n": len(times_s),
        "interval": median_interval(times_s),
        "least": min(times_s),
        "greatest": max(times_s),
        "mpi_share": sum(shares) / len(shares) if shares else None,
    }
