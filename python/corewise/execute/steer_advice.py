"""What a steered run's log advises beyond swaps: where the kernel's own means would serve better."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from corewise.files.steer_seen import SeenInterval

LAST_PART = 1 / 3  # of the run: behind the swaps that were tried
# As preload/steer/settings.c has them: protocol_share, capability_margin, low_idleness, packet_ns.
PROTOCOL_SHARE = 0.6
LEAST_OF_CORE = 0.05
LOW_IDLENESS = 0.2
PACKET_S = 700e-9


def flow_steering_advice(node: int, seen: Sequence[SeenInterval]) -> str | None:
    """A sentence where one core still works on most packets and no rank waits enough to share it; else None.

    Receive flow steering has each packet worked on by the core of the process that reads it, so that no
    core is left with the work of all.
    """
    kept = seen[-max(1, round(len(seen) * LAST_PART)) :] if seen else []
    packets = Counter[int]()
    for interval in kept:
        packets.update(interval.packets)
    length_s, whole = sum(interval.length_s for interval in kept), packets.total()
    if not whole or not length_s:
        return None
    core, n_packets = packets.most_common(1)[0]
    taken = n_packets * PACKET_S / length_s
    if n_packets < PROTOCOL_SHARE * whole or taken < LEAST_OF_CORE:
        return None
    there = [rank for each in kept for rank in each.ranks if rank.node == node and rank.core == core]
    waited, computed = sum(rank.wait_s for rank in there), sum(rank.compute_s for rank in there)
    if not there or waited > LOW_IDLENESS * computed:
        return None
    return (
        f"core {core} works on {n_packets / whole:.0%} of the node's packets, about {min(taken, 1):.0%} of "
        f"its time, and rank {there[-1].rank} there hardly waits; receive flow steering "
        "(rps_sock_flow_entries, rps_flow_cnt) would have each core work on what its own rank receives"
    )
