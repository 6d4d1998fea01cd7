"""Section: the program's behaviour: phases, regions, message sizes and communicators."""

from __future__ import annotations

from statistics import fmean
from typing import Any

from corewise.nouns.input_summary import InputSummary
from corewise.nouns.tune_result import TuneResult
from corewise.profile import text
from corewise.text.quantities import percent_text, seconds_text

OF_DATA = ("Pairs", "Calls", "Ranks", "Who waits")  # titles of tables that another section shows


def shown(result: TuneResult) -> dict[str, Any] | None:
    """Sentences, and tables by title; None for a matrix, which has no calls."""
    summary = result.summary
    if summary is None or not summary.calls:
        return None
    tables = text.tables(summary)
    sentences = [shares_text(summary), imbalance_text(summary), collectives_text(summary)]
    return {
        "sentences": [sentence for sentence in sentences if sentence],
        "tables": {title: table for title, table in tables.items() if not title.startswith(OF_DATA)},
    }


def shares_text(summary: InputSummary) -> str:
    """The fraction of the run inside MPI; empty if nothing was timed."""
    if not summary.ranks:
        return ""
    run_s, mpi_s = fmean(rank.app_s for rank in summary.ranks), fmean(rank.mpi_s for rank in summary.ranks)
    return (
        f"A rank is inside MPI for {seconds_text(mpi_s)} of {seconds_text(run_s)}, "
        f"{percent_text(mpi_s / run_s)} (means over the ranks of the traced run)."
    )


def imbalance_text(summary: InputSummary) -> str:
    """How unevenly the ranks compute; empty if nothing was timed, and for one rank."""
    computes_s = [max(0.0, rank.app_s - rank.mpi_s) for rank in summary.ranks]
    if len(computes_s) < 2 or not fmean(computes_s):
        return ""
    most = max(range(len(computes_s)), key=computes_s.__getitem__)
    more = percent_text(computes_s[most] / fmean(computes_s) - 1)
    return (
        f"Imbalance: rank {summary.ranks[most].rank} is longest outside MPI, "
        f"{seconds_text(computes_s[most])}, {more} more than the mean (max / mean − 1)."
    )


def collectives_text(summary: InputSummary) -> str:
    """The fraction of MPI time in collectives; empty if calls were not timed."""
    all_s = sum(call.time_s for call in summary.calls)
    if not all_s:
        return ""
    share = sum(call.time_s for call in summary.calls if call.layer == "coll") / all_s
    return f"Collectives take {percent_text(share)} of the time of all MPI calls."
