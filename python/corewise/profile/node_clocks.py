"""Sentences on how well the clocks of nodes could be synchronised from the messages between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corewise.text.quantities import seconds_text

if TYPE_CHECKING:
    from corewise.model import EventLog, NodeClockInfo


def clock_sentences(log: EventLog) -> list[str]:
    """Sentences on how well times of different nodes can be compared; empty for one node."""
    nodes = log.node_clocks
    if len(nodes) < 2:
        return []
    bound = sum(node.error_s is not None for node in nodes)
    sentences = []
    if bound > 1:
        sentences.append(
            f"times of {bound} nodes: corrected by the messages between them, wrong by at most "
            f"{seconds_text(log.clock_error_s)}"
        )
    unbound = [node.host for node in nodes if node.error_s is None]
    if unbound:
        sentences.append(
            f"times of {', '.join(unbound)}: by their own clocks, perhaps far off: no messages bind them "
            "from both sides"
        )
    return sentences


def error_text(node: NodeClockInfo) -> str:
    """The error of a node's times in s, for files of other tools."""
    return "unknown" if node.error_s is None else f"{node.error_s:.3g}"
