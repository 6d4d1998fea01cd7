"""Reads Scotch graphs, which are text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from corewise.model import CommMatrix
from corewise.profile.dense import MOST_AMOUNT, MOST_RANKS
from corewise.profile.formats.format import InputFile


def read_scotch(file: InputFile) -> CommMatrix:
    """A graph of version 0 (Scotch user's guide, "Graph files"): each edge appears twice and counts once.

    The load of an edge is the pair's bytes in both directions (1 if the file has no loads), as for METIS.
    """
    numbers = _numbers(file)
    version, n, n_arcs, base, flags = (next(numbers, -1) for _ in range(5))
    if (
        version != 0
        or n < 1
        or n_arcs < 0
        or base not in (0, 1)
        or flags not in (0, 1, 10, 11, 100, 101, 110, 111)
    ):
        raise file.error(
            "no head '0', 'vertices arcs', 'base flags' of a Scotch graph; expected one of version 0"
        )
    if flags >= 100:
        raise file.error("vertices with labels; expected flags 000 to 011: write the graph without labels")
    if n + n_arcs > file.path.stat().st_size:
        raise file.error(f"names {n} vertices and {n_arcs} arcs, more than the file can hold: is it cut off?")
    arcs: dict[tuple[int, int], int] = {}
    for vertex in range(n):
        if flags % 10:
            next(numbers, None)
        for _ in range(next(numbers, 0)):
            load = next(numbers, -1) if flags >= 10 else 1
            other = next(numbers, -1) - base
            if not 0 <= other < n or other == vertex or load < 0 or (vertex, other) in arcs:
                raise file.error(f"vertex {vertex + base}: an arc that is cut off, doubled or leads nowhere")
            arcs[vertex, other] = load
    if next(numbers, None) is not None or len(arcs) != n_arcs:
        raise file.error(f"{len(arcs)} arcs; its head names {n_arcs}: is the file cut off?")
    for (src, dst), load in arcs.items():
        if arcs.get((dst, src)) != load:
            raise file.error(
                f"edge {src + base}-{dst + base} has not the same load both ways; expected each twice"
            )
    return _matrix(file, n, {pair: (load, int(load > 0)) for pair, load in arcs.items() if pair[0] < pair[1]})


def _numbers(file: InputFile) -> Iterator[int]:
    file.refuse_large()
    for number, line in file.lines():
        for word in line.split():
            if not re.fullmatch(r"[0-9]{1,18}", word):
                raise file.found(word, "a whole number, 0 or more", number)
            yield int(word)


def _matrix(file: InputFile, n: int, pairs: dict[tuple[int, int], tuple[int, int]]) -> CommMatrix:
    """A matrix from (bytes, messages) of each pair."""
    import numpy as np

    if sum(size for size, _ in pairs.values()) >= MOST_AMOUNT or n > MOST_RANKS:
        raise file.error(f"more than 2^62 bytes or {MOST_RANKS} ranks; expected fewer")
    rows = np.array([(*pair, *amounts) for pair, amounts in pairs.items()], np.uint64).reshape(-1, 4)
    return CommMatrix.from_columns(n, *rows.T)
