"""Section: the difference between default and best: ranks that move, and how near pairs are."""

from __future__ import annotations

from typing import Any

import numpy as np

from corewise.model import Assignment, CommMatrix, Machine
from corewise.nouns.tune_result import TuneResult
from corewise.text.quantities import bytes_text, counted, percent_text
from corewise.text.table import TextTable


def shown(result: TuneResult) -> dict[str, Any] | None:
    """The difference: a sentence and a table; None if both placements give every rank the same cores."""
    default, best = (result.candidate(label).placement for label in ("default", "best"))
    n_node = sum(one != other for one, other in zip(default.node, best.node, strict=True))
    n_cores = sum(
        node == other_node and sorted(cores) != sorted(others)
        for node, other_node, cores, others in zip(
            default.node, best.node, default.cores, best.cores, strict=True
        )
    )
    if not n_node + n_cores:
        return None
    sentence = (
        f"{n_node + n_cores} of {counted(default.n_ranks, 'rank')} move: {n_node} to another node, {n_cores} "
        "to another core of the same node."
    )
    matrix, machine = result.traffic.folded(), result.machine
    placed = [result.placement(label) for label in ("default", "best")]
    return {"sentence": sentence, "table": _level_table(machine, matrix, placed)}


def meeting_levels(machine: Machine, placement: Assignment, src: np.ndarray, dst: np.ndarray) -> np.ndarray:
    """[pair] the level of the smallest object that contains both ranks' first cores; 0 is one core."""
    core = np.asarray(placement.core_of_rank)
    levels = np.full(len(src), machine.n_levels)
    for level in range(machine.n_levels - 1, 0, -1):
        group = np.asarray(machine.group_of_core(level))[core]
        levels[group[src] == group[dst]] = level
    levels[core[src] == core[dst]] = 0
    return levels


def _level_table(machine: Machine, matrix: CommMatrix, placements: list[Assignment]) -> TextTable:
    """Bytes between different ranks by the level where they meet, the lowest first."""
    src, dst, n_bytes, _ = matrix.columns()
    between = src != dst
    pairs, amounts = (src[between], dst[between]), n_bytes[between].astype(float)
    sums = [
        np.bincount(meeting_levels(machine, placement, *pairs), amounts, machine.n_levels + 1)
        for placement in placements
    ]
    whole = sums[0].sum() or 1.0
    names = ["core", *(level.name for level in machine.levels)]
    rows = [
        [f"in one {names[level]}"]
        + [cell for of in sums for cell in (bytes_text(of[level]), percent_text(of[level] / whole))]
        for level in range(machine.n_levels + 1)
        if sums[0][level] or sums[1][level]
    ]
    heads = ["<the two ranks are", ">default", ">share", ">best", ">share"]
    return TextTable(heads, rows, ["Bytes between different ranks, by how near they are."])
