"""Tables of a matrix or a profile: the pairs with most bytes, message sizes, calls."""

from __future__ import annotations

import numpy as np

from corewise.model import CommMatrix, Layer, Profile, RowFlow


def top_pairs(matrix: CommMatrix, count: int) -> list[dict]:
    """The ordered pairs of different ranks with most bytes, ties in rank order.

    Keys src, dst, bytes, messages, share; `share` is of all bytes between different ranks, 0 to 1.
    """
    src, dst, sent_bytes, messages = matrix.columns()
    between = np.flatnonzero(src != dst)
    # lexsort's last key counts first; ~x reverses the order of unsigned numbers.
    order = between[np.lexsort((dst[between], src[between], ~sent_bytes[between]))[:count]]
    return [
        {
            "src": int(src[i]),
            "dst": int(dst[i]),
            "bytes": int(sent_bytes[i]),
            "messages": int(messages[i]),
            "share": int(sent_bytes[i]) / (matrix.bytes or 1),
        }
        for i in order
    ]


def size_histogram(profile: Profile, layer: str) -> list[dict]:
    """Messages by size class, ascending, empty classes left out.

    Keys least_bytes, most_bytes (inclusive), messages, bytes. For collectives a message is what one call
    sends to one member.
    """
    rows = profile.columns()
    layer_of_call = np.array([call.layer == Layer[layer] for call in profile.calls], dtype=bool)
    wanted = layer_of_call[rows["call"]] & (rows["flow"] != int(RowFlow.none))
    classes = rows["size_class"][wanted]
    messages = _sums(classes, rows["count"][wanted])
    sent_bytes = _sums(classes, rows["bytes"][wanted])
    return [
        {
            "least_bytes": 2 ** (k - 1) if k else 0,
            "most_bytes": 2**k - 1,
            "messages": messages[k],
            "bytes": sent_bytes[k],
        }
        for k in sorted(messages)
        if messages[k]
    ]


def call_table(profile: Profile) -> list[dict]:
    """Each MPI call used, all ranks together, most time first.

    Keys call, layer, count, bytes, time_s; `bytes` is what the call itself sends (a collective's own size),
    0 for calls that only receive or wait.
    """
    rows = profile.columns()
    counts = _sums(rows["call"], np.where(rows["own_call"], rows["count"], 0))
    sent_bytes = _sums(rows["call"], rows["bytes"])
    times = np.bincount(rows["call"], rows["time_s"], len(profile.calls))
    table = [
        {
            "call": profile.calls[i].name,
            "layer": profile.calls[i].layer.name,
            "count": counts[i],
            "bytes": sent_bytes[i],
            "time_s": float(times[i]),
        }
        for i in counts
    ]
    return sorted(table, key=lambda row: (-row["time_s"], row["call"]))


def _sums(keys: np.ndarray, amounts: np.ndarray) -> dict[int, int]:
    """key -> sum of its amounts, exact (bincount's floats are not)."""
    unique, place = np.unique(keys, return_inverse=True)
    totals = np.zeros(len(unique), dtype=np.uint64)
    np.add.at(totals, place, amounts.astype(np.uint64))
    return dict(zip(unique.tolist(), totals.tolist(), strict=True))
