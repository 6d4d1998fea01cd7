"""An input in words and aligned columns: what `corewise show` prints around the heat map."""

from __future__ import annotations

from corewise.model import CommMatrix
from corewise.profile.inputs import Input
from corewise.profile.ratio import NodeRatio
from corewise.text.quantities import bytes_text, percent_text, seconds_text
from corewise.text.table import text_table

TOP_CALLS = 12
BAR_WIDTH = 30


def summary(found: Input, layer: str, matrix: CommMatrix, ratio: NodeRatio | None) -> list[str]:
    """What it is, its totals and its ratio, one line each; `matrix` is its traffic folded."""
    lines = [
        f"{found.name}  ({found.kind}, {layer}{'' if found.complete else ', incomplete'})",
        f"ranks      {matrix.n_ranks:,}",
        f"traffic    {bytes_text(matrix.bytes)} in {matrix.messages:,} messages between ranks",
        f"to itself  {bytes_text(matrix.self_bytes)}",
        f"ratio      {_ratio(ratio)}",
    ]
    if len(found.traffic.phases) > 1:
        lines.append(f"phases     {len(found.traffic.phases)}")
    return lines


def pairs(rows: list[dict]) -> list[str]:
    """The table of tables.top_pairs."""
    cells = [
        (
            f"{row['src']}",
            f"{row['dst']}",
            bytes_text(row["bytes"]),
            f"{row['messages']:,}",
            percent_text(row["share"]),
        )
        for row in rows
    ]
    return text_table(
        "Pairs with most bytes", (">src", ">dst", ">bytes", ">messages", ">of all bytes"), cells
    )


def sizes(rows: list[dict]) -> list[str]:
    """The table of tables.size_histogram, with a bar of bytes."""
    most = max((row["bytes"] for row in rows), default=0) or 1
    cells = [
        (
            f"{bytes_text(row['least_bytes'])} - {bytes_text(row['most_bytes'])}",
            f"{row['messages']:,}",
            bytes_text(row["bytes"]),
            "#" * round(BAR_WIDTH * row["bytes"] / most),
        )
        for row in rows
    ]
    return text_table("Message sizes", ("<size", ">messages", ">bytes", "<"), cells)


def calls(rows: list[dict]) -> list[str]:
    """The table of tables.call_table, the first TOP_CALLS."""
    cells = [
        (
            row["call"],
            f"{row['count']:,}",
            bytes_text(row["bytes"]) if row["bytes"] else "",
            seconds_text(row["time_s"]),
            seconds_text(row["time_s"] / row["count"]) if row["count"] else "",
        )
        for row in rows[:TOP_CALLS]
    ]
    shown = f", {TOP_CALLS} of {len(rows)}" if len(rows) > TOP_CALLS else ""
    title = f"Calls, all ranks together{shown}"
    return text_table(title, ("<call", ">count", ">bytes", ">time", ">time a call"), cells)


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
