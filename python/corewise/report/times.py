"""Section: the measured times with their spread, every repeat shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from corewise.files.run import Run, RunKey, by_key, key_names
from corewise.files.tune import TuneResult
from corewise.plots.repeats import repeats_svg
from corewise.statistics import median_interval
from corewise.text.exit_codes import exit_text

TITLE = "Measured times"


def context(result: TuneResult) -> dict | None:
    """None where nothing was run."""
    return context_of_runs(by_key(result.runs)) if result.runs else None


def context_of_runs(runs: Mapping[RunKey, Sequence[Run]]) -> dict:
    """`runs` maps a key to its repeats, in order; those without a time to compare are told."""
    times_s = {
        key: [run.time_s for run in repeats if run.time_s is not None] for key, repeats in runs.items()
    }
    rows = [_row(key, runs[key], values) for key, values in times_s.items() if values]
    names = key_names(runs)
    failed = []
    for key, repeats in runs.items():
        ends = [exit_text(run.exit_code) for run in repeats if run.exit_code != 0]
        if ends:
            how = ", ".join(dict.fromkeys(ends))
            failed.append(
                f"{names[key]}: {len(ends)} of {len(repeats)} repeats failed ({how}) and are left out"
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
