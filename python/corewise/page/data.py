"""The documents that the page's script reads: tune.json, the timeline, and the tree of the machine."""

from __future__ import annotations

import base64
import gzip
from collections.abc import Sequence
from statistics import median
from typing import Any

import numpy as np

from corewise.errors import InputError
from corewise.machines.devices import device_name
from corewise.machines.machine_file import Heading, machine_toml
from corewise.model import CommMatrix, Machine
from corewise.nouns.timeline import Timeline
from corewise.nouns.tune_result import Candidate, TuneResult
from corewise.text.escaping import json_text
from corewise.text.quantities import confidence_text, percent_text

MOST_PAIRS = 100_000  # with more ordered pairs, the data has blocks of ranks, at most this many


def page_data(result: TuneResult, timeline: Timeline | None = None) -> dict[str, Any]:
    """tune.json without the bindings of its runs, and what the script can't compute; see types.d.ts."""
    tune = result.to_json()
    for listed in [tune, *tune["candidates"], *tune["widths"]]:
        for run in [*listed.get("runs", []), *listed.get("as_written", [])]:
            run["ranks"] = []
    for one in tune["candidates"]:  # whole numbers also after they were read from a file
        one["link_bytes"] = [[round(load) for load in level] for level in one["link_bytes"]]
    if tune["traced"]:
        tune["traced"]["ranks"] = []
    matrix = result.traffic.folded()
    src, dst, *_ = matrix.columns()
    n_pairs, block = int((src != dst).sum()), 1
    if n_pairs > MOST_PAIRS:
        block = -(-matrix.n_ranks // int(MOST_PAIRS**0.5))
        tune["phases"], tune["large"] = [_blocks(matrix, block)], None
    return {
        "tune": tune,
        "timeline": timeline.to_json() if timeline else None,
        "machine": page_machine(result.machine, _hosts(result)),
        "block": block,
        "n_pairs": n_pairs,
        "gains": {one.label: gain_text(result, one) for one in result.candidates},
        "files": _machine_file(result),
    }


def embedded(data: dict[str, Any]) -> str:
    """The document as gzip in base64; equal data gives equal bytes."""
    return base64.b64encode(gzip.compress(json_text(data).encode(), mtime=0)).decode()


def page_machine(machine: Machine, hosts: Sequence[str] = ()) -> dict[str, Any]:
    """The tree of the machine, with equal nodes once. `hosts` are the names of the nodes, if known."""
    shapes: dict[tuple[str, int], int] = {}  # equal fingerprints of nodes, and equal numbers of devices
    first_of_shape, shape_of_node = [], []
    for node in range(machine.n_nodes):
        key = (machine.node_fingerprint(node), len(machine.devices(node)))
        if key not in shapes:
            shapes[key] = len(shapes)
            first_of_shape.append(node)
        shape_of_node.append(shapes[key])
    order = sorted(range(machine.n_nodes), key=machine.first_core)
    return {
        "name": machine.name,
        "levels": [level.name for level in machine.levels],
        "node_level": machine.node_level,
        "shapes": [_shape(machine, node) for node in first_of_shape],
        "shape_of_node": shape_of_node,
        "node_order": [] if order == list(range(machine.n_nodes)) else order,
        "network": [_parents(machine, level) for level in range(machine.node_level, machine.n_levels)],
        "hosts": list(hosts),
    }


def gain_text(result: TuneResult, one: Candidate) -> str:
    """The gain over the default: measured, else simulated or emulated, else (for best) predicted."""
    if one.label == "default":
        return "the placement that others are compared with"
    measured = result.gain_over("default", one.runs)
    if measured and measured.n_repeats > 1:
        more = f", {confidence_text(measured.confidence)} confidence, {measured.n_repeats} pairs of runs"
        return f"measured: {_compared(measured.expected, measured.low, measured.high, more)}"
    if measured:
        return f"measured: {_faster(measured.expected)} (no interval)"
    default = result.candidate("default")
    for source in dict.fromkeys(run.source for run in one.runs):
        times_s, default_s = one.times_s(source), default.times_s(source)
        if times_s and default_s:
            return f"{source}: {_faster(1 - median(times_s) / median(default_s))} (no interval)"
    predicted = result.advice.gain
    if one.label == "best":
        return f"predicted: {_compared(predicted.expected, predicted.low, predicted.high)}"
    return ""


def _compared(expected: float, low: float, high: float, more: str = "") -> str:
    """The gain with its interval; not distinguishable from 0 if the interval contains it."""
    how = _faster(expected) if low > 0 or high < 0 else "not distinguishable from the default"
    return f"{how} (gain {percent_text(low)} to {percent_text(high)}{more})"


def _faster(gain: float) -> str:
    return f"{percent_text(abs(gain))} {'slower' if gain < 0 else 'faster'} than the default"


def _blocks(matrix: CommMatrix, block: int) -> dict[str, Any]:
    """The greatest pair between any two blocks of `block` neighbouring ranks, like a phase of tune.json."""
    src, dst, *amounts = matrix.columns()
    apart, side = src != dst, -(-matrix.n_ranks // block)
    cells = (src[apart] // block).astype(np.int64) * side + dst[apart] // block
    keys = np.flatnonzero(np.bincount(cells, minlength=side * side))
    greatest = [np.zeros(side * side, np.int64) for _ in amounts]
    for values, amount in zip(greatest, amounts, strict=True):
        np.maximum.at(values, cells, amount[apart].astype(np.int64))
    sent, messages = (values[keys].tolist() for values in greatest)
    ends = {"src": (keys // side).tolist(), "dst": (keys % side).tolist()}
    return {"repeat": 1, "n_ranks": matrix.n_ranks} | ends | {"bytes": sent, "messages": messages}


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


def _shape(machine: Machine, node: int) -> dict[str, Any]:
    first, n_cores = machine.first_core(node), machine.n_cores_on(node)
    groups = [machine.group_of_core(level)[first : first + n_cores] for level in range(1, machine.node_level)]
    devices = machine.devices(node)
    return {
        "groups": [(of_core - of_core.min()).tolist() for of_core in groups],
        "pus": [[os_index for _, os_index in machine.pus(core)] for core in range(first, first + n_cores)],
        "devices": [
            {"kind": one.kind, "name": device_name(one), "cores": list(one.cores)} for one in devices
        ],
    }


def _parents(machine: Machine, level: int) -> list[int]:
    """[object of `level`] its parent in the level above."""
    below = np.arange(machine.n_cores) if level == 0 else machine.group_of_core(level)
    _, first_core = np.unique(below, return_index=True)
    parents: list[int] = machine.group_of_core(level + 1)[first_core].tolist()
    return parents
