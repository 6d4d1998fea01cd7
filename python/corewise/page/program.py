"""Section: the program's behaviour: phases, regions, message sizes and communicators."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean

from corewise.nouns.input_summary import InputSummary
from corewise.nouns.tune_result import TuneResult
from corewise.page import tables
from corewise.profile import text
from corewise.text.quantities import percent_text, seconds_text

TITLE = "What the program does"
OF_DATA = ("Pairs", "Calls", "Ranks", "Who waits")  # titles of tables that another section shows


@dataclass(frozen=True)
class Context:
    """What the template shows: sentences, and tables by title."""

    sentences: list[str]
    tables: dict[str, tables.Context]


def context(result: TuneResult) -> Context | None:
    """The program's behaviour; None for a matrix, which has no calls."""
    summary = result.summary
    if summary is None or not summary.calls:
        return None
    listed = {
        title: tables.context(table)
        for title, table in text.tables(summary).items()
        if not title.startswith(OF_DATA)
    }
    sentences = [shares_text(summary), imbalance_text(summary), collectives_text(summary)]
    return Context([sentence for sentence in sentences if sentence], listed)


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
