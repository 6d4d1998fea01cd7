"""Makes the data for the page's script from the results of `tune` or `report`."""

from __future__ import annotations

import base64
import gzip
from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import median
from typing import Any

import numpy as np

from corewise.errors import InputError
from corewise.machines.devices import device_name
from corewise.machines.machine_text import Heading, machine_toml
from corewise.model import Machine
from corewise.nouns.gain import Gain
from corewise.nouns.page_data import (
    PageData,
    PageDevice,
    PageGain,
    PageLevel,
    PageMachine,
    PagePartners,
    PagePlacement,
    PageShape,
    PageTimeline,
    PageTraffic,
)
from corewise.nouns.placement import Placement
from corewise.nouns.tune_result import Candidate, TuneResult
from corewise.page.links import link_name
from corewise.page.program_tables import program_tables
from corewise.page.rank_tables import Pairs, between_ranks, pair_table, rank_table
from corewise.text.escaping import json_text

MOST_PAIRS = 100_000  # with more ordered pairs, the data has blocks of ranks, at most this many
MOST_BLOCKS = 30_000  # for each placement
MOST_PARTNERS = 32_768  # of all ranks together, if the data has blocks


def page_data(result: TuneResult, timeline: PageTimeline | None = None) -> PageData:
    """The data of a result of `corewise tune`, or of `corewise report` for a matrix or a profile."""
    machine, matrix = result.machine, result.traffic.folded()
    pairs = between_ranks(matrix)
    keeps_blocks = len(pairs[0]) > MOST_PAIRS
    placements = [
        PagePlacement(
            name=one.label,
            node=one.placement.node,
            cores=one.placement.cores,
            link_bytes=[[round(load) for load in level] for level in one.link_bytes],
            gain=_gain(result, one),
            traffic=_by_place(pairs, matrix.n_ranks, machine, one.placement) if keeps_blocks else None,
        )
        for one in result.candidates
    ]
    compared = {one.label: one.placement for one in result.candidates}
    return PageData(
        title=result.title,
        date=result.date,
        machine=page_machine(machine, _hosts(result)),
        placements=placements,
        traffic=page_traffic(pairs, matrix.n_ranks),
        partners=greatest_partners(pairs, matrix.n_ranks) if keeps_blocks else None,
        tables=[
            rank_table(pairs, matrix.n_ranks, machine, compared),
            pair_table(matrix, machine, compared),
            *program_tables(result.summary),
        ],
        files=_texts(compared) | (result.plan.files if result.plan else {}) | _machine_file(result),
        timeline=timeline,
    )


def embedded(data: PageData) -> str:
    """The document as gzip in base64; equal data gives equal bytes."""
    packed = gzip.compress(json_text(data.to_json()).encode(), mtime=0)
    return base64.b64encode(packed).decode()


def page_machine(machine: Machine, hosts: Sequence[str] = ()) -> PageMachine:
    """The machine, with equal nodes once. `hosts` are the names of the nodes, if known."""
    shapes: dict[tuple[str, int], int] = {}  # equal fingerprints of nodes, and equal numbers of devices
    first_of_shape, shape_of_node = [], []
    for node in range(machine.n_nodes):
        key = (machine.node_fingerprint(node), len(machine.devices(node)))
        if key not in shapes:
            shapes[key] = len(shapes)
            first_of_shape.append(node)
        shape_of_node.append(shapes[key])
    order = sorted(range(machine.n_nodes), key=machine.first_core)
    levels = [
        PageLevel(
            level.name, link_name(machine, index), level.latency_s, level.bandwidth_bytes_per_s, level.source
        )
        for index, level in enumerate(machine.levels)
    ]
    return PageMachine(
        name=machine.name,
        levels=levels,
        node_level=machine.node_level,
        shapes=[_shape(machine, node) for node in first_of_shape],
        shape_of_node=shape_of_node,
        node_order=[] if order == list(range(machine.n_nodes)) else order,
        network=[_parents(machine, level) for level in range(machine.node_level, machine.n_levels)],
        hosts=list(hosts),
    )


def page_traffic(pairs: Pairs, n: int, most_blocks: int = 0) -> PageTraffic:
    """The pairs of `n` ranks; of more than MOST_PAIRS, the maxima of at most `most_blocks` blocks."""
    src, dst, n_bytes, messages = pairs
    block, n_pairs = 1, len(src)
    totals = int(n_bytes.sum()), int(messages.sum())
    if n_pairs > MOST_PAIRS:
        block = -(-n // int((most_blocks or MOST_PAIRS) ** 0.5))
        side = -(-n // block)
        cells = (src // block).astype(np.int64) * side + dst // block
        keys = np.flatnonzero(np.bincount(cells, minlength=side * side))
        n_bytes, messages = (_greatest(values, cells, side * side)[keys] for values in (n_bytes, messages))
        src, dst = keys // side, keys % side
    order = np.lexsort((dst, src))
    columns = (column[order].tolist() for column in (src, dst, n_bytes, messages))
    return PageTraffic(n, block, n_pairs, *totals, *columns)


def greatest_partners(pairs: Pairs, n: int) -> PagePartners:
    """The greatest partners of each of `n` ranks, at most MOST_PARTNERS in total."""
    from scipy.sparse import csr_array

    most = max(1, MOST_PARTNERS // n)
    src, dst, n_bytes, _ = pairs
    sent = csr_array((n_bytes.astype(np.int64), (src, dst)), shape=(n, n))
    both_ways = (sent + sent.T).tocsr()
    ranks: list[int] = []
    partners: list[int] = []
    exchanged: list[int] = []
    for rank, (begin, end) in enumerate(pairwise(both_ways.indptr.tolist())):
        of_rank = both_ways.data[begin:end]
        least = np.partition(of_rank, -most)[-most] if len(of_rank) > most else 0
        kept = np.flatnonzero(of_rank >= least)
        order = kept[np.argsort(-of_rank[kept], kind="stable")[:most]] + begin
        ranks += [rank] * len(order)
        partners += both_ways.indices[order].tolist()
        exchanged += both_ways.data[order].tolist()
    return PagePartners(most, ranks, partners, exchanged)


def _by_place(pairs: Pairs, n: int, machine: Machine, placement: Placement) -> PageTraffic:
    """Blocks of ranks in the order of their cores, see PagePlacement."""
    first_core = [machine.first_core(node) for node in placement.node]
    order = np.lexsort(([cores[0] for cores in placement.cores], first_core))  # stable: by rank
    position = np.empty(n, np.int32)
    position[order] = np.arange(n)
    src, dst, *amounts = pairs
    return page_traffic((position[src], position[dst], *amounts), n, MOST_BLOCKS)


def _gain(result: TuneResult, one: Candidate) -> PageGain | None:
    """The gain over the default: measured, else simulated or emulated, else (for best) predicted."""
    if one.label == "default":
        return None
    measured = result.gain_over("default", one.runs)
    if measured:
        several = measured.n_repeats > 1
        spread = _spread(measured) | {"confidence": measured.confidence} if several else {}
        return PageGain(source="measured", n_repeats=measured.n_repeats, expected=measured.expected, **spread)
    default = result.candidate("default")
    for source in dict.fromkeys(run.source for run in one.runs if run.source != "measured"):
        times_s, default_s = one.times_s(source), default.times_s(source)
        if times_s and default_s:
            return PageGain(source=source, expected=1 - median(times_s) / median(default_s))
    predicted = result.advice.gain
    return (
        PageGain(source="predicted", expected=predicted.expected, **_spread(predicted))
        if one.label == "best"
        else None
    )


def _spread(gain: Gain) -> dict[str, Any]:
    return {"low": gain.low, "high": gain.high}


def _hosts(result: TuneResult) -> list[str]:
    """[node] the host where its ranks ran as wanted; empty if a node is unknown."""
    found: dict[int, str] = {}
    for one in result.candidates:
        for run in one.runs:
            for rank in run.ranks:
                if rank.host and rank.host == rank.host_wanted:
                    found[one.placement.node[rank.rank]] = rank.host
    nodes = range(result.machine.n_nodes)
    return [found[node] for node in nodes] if all(node in found for node in nodes) else []


def _texts(placements: Mapping[str, Placement]) -> dict[str, str]:
    return {f"{name}.json": json_text(one.to_json()) + "\n" for name, one in placements.items()}


def _machine_file(result: TuneResult) -> dict[str, str]:
    """A file for --machine; empty for a machine without OS indices, or with two levels of the same name."""
    machine = result.machine
    if any(os_index is None for core in range(machine.n_cores) for _, os_index in machine.pus(core)):
        return {}
    heading = Heading(machine.name, f"the machine of {result.title}", result.WRITTEN_BY, {})
    try:
        return {"machine.toml": machine_toml(machine, heading, {})}
    except InputError:
        return {}


def _shape(machine: Machine, node: int) -> PageShape:
    first, n_cores = machine.first_core(node), machine.n_cores_on(node)
    groups = [machine.group_of_core(level)[first : first + n_cores] for level in range(1, machine.node_level)]
    return PageShape(
        [(of_core - of_core.min()).tolist() for of_core in groups],
        [[os_index for _, os_index in machine.pus(core)] for core in range(first, first + n_cores)],
        [PageDevice(one.kind, device_name(one), list(one.cores)) for one in machine.devices(node)],
    )


def _parents(machine: Machine, level: int) -> list[int]:
    """[object of `level`] its parent in the level above."""
    below = np.arange(machine.n_cores) if level == 0 else machine.group_of_core(level)
    _, first_core = np.unique(below, return_index=True)
    parents: list[int] = machine.group_of_core(level + 1)[first_core].tolist()
    return parents


def _greatest(values: np.ndarray, cells: np.ndarray, n_cells: int) -> np.ndarray:
    greatest = np.zeros(n_cells, values.dtype)
    np.maximum.at(greatest, cells, values)
    return greatest
