"""Tables of a matrix or a profile: pairs, message sizes, calls, phases, regions, communicators."""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec import structs

from corewise import model
from corewise.errors import InputError
from corewise.model import CommMatrix, Layer, Profile, RowFlow
from corewise.nouns.input_summary import (
    CallTotals,
    CommTotals,
    EventTotals,
    InputSummary,
    NodeRatio,
    PairSizes,
    PhaseTotals,
    RankTimes,
    RegionTotals,
    SizeClass,
    TopPair,
    Wait,
    World,
)
from corewise.nouns.run import seen_alike
from corewise.profile.inputs import Input, layer_named

# A JSON document with more pairs and sizes would be larger than the profile.
MOST_LISTED = 2**20
TOP_PAIRS = 8
MOST_WAITS = 256


def top_pairs(matrix: CommMatrix, count: int) -> list[TopPair]:
    """The ordered pairs of different ranks with most bytes, ties in rank order."""
    src, dst, sent_bytes, messages = matrix.columns()
    between = np.flatnonzero(src != dst)
    if len(between) > count > 0:  # sort only pairs that can be among the first `count`
        least = np.partition(sent_bytes[between], -count)[-count]
        between = between[sent_bytes[between] >= least]
    # lexsort's last key counts first; ~x reverses the order of unsigned numbers.
    order = between[np.lexsort((dst[between], src[between], ~sent_bytes[between]))[:count]]
    return [
        TopPair(s, d, n_bytes, n_messages, n_bytes / (matrix.bytes or 1))
        for s, d, n_bytes, n_messages in zip(
            *(column[order].tolist() for column in (src, dst, sent_bytes, messages)), strict=True
        )
    ]


def size_histogram(profile: Profile, layer: str) -> list[SizeClass]:
    """Messages by size class, ascending, empty classes left out, self-messages included.

    A message of a collective is what one member sends another by logical flow. `layer` is one of LAYERS; the
    histogram of an algorithm's layer is empty, because its message sizes are unknown.
    """
    rows = profile.columns()
    wanted = _sends_in(profile, rows, layer)
    classes = rows["size_class"][wanted]
    messages = _sums(classes, rows["messages"][wanted])
    sent_bytes = _sums(classes, rows["sent_bytes"][wanted])
    return [
        SizeClass(2 ** (k - 1) if k else 0, 2**k - 1, messages[k], sent_bytes[k])
        for k in sorted(messages)
        if messages[k]
    ]


def sizes_by_pair(profile: Profile, layer: str) -> list[PairSizes] | None:
    """Messages by pair and size class, sorted by src, dst and class; None for more than MOST_LISTED entries.

    Figures 3 and 4 of the HPL paper show this data. Collectives count as in size_histogram().
    """
    rows = profile.columns()
    classes = np.unique(rows["size_class"][_sends_in(profile, rows, layer)]).tolist()
    table: list[PairSizes] = []
    for k in classes:
        matrix = profile.size_class_matrix(Layer[layer], k)
        if len(table) + matrix.n_entries > MOST_LISTED:
            return None
        columns = matrix.columns()
        for src, dst, sent_bytes, messages in zip(*(column.tolist() for column in columns), strict=True):
            table.append(PairSizes(src, dst, k, messages, sent_bytes))
    return sorted(table, key=lambda row: (row.src, row.dst, row.size_class))


def _sends_in(profile: Profile, rows: dict[str, np.ndarray], layer: str) -> np.ndarray:
    """A mask of the rows with messages of the layer; all False if `layer` names an algorithm."""
    layer_of_call = np.array([call.layer.name == layer for call in profile.calls], dtype=bool)
    sends: np.ndarray = layer_of_call[rows["call"]] & (rows["messages"] > 0)
    return sends


def phase_table(found: Input) -> list[PhaseTotals]:
    """The phases in order."""
    return [
        PhaseTotals(
            begin_s=phase.when and phase.when[0],
            end_s=phase.when and phase.when[1],
            pattern=phase.pattern if phase.when else None,
            repeat=phase.repeat,
            bytes=phase.matrix.bytes,
            messages=phase.matrix.messages,
        )
        for phase in found.traffic.phases
    ]


def region_table(profile: Profile, layer: str) -> list[RegionTotals]:
    """What was sent under each level of MPI_Pcontrol."""
    return [
        RegionTotals(level, matrix.bytes, matrix.messages)
        for level, matrix in profile.regions(*layer_named(layer))
    ]


def comm_table(profile: Profile) -> list[CommTotals]:
    """Totals by communicator, most bytes first; rows of the profile without a communicator are left out."""
    rows = profile.columns()
    known = rows["comm"] >= 0
    index = rows["comm"][known]
    counts = _sums(index, np.where(rows["own_call"], rows["count"], 0)[known])
    messages = _sums(index, rows["messages"][known])
    sent_bytes = _sums(index, rows["sent_bytes"][known])
    comms = profile.comms
    table = [
        CommTotals(
            comms[i].name, len(comms[i].members), comms[i].by_identity, counts[i], messages[i], sent_bytes[i]
        )
        for i in counts
    ]
    return sorted(table, key=lambda row: -row.bytes)


def world_table(profile: Profile) -> list[World]:
    """Each MPI_COMM_WORLD of the job."""
    return [World(first, n_ranks, i > 0) for i, (first, n_ranks) in enumerate(profile.worlds)]


def wait_table(profile: Profile) -> list[Wait]:
    """Who waited for whom, most time first, ties in rank order; at most MOST_LISTED pairs.

    Empty if the tracer recorded no waiting.
    """
    rows = profile.columns()
    waited = np.flatnonzero((rows["flow"] == int(RowFlow.waited)) & (rows["peer"] >= 0))
    pairs = rows["rank"][waited].astype(np.int64) * profile.n_ranks + rows["peer"][waited]
    keys, pair_of_row = np.unique(pairs, return_inverse=True)
    times = np.bincount(pair_of_row, rows["time_s"][waited], len(keys))
    counts = _sums(pair_of_row, rows["count"][waited])
    return [
        Wait(*divmod(int(keys[i]), profile.n_ranks), float(times[i]), counts[i])
        for i in np.argsort(-times, kind="stable")[:MOST_LISTED].tolist()
    ]


def event_totals(profile: Profile) -> EventTotals | None:
    """The number and size of the recorded events; None without any events."""
    if profile.n_events == 0 and profile.n_events_dropped == 0:
        return None
    return EventTotals(profile.n_events, profile.event_bytes, profile.n_events_dropped)


def call_table(profile: Profile) -> list[CallTotals]:
    """Each MPI call used, most time first."""
    rows = profile.columns()
    calls_alone = rows["flow"] != int(RowFlow.waited)  # rows of waits repeat time that is in rows of calls
    counts = _sums(rows["call"], np.where(rows["own_call"], rows["count"], 0))
    sent_bytes = _sums(rows["call"], rows["sent_bytes"])
    times = np.bincount(rows["call"], np.where(calls_alone, rows["time_s"], 0), len(profile.calls))
    table = [
        CallTotals(
            call=profile.calls[i].name,
            layer=profile.calls[i].layer.name,
            count=counts[i],
            bytes=sent_bytes[i],
            time_s=float(times[i]),
        )
        for i in counts
    ]
    return sorted(table, key=lambda row: (-row.time_s, row.call))


def rank_table(profile: Profile) -> list[RankTimes]:
    """The ranks whose calls were timed, in rank order; empty if calls were only counted."""
    timed = [(number, rank) for number, rank in enumerate(profile.ranks) if rank.traced and rank.wall_s > 0]
    if not any(rank.mpi_s for _, rank in timed):
        return []
    return [RankTimes(number, rank.host, rank.wall_s, rank.mpi_s) for number, rank in timed]


def summary(found: Input, layer: str, matrix: CommMatrix, ratio: NodeRatio | None) -> InputSummary:
    """All tables; `matrix` is the sum of the input's phases."""
    profile = found.profile
    of_profile: dict[str, Any] = {}
    if profile is not None:
        of_profile = {
            "worlds": world_table(profile),
            "regions": region_table(profile, layer),
            "sizes": size_histogram(profile, layer),
            "calls": call_table(profile),
            "communicators": comm_table(profile),
            "ranks": rank_table(profile),
            "waits": wait_table(profile),
            "events": event_totals(profile),
            "devices": seen_alike(
                (number, rank.device_variables, rank.device_files)
                for number, rank in enumerate(profile.ranks)
            ),
        }
    return InputSummary(
        name=found.name,
        kind=found.kind,
        layer=layer,
        n_ranks=matrix.n_ranks,
        bytes=matrix.bytes,
        messages=matrix.messages,
        self_bytes=matrix.self_bytes,
        ratio=ratio,
        phases=phase_table(found),
        complete=found.complete,
        top_pairs=top_pairs(matrix, TOP_PAIRS),
        faults=list(found.faults),
        **of_profile,
    )


def seen_ratio(found: Input, matrix: CommMatrix) -> NodeRatio | None:
    """The ratio for the nodes in the profile; None if a rank did not report its node."""
    nodes = [rank.node for rank in found.profile.ranks] if found.profile else []
    return nodes_ratio(matrix, nodes) if nodes and min(nodes) >= 0 else None


def kept_summary(found: Input) -> InputSummary:
    """All tables, as results keep them: only the longest MOST_WAITS waits."""
    matrix = found.traffic.folded()
    whole = summary(found, found.layer, matrix, seen_ratio(found, matrix))
    return structs.replace(whole, waits=whole.waits[:MOST_WAITS])


def _sums(keys: np.ndarray, amounts: np.ndarray) -> dict[int, int]:
    """key -> sum of its amounts, exact (bincount's floats are not)."""
    unique, place = np.unique(keys, return_inverse=True)
    totals = np.zeros(len(unique), dtype=np.uint64)
    np.add.at(totals, place, amounts.astype(np.uint64))
    return dict(zip(unique.tolist(), totals.tolist(), strict=True))


def block_ratio(matrix: model.CommMatrix, ranks_per_node: int) -> NodeRatio:
    """The ratio if ranks 0..K-1 are on the first node, the next K on the second, ... (block mapping).

    Raises InputError unless K is at least 1.
    """
    if ranks_per_node < 1:
        raise InputError(f"{ranks_per_node} ranks a node; expected 1 or more")
    import numpy as np

    nodes = np.arange(matrix.n_ranks, dtype=np.int32) // min(ranks_per_node, matrix.n_ranks)
    by_bytes, by_messages = model.inter_over_intra(matrix, nodes)
    n_nodes = -(-matrix.n_ranks // ranks_per_node)
    return NodeRatio(ranks_per_node, by_bytes, by_messages, n_nodes, "block mapping")


def nodes_ratio(matrix: model.CommMatrix, nodes: list[int]) -> NodeRatio:
    """The ratio for the nodes that the ranks ran on, indexed by rank."""
    import numpy as np

    by_bytes, by_messages = model.inter_over_intra(matrix, np.array(nodes, dtype=np.int32))
    sizes = {n for n in np.bincount(nodes).tolist() if n > 0}
    return NodeRatio(
        sizes.pop() if len(sizes) == 1 else None, by_bytes, by_messages, len(set(nodes)), "nodes seen"
    )
