"""Tables of a matrix or a profile: pairs, message sizes, calls, phases, regions, communicators."""

from __future__ import annotations

from typing import Any

import numpy as np

from corewise.model import CommMatrix, Layer, Profile, RowFlow
from corewise.profile.inputs import Input, layer_named

# Pairs and sizes that a JSON document lists; beyond, it would be larger than the profile.
MOST_LISTED = 2**20


def top_pairs(matrix: CommMatrix, count: int) -> list[dict[str, Any]]:
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


def size_histogram(profile: Profile, layer: str) -> list[dict[str, Any]]:
    """Messages by size class, ascending, empty classes left out.

    Keys least_bytes, most_bytes (inclusive), messages, bytes, self-messages included. A message of a
    collective is what goes from one member to another by its logical flow; `layer` is one of LAYERS, and the
    sizes that an algorithm sends are not known: there are none for it.
    """
    rows = profile.columns()
    wanted = _sends_in(profile, rows, layer)
    classes = rows["size_class"][wanted]
    messages = _sums(classes, rows["messages"][wanted])
    sent_bytes = _sums(classes, rows["sent_bytes"][wanted])
    return [
        _size_range(k) | {"messages": messages[k], "bytes": sent_bytes[k]}
        for k in sorted(messages)
        if messages[k]
    ]


def sizes_by_pair(profile: Profile, layer: str) -> list[dict[str, Any]] | None:
    """Messages by pair and size class, sorted by src, dst and class; None for more than MOST_LISTED entries.

    Keys src, dst, class (bits of the size: class k holds 2^(k-1) <= bytes < 2^k), messages, bytes: frequency
    and volume as in Figures 3 and 4 of the HPL paper. Collectives as in size_histogram().
    """
    rows = profile.columns()
    classes = np.unique(rows["size_class"][_sends_in(profile, rows, layer)]).tolist()
    table: list[dict[str, int]] = []
    for k in classes:
        matrix = profile.size_class_matrix(Layer[layer], k)
        if len(table) + matrix.n_entries > MOST_LISTED:
            return None
        columns = matrix.columns()
        for src, dst, sent_bytes, messages in zip(*(column.tolist() for column in columns), strict=True):
            table.append({"src": src, "dst": dst, "class": k, "messages": messages, "bytes": sent_bytes})
    return sorted(table, key=lambda row: (row["src"], row["dst"], row["class"]))


def _sends_in(profile: Profile, rows: dict[str, np.ndarray], layer: str) -> np.ndarray:
    """Which rows hold messages of the layer; none where `layer` names an algorithm."""
    layer_of_call = np.array([call.layer.name == layer for call in profile.calls], dtype=bool)
    sends: np.ndarray = layer_of_call[rows["call"]] & (rows["messages"] > 0)
    return sends


def _size_range(size_class: int) -> dict[str, Any]:
    return {"least_bytes": 2 ** (size_class - 1) if size_class else 0, "most_bytes": 2**size_class - 1}


def phase_table(found: Input) -> list[dict[str, Any]]:
    """The phases in order: keys repeat, bytes, messages.

    Those of a profile also have begin_s and end_s (from the begin of the job on) and pattern: phases with the
    same number talk alike.
    """
    table = []
    for phase in found.traffic.phases:
        row: dict[str, float] = {
            "repeat": phase.repeat,
            "bytes": phase.matrix.bytes,
            "messages": phase.matrix.messages,
        }
        if phase.when is not None:
            begin_s, end_s = phase.when
            row = {"begin_s": begin_s, "end_s": end_s, "pattern": phase.pattern} | row
        table.append(row)
    return table


def region_table(profile: Profile, layer: str) -> list[dict[str, Any]]:
    """What was sent under each level that MPI_Pcontrol was given: keys level, bytes, messages."""
    return [
        {"level": level, "bytes": matrix.bytes, "messages": matrix.messages}
        for level, matrix in profile.regions(*layer_named(layer))
    ]


def comm_table(profile: Profile) -> list[dict[str, Any]]:
    """Calls and messages of each communicator, most bytes first.

    Keys name, n_ranks, by_identity, count, messages, bytes. `by_identity` False: all communicators of the
    same members together. Rows without a communicator are left out.
    """
    rows = profile.columns()
    known = rows["comm"] >= 0
    index = rows["comm"][known]
    counts = _sums(index, np.where(rows["own_call"], rows["count"], 0)[known])
    messages = _sums(index, rows["messages"][known])
    sent_bytes = _sums(index, rows["sent_bytes"][known])
    comms = profile.comms
    table = [
        {
            "name": comms[i].name,
            "n_ranks": len(comms[i].members),
            "by_identity": comms[i].by_identity,
            "count": counts[i],
            "messages": messages[i],
            "bytes": sent_bytes[i],
        }
        for i in counts
    ]
    return sorted(table, key=lambda row: -row["bytes"])


def world_table(profile: Profile) -> list[dict[str, Any]]:
    """Each MPI_COMM_WORLD of the job: keys first_rank, n_ranks, spawned (by MPI_Comm_spawn)."""
    return [
        {"first_rank": first, "n_ranks": n_ranks, "spawned": i > 0}
        for i, (first, n_ranks) in enumerate(profile.worlds)
    ]


def wait_table(profile: Profile) -> list[dict[str, Any]]:
    """Who waited for whom, most time first, ties in rank order; at most MOST_LISTED pairs.

    Keys waiter, awaited, time_s, count (messages waited for, of either direction). Empty where the tracer
    recorded no waiting.
    """
    rows = profile.columns()
    waited = np.flatnonzero((rows["flow"] == int(RowFlow.waited)) & (rows["peer"] >= 0))
    pairs = rows["rank"][waited].astype(np.int64) * profile.n_ranks + rows["peer"][waited]
    keys, pair_of_row = np.unique(pairs, return_inverse=True)
    times = np.bincount(pair_of_row, rows["time_s"][waited], len(keys))
    counts = _sums(pair_of_row, rows["count"][waited])
    return [
        {
            "waiter": int(keys[i]) // profile.n_ranks,
            "awaited": int(keys[i]) % profile.n_ranks,
            "time_s": float(times[i]),
            "count": counts[i],
        }
        for i in np.argsort(-times, kind="stable")[:MOST_LISTED].tolist()
    ]


def event_totals(profile: Profile) -> dict[str, Any] | None:
    """Events that the files hold: keys count, bytes (of the files), left_out; None without any."""
    if profile.n_events == 0 and profile.n_events_dropped == 0:
        return None
    return {
        "count": profile.n_events,
        "bytes": profile.event_bytes,
        "left_out": profile.n_events_dropped,
    }


def call_table(profile: Profile) -> list[dict[str, Any]]:
    """Each MPI call used, all ranks together, most time first.

    Keys call, layer, count, bytes, time_s; `bytes` is what leaves its callers, of collectives by their
    logical flow, and 0 for calls that only receive or wait.
    """
    rows = profile.columns()
    calls_alone = rows["flow"] != int(RowFlow.waited)  # whose time the calls that waited have too
    counts = _sums(rows["call"], np.where(rows["own_call"], rows["count"], 0))
    sent_bytes = _sums(rows["call"], rows["sent_bytes"])
    times = np.bincount(rows["call"], np.where(calls_alone, rows["time_s"], 0), len(profile.calls))
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
