"""Tables on the program for the page's data: calls, time of each rank in MPI, who waits for whom."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from corewise.nouns.input_summary import CallTotals, InputSummary, RankTimes, Wait
from corewise.nouns.page_data import PageColumn, PageTable


def program_tables(summary: InputSummary | None) -> list[PageTable]:
    """The tables that have rows; empty for a matrix."""
    if summary is None:
        return []
    tables = []
    if summary.calls:
        tables.append(_calls(summary.calls))
    if summary.ranks:
        tables.append(_ranks(summary.ranks))
    if summary.waits:
        tables.append(_waits(summary.waits))
    return tables


def _calls(calls: Sequence[CallTotals]) -> PageTable:
    all_s = sum(call.time_s for call in calls) or 1.0
    columns = [
        PageColumn("call", "text", [call.call for call in calls]),
        PageColumn("layer", "text", [call.layer for call in calls]),
        PageColumn("count", "count", [call.count for call in calls]),
        PageColumn("bytes", "bytes", [call.bytes for call in calls]),
        PageColumn("time", "seconds", [call.time_s for call in calls]),
        PageColumn("time a call", "seconds", [call.time_s / max(call.count, 1) for call in calls]),
        PageColumn("share of the time in MPI", "share", [call.time_s / all_s for call in calls]),
    ]
    return PageTable(name="calls", title="MPI calls, all ranks together", columns=columns)


def _ranks(ranks: Sequence[RankTimes]) -> PageTable:
    ordered = sorted(ranks, key=lambda rank: (-rank.mpi_s, rank.rank))
    outside_s = [max(0.0, rank.app_s - rank.mpi_s) for rank in ordered]
    mean_s = fmean(outside_s) or 1.0
    columns = [
        PageColumn("rank", "rank", [rank.rank for rank in ordered]),
        PageColumn("host", "text", [rank.host for rank in ordered]),
        PageColumn("time", "seconds", [rank.app_s for rank in ordered]),
        PageColumn("in MPI", "seconds", [rank.mpi_s for rank in ordered]),
        PageColumn("share in MPI", "share", [rank.mpi_s / rank.app_s for rank in ordered]),
        PageColumn("outside MPI", "seconds", outside_s),
        PageColumn("outside MPI / mean − 1", "share", [time_s / mean_s - 1 for time_s in outside_s]),
    ]
    return PageTable(name="rank-times", title="Ranks: time inside and outside MPI", columns=columns)


def _waits(waits: Sequence[Wait]) -> PageTable:
    columns = [
        PageColumn("waiting rank", "rank", [wait.waiter for wait in waits]),
        PageColumn("awaited rank", "partner", [wait.awaited for wait in waits]),
        PageColumn("time", "seconds", [wait.time_s for wait in waits]),
        PageColumn("messages", "count", [wait.count for wait in waits]),
    ]
    return PageTable(name="waits", title="Who waits for whom, longest first", columns=columns)
