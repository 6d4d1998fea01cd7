"""The text of `corewise show`: totals and tables of an input, without the heat map."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from corewise.text.quantities import bytes_text, index_text, percent_text, seconds_text
from corewise.text.table import TextTable

if TYPE_CHECKING:
    from corewise.model import CommMatrix, Profile
    from corewise.nouns.input_summary import (
        CallTotals,
        CommTotals,
        InputSummary,
        NodeRatio,
        PhaseTotals,
        RankTimes,
        RegionTotals,
        SizeClass,
        TopPair,
        Wait,
    )
    from corewise.nouns.run import SeenDevices
    from corewise.profile.inputs import Input

TOP_CALLS = 12
TOP_COMMS = 8
TOP_DEVICES = 16
TOP_RANKS = 8
TOP_WAITS = 8
BAR_WIDTH = 30


def summary(found: Input, layer: str, matrix: CommMatrix, ratio: NodeRatio | None) -> list[str]:
    """Name, totals and ratio, one line each; `matrix` is the sum of the input's phases."""
    lines = [
        f"{found.name}  ({found.kind}, {layer}{'' if found.complete else ', incomplete'})",
        f"ranks      {matrix.n_ranks:,}",
        f"traffic    {bytes_text(matrix.bytes)} in {matrix.messages:,} messages between ranks",
        f"to itself  {bytes_text(matrix.self_bytes)}",
        f"ratio      {_ratio(ratio)}",
    ]
    if found.profile is not None and len(found.profile.worlds) > 1:
        lines[1] += f": {_worlds(found.profile)}"
    if found.profile is not None and found.profile.n_events:
        lines.append(f"events     {event_totals(found.profile)}")
    return lines


def _worlds(profile: Profile) -> str:
    """Which ranks are of which MPI_COMM_WORLD."""
    (_, n_started), *spawned = profile.worlds
    ranges = [f"{first}-{first + n - 1}" if n > 1 else f"{first}" for first, n in spawned]
    started = f"0-{n_started - 1}" if n_started > 1 else "0"
    return f"{started} started by the launcher, {', '.join(ranges)} spawned"


def event_totals(profile: Profile) -> str:
    """The number of events of a profile, their bytes, and how many were left out; at least one event."""
    left_out = f", {profile.n_events_dropped:,} left out" if profile.n_events_dropped else ""
    each = profile.event_bytes / profile.n_events
    return f"{profile.n_events:,} in {bytes_text(profile.event_bytes)}, {each:.1f} B each{left_out}"


def tables(found: InputSummary) -> dict[str, TextTable]:
    """Every table of the input that has a row, by its title, in the order in which people read them."""
    titled = (
        _phases(found.phases),
        _regions(found.regions),
        _pairs(found.top_pairs),
        _sizes(found.sizes),
        _calls(found.calls),
        _ranks(found.ranks),
        _waits(found.waits),
        _comms(found.communicators),
        devices_table(found.devices),
    )
    return {title: table for title, table in titled if table.rows}


def _phases(rows: list[PhaseTotals]) -> tuple[str, TextTable]:
    """Title and table; empty for a single phase. Phases of one pattern have the same letter."""
    cells = [
        (
            f"{number}",
            f"{row.begin_s:.2f} - {row.end_s:.2f} s" if row.begin_s is not None else "",
            bytes_text(row.bytes),
            f"{row.messages:,}",
            f"{row.repeat:,}",
            chr(ord("A") + row.pattern) if row.pattern is not None else "",
        )
        for number, row in enumerate(rows)
        if len(rows) > 1
    ]
    heads = (">phase", "<time", ">bytes", ">messages", ">repeated", "<pattern")
    return "Phases (map --phase N maps one of them)", TextTable(heads, cells)


def _regions(rows: list[RegionTotals]) -> tuple[str, TextTable]:
    """Title and table; empty for a single region."""
    cells = [(f"{row.level}", bytes_text(row.bytes), f"{row.messages:,}") for row in rows if len(rows) > 1]
    heads = (">level", ">bytes", ">messages")
    return "Regions, by the level that MPI_Pcontrol was given", TextTable(heads, cells)


def _comms(rows: list[CommTotals]) -> tuple[str, TextTable]:
    """The first TOP_COMMS; empty for a single communicator."""
    cells = [
        (
            _one_line(row.name) or ("" if row.by_identity else "all of these members"),
            f"{row.n_ranks}" if row.n_ranks else "unknown",
            f"{row.count:,}",
            f"{row.messages:,}",
            bytes_text(row.bytes),
        )
        for row in rows[:TOP_COMMS]
    ]
    shown = f", {TOP_COMMS} of {len(rows)}" if len(rows) > TOP_COMMS else ""
    heads = ("<name", ">ranks", ">calls", ">messages", ">bytes")
    return f"Communicators, all layers together{shown}", TextTable(heads, cells if len(rows) > 1 else [])


def _one_line(name: str) -> str:
    """A name from the program, without control characters, which would break the table."""
    return re.sub(r"[\x00-\x1f\x7f]", "?", name)


def _pairs(rows: list[TopPair]) -> tuple[str, TextTable]:
    cells = [
        (f"{row.src}", f"{row.dst}", bytes_text(row.bytes), f"{row.messages:,}", percent_text(row.share))
        for row in rows
    ]
    heads = (">src", ">dst", ">bytes", ">messages", ">of all bytes")
    return "Pairs with most bytes", TextTable(heads, cells)


def _sizes(rows: list[SizeClass]) -> tuple[str, TextTable]:
    most = max((row.bytes for row in rows), default=0) or 1
    cells = [
        (
            f"{bytes_text(row.least_bytes)} - {bytes_text(row.most_bytes)}",
            f"{row.messages:,}",
            bytes_text(row.bytes),
            "#" * round(BAR_WIDTH * row.bytes / most),
        )
        for row in rows
    ]
    return "Message sizes", TextTable(("<size", ">messages", ">bytes", "<"), cells)


def _calls(rows: list[CallTotals]) -> tuple[str, TextTable]:
    """The first TOP_CALLS."""
    cells = [
        (
            row.call,
            f"{row.count:,}",
            bytes_text(row.bytes) if row.bytes else "",
            seconds_text(row.time_s),
            seconds_text(row.time_s / row.count) if row.count else "",
        )
        for row in rows[:TOP_CALLS]
    ]
    shown = f", {TOP_CALLS} of {len(rows)}" if len(rows) > TOP_CALLS else ""
    title = f"Calls, all ranks together{shown}"
    return title, TextTable(("<call", ">count", ">bytes", ">time", ">time a call"), cells)


def _ranks(rows: list[RankTimes]) -> tuple[str, TextTable]:
    """The TOP_RANKS ranks that were longest in MPI."""
    most_first = sorted(rows, key=lambda row: -row.mpi_s)
    cells = [
        (
            f"{row.rank}",
            row.host,
            seconds_text(row.app_s),
            seconds_text(row.mpi_s),
            percent_text(row.mpi_s / row.app_s) if row.app_s else "",
        )
        for row in most_first[:TOP_RANKS]
    ]
    shown = f", {TOP_RANKS} of {len(rows):,}" if len(rows) > TOP_RANKS else ""
    heads = (">rank", "<host", ">time", ">in MPI", ">share")
    return f"Ranks, longest in MPI first{shown}", TextTable(heads, cells)


def _waits(rows: list[Wait]) -> tuple[str, TextTable]:
    """The first TOP_WAITS."""
    cells = [
        (
            f"{row.waiter}",
            f"{row.awaited}",
            seconds_text(row.time_s),
            f"{row.count:,}",
            seconds_text(row.time_s / row.count) if row.count else "",
        )
        for row in rows[:TOP_WAITS]
    ]
    shown = f", {TOP_WAITS} of {len(rows):,} pairs" if len(rows) > TOP_WAITS else ""
    heads = (">waiter", ">awaited", ">time", ">messages", ">time a message")
    return f"Who waits for whom{shown}", TextTable(heads, cells)


def devices_table(rows: list[SeenDevices]) -> tuple[str, TextTable]:
    """The devices that ranks see; the first TOP_DEVICES rows."""
    cells = [(index_text(row.ranks), row.text) for row in rows[:TOP_DEVICES]]
    shown = f", {TOP_DEVICES} of {len(rows):,} choices" if len(rows) > TOP_DEVICES else ""
    title = f"GPUs and network cards that ranks see{shown}"
    return title, TextTable(("<ranks", "<variables and open device files"), cells)


def _ratio(ratio: NodeRatio | None) -> str:
    if ratio is None:
        return "none without nodes: give --ranks-per-node K"
    nodes = f"{ratio.n_nodes} node{'s' if ratio.n_nodes != 1 else ''}, {ratio.assignment}"
    if ratio.inter_over_intra_messages is None:
        return f"none: nothing is sent within a node ({nodes})"
    by_bytes = ratio.inter_over_intra_bytes
    return (
        f"{'none' if by_bytes is None else f'{by_bytes:.3f}'} of bytes, "
        f"{ratio.inter_over_intra_messages:.3f} of messages: between nodes over within them ({nodes})"
    )
