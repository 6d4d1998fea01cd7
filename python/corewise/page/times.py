"""Section: times of runs, measured or computed, with their spread and every repeat."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from corewise.nouns.run import Run, RunKey, by_key, key_names, times_by_key
from corewise.nouns.simulation import Simulated
from corewise.nouns.tune_result import TuneResult
from corewise.page.picture import picture
from corewise.plots.repeats import repeats_figure
from corewise.statistics import Interval, median_interval
from corewise.text.quantities import confidence_text, exit_text, percent_text, seconds_text
from corewise.text.table import TextTable

# The meaning of a dot in the figure, by source.
DOTS = {
    "measured": "one run",
    "emulated": "one run on emulated nodes",
    "simulated": "one simulation",
    "estimated": "one estimate",
}


def title(runs: Iterable[Run]) -> str:
    """A title with the sources, such as "Measured and simulated times"."""
    sources = list(dict.fromkeys(run.source for run in runs))
    return f"{' and '.join(sources)} times".capitalize()


def shown(result: TuneResult) -> dict[str, Any] | None:
    """The times of the result's runs; None if nothing was run."""
    return shown_runs(by_key(result.runs)) if result.runs else None


def shown_runs(runs: Mapping[RunKey, Sequence[Run]], simulations: Sequence[Simulated] = ()) -> dict[str, Any]:
    """The times of any runs: `runs` maps a key to its repeats, in order; failed repeats are reported."""
    times_s = times_by_key(runs)
    names = key_names(runs)
    counts = ", ".join(f"{names[key]} {len(values)}" for key, values in times_s.items() if values)
    alt = f"Run times in seconds, one dot a repeat ({counts})"
    return {
        "title": title(run for repeats in runs.values() for run in repeats),
        "dots": " or ".join(DOTS[source] for source in dict.fromkeys(key.source for key in runs)),
        "figure": picture(lambda: repeats_figure(times_s), alt) if counts else None,
        "failed": [_failed(names[key], of_key) for key, of_key in runs.items() if any(map(_end, of_key))],
        "table": times_table(runs, simulations),
    }


def times_table(runs: Mapping[RunKey, Sequence[Run]], simulations: Sequence[Simulated] = ()) -> TextTable:
    """A row for each key with times, and the notes of the simulations.

    An interval that a simulation engine states takes precedence over that of the median.
    """
    stated = {key: interval for each in simulations for key, interval in each.intervals.items()}
    rows = [
        _row(key, runs[key], values, stated.get(key)) for key, values in times_by_key(runs).items() if values
    ]
    heads = ["<placement", "<source", ">repeats", ">median", ">interval", ">confidence", ">least"]
    notes = dict.fromkeys(note for each in simulations for note in each.notes)
    return TextTable([*heads, ">greatest", ">time inside MPI"], rows, list(notes))


def _end(run: Run) -> str:
    """How a run failed; empty if it did not."""
    return exit_text(run.exit_code) if run.exit_code != 0 else ""


def _failed(name: str, runs: Sequence[Run]) -> str:
    ends = [end for end in map(_end, runs) if end]
    how = ", ".join(dict.fromkeys(ends))
    return f"{name}: {len(ends)} of {len(runs)} repeats failed ({how}) and are left out"


def _row(key: RunKey, runs: Sequence[Run], times_s: Sequence[float], stated: Interval | None) -> list[str]:
    shares = [
        run.mpi_s / run.app_s for run in runs if run.exit_code == 0 and run.app_s and run.mpi_s is not None
    ]
    interval = stated or median_interval(times_s)
    several = stated is not None or len(times_s) > 1
    return [
        key.label,
        key.source,
        str(len(times_s)),
        seconds_text(interval.expected),
        f"{seconds_text(interval.low)} to {seconds_text(interval.high)}" if several else "none",
        "not known" if interval.confidence is None else confidence_text(interval.confidence),
        seconds_text(min(times_s)),
        seconds_text(max(times_s)),
        percent_text(sum(shares) / len(shares)) if shares else "not observed",
    ]
