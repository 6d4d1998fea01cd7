"""The network of a lab's cluster, for machines that are read inside the cluster."""

from __future__ import annotations

import os

from corewise.errors import InputError
from corewise.model import LinkFigures
from corewise.text.quantities import rate_bits_text

RATE_VARIABLE = "COREWISE_LAB_RATE"  # limit of each node's link in bits/s; set by the lab

# A full Ethernet frame has 1514 bytes: headers of Ethernet (14), IP (20) and TCP (32), and 1448 bytes of
# data.
FRAME_BYTES, PAYLOAD_BYTES = 1514, 1448
# A ping-pong of 8 bytes between nodes took 9 to 30 us: Open MPI 4.1 on two loaded cores, 2026-11-22.
LATENCY_S = 20e-6
MEASURED = "ping-pong between namespaces, 2026-11-22"


def lab_figures(n_nodes: int) -> list[tuple[str, LinkFigures]]:
    """Level and figures of the network; empty for one node, and outside a lab with limited links.

    Raises InputError for an invalid rate.
    """
    text = os.environ.get(RATE_VARIABLE, "")
    if n_nodes < 2 or not text:
        return []
    try:
        rate_bits_per_s = float(text)
    except ValueError:
        rate_bits_per_s = 0.0
    if not 0 < rate_bits_per_s < float("inf"):
        raise InputError(f"{RATE_VARIABLE} is '{text}'; expected bits/s as `corewise lab` sets it; unset it")
    bandwidth = rate_bits_per_s / 8 * PAYLOAD_BYTES / FRAME_BYTES
    source = f"the lab's rate, {rate_bits_text(rate_bits_per_s)}; latency: {MEASURED}"
    return [("network", LinkFigures(LATENCY_S, bandwidth, source, tcp=True))]
