"""What a steered run's log advises beyond swaps: where the kernel's own means would serve better."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from corewise.nouns.steered_run import Decision, SeenInterval, SteeredLog

LAST_PART = 1 / 3  # of the run: behind the swaps that were tried
ALMOST = 0.999  # a sum of intervals that should be a window is less by a rounding


def flow_steering_advice(log: SteeredLog, seen: Sequence[SeenInterval]) -> str | None:
    """A sentence where one core still works on most packets and no rank waits enough to share it; else None.

    `log` and `seen` are what replay() and intervals() tell of one log. Receive flow steering
    has each packet worked on by the core of the process that reads it, so that no core is left with the work
    of all. It is advised only behind windows enough for a swap in which none was found.
    """
    kept = seen[-max(1, round(len(seen) * LAST_PART)) :]
    settings = log.settings
    length_s = sum(interval.length_s for interval in kept)
    windows_s = settings["windows_in_a_row"] * settings["window_ns"] / 1e9
    if not kept or length_s < ALMOST * windows_s or _may_swap(log.decisions, kept[0]):
        return None
    packets = Counter[int]()
    for interval in kept:
        packets.update(interval.packets)
    whole = packets.total()
    if not whole:
        return None
    core, n_packets = packets.most_common(1)[0]
    share, taken = n_packets / whole, n_packets * settings["packet_ns"] / 1e9 / length_s
    if share < settings["protocol_share"] / 1000 or taken < settings["capability_margin"] / 1000:
        return None
    there = [rank for each in kept for rank in each.ranks if rank.node == log.node and rank.core == core]
    waited, computed = sum(rank.wait_s for rank in there), sum(rank.compute_s for rank in there)
    if not there or waited > settings["low_idleness"] / 1000 * computed:
        return None
    return (
        f"core {core} works on {share:.0%} of the node's packets, about {min(taken, 1):.0%} of "
        f"its time, and rank {there[-1].rank} there hardly waits; receive flow steering "
        "(rps_sock_flow_entries, rps_flow_cnt) would have each core work on what its own rank receives"
    )


def _may_swap(decisions: Sequence[Decision], first: SeenInterval) -> bool:
    """Whether a swap was proposed from this interval on, or would have been tried but for a dry run."""
    return any(
        each.action == "swap" and (each.time_s >= first.time_s or each.outcome == "not done: dry run")
        for each in decisions
    )
