"""Section: times of runs, measured or computed, with their spread and every repeat."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from corewise.nouns.run import Run, RunKey, by_key, key_names, times_by_key
from corewise.nouns.simulation import Simulated
from corewise.nouns.tune_result import TuneResult
from corewise.plots.repeats import repeats_svg
from corewise.statistics import Interval, median_interval
from corewise.text.exit_codes import exit_text

TITLE = "Times"
# The meaning of a dot in the figure, by source.
DOTS = {
    "measured": "one run",
    "emulated": "one run on emulated nodes",
    "simulated": "one simulation",
    "estimated": "one estimate",
}


@dataclass(frozen=True)
class Row:
    """A placement's times, s; `mpi_share` is None if unknown."""

    label: str
    source: str
    n: int
    interval: Interval
    has_interval: bool
    least: float
    greatest: float
    mpi_share: float | None


@dataclass(frozen=True)
class Context:
    """What the template shows; `failed` and `notes` are sentences."""

    title: str
    dots: str
    figure: Markup
    rows: list[Row]
    failed: list[str]
    notes: list[str]


def title(runs: Iterable[Run]) -> str:
    """A title with the sources, such as "Measured and simulated times"."""
    sources = list(dict.fromkeys(run.source for run in runs))
    return f"{' and '.join(sources)} times".capitalize()


def context(result: TuneResult) -> Context | None:
    """The times of the result's runs; None if nothing was run."""
    return context_of_runs(by_key(result.runs)) if result.runs else None


def context_of_runs(runs: Mapping[RunKey, Sequence[Run]], simulations: Sequence[Simulated] = ()) -> Context:
    """The times of any runs: `runs` maps a key to its repeats, in order; failed repeats are reported.

    An interval that a simulation engine states takes precedence over that of the median.
    """
    stated = {key: interval for each in simulations for key, interval in each.intervals.items()}
    times_s = times_by_key(runs)
    rows = [_row(key, runs[key], values, stated.get(key)) for key, values in times_s.items() if values]
    names = key_names(runs)
    failed = []
    for key, repeats in runs.items():
        ends = [exit_text(run.exit_code) for run in repeats if run.exit_code != 0]
        if ends:
            how = ", ".join(dict.fromkeys(ends))
            failed.append(
                f"{names[key]}: {len(ends)} of {len(repeats)} repeats failed ({how}) and are left out"
            )
    sources = dict.fromkeys(key.source for key in runs)
    return Context(
        title=title(run for repeats in runs.values() for run in repeats),
        dots=" or ".join(DOTS[source] for source in sources),
        figure=Markup(repeats_svg(times_s)),
        rows=rows,
        failed=failed,
        notes=list(dict.fromkeys(note for each in simulations for note in each.notes)),
    )


def _row(key: RunKey, repeats: Sequence[Run], times_s: Sequence[float], stated: Interval | None) -> Row:
    shares = [
        run.mpi_s / run.app_s for run in repeats if run.exit_code == 0 and run.app_s and run.mpi_s is not None
    ]
    return Row(
        label=key.label,
        source=key.source,
        n=len(times_s),
        interval=stated or median_interval(times_s),
        has_interval=stated is not None or len(times_s) > 1,
        least=min(times_s),
        greatest=max(times_s),
        mpi_share=sum(shares) / len(shares) if shares else None,
    )
