"""Reads undirected graphs of METIS and Scotch, which are text: each edge appears twice and counts once."""

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
    return _undirected(file, n, arcs, base)


def read_metis(file: InputFile) -> CommMatrix:
    """A graph (METIS 5 manual, section 4.1): line i lists the neighbours of vertex i, from 1.

    An edge's weight is the bytes of both directions together, 1 without weights. The matrix has them as one
    message from the lower to the higher rank. Vertex weights and sizes are ignored.
    """
    file.refuse_large()
    lines = ((number, line.split()) for number, line in file.lines() if not line.startswith("%"))
    number, head = next(((number, words) for number, words in lines if words), (0, []))
    n, n_edges, skipped, has_weights = _metis_head(file, number, head)
    arcs: dict[tuple[int, int], int] = {}
    vertex = 0
    for number, words in lines:
        if vertex == n:
            if words:
                raise file.error(f"more lines than the {n} vertices that the header names", number)
            continue
        values = [_whole(file, number, word) for word in words][skipped:]
        others, weights = (values[::2], values[1::2]) if has_weights else (values, [1] * len(values))
        if len(others) != len(weights) or len(words) < skipped:
            raise file.error("found the end of the line; expected a weight after each neighbour", number)
        for other, weight in zip(others, weights, strict=True):
            if not 0 < other <= n or other == vertex + 1 or (vertex, other - 1) in arcs:
                raise file.error(f"found '{other}'; expected a vertex, 1 to {n}, another one, once", number)
            arcs[vertex, other - 1] = weight
        vertex += 1
    if vertex < n:
        raise file.error(
            f"ends after {vertex} vertices; its header names {n} (a vertex without edges has an empty line): "
            "is the file cut off?"
        )
    if len(arcs) != 2 * n_edges:
        raise file.error(
            f"has {len(arcs)} neighbours in all; its header names {n_edges} edges, so expected "
            f"{2 * n_edges}: each edge is in both its vertices' lines"
        )
    return _undirected(file, n, arcs, 1)


def _metis_head(file: InputFile, number: int, words: list[str]) -> tuple[int, int, int, bool]:
    """Vertices, edges, numbers to skip in each line, and whether edges have weights.

    The head is `vertices edges [fmt [ncon]]`. A digit 1 in fmt stands for vertex sizes, for vertex weights
    and for edge weights.
    """
    form = (words[2:3] or ["0"])[0].zfill(3)
    if not 2 <= len(words) <= 4 or not re.fullmatch("[01]{3}", form):
        raise file.error(
            "expected the head of a METIS graph: vertices, edges, up to three digits 0 or 1", number or None
        )
    n, n_edges, n_weights = (_whole(file, number, word) for word in (*words[:2], *(words[3:] or ["1"])))
    if not 0 < n <= MOST_RANKS:
        raise file.error(f"{n} vertices; expected 1 to {MOST_RANKS}", number)
    return n, n_edges, int(form[0]) + int(form[1]) * n_weights, form[2] == "1"


def _undirected(file: InputFile, n: int, arcs: dict[tuple[int, int], int], base: int) -> CommMatrix:
    """Each edge once, from the lower to the higher vertex. Raises InputError if one direction lacks."""
    for (src, dst), load in arcs.items():
        if arcs.get((dst, src)) != load:
            raise file.error(
                f"edge {src + base}-{dst + base} has not the same load both ways; expected each twice"
            )
    edges = {pair: (load, int(load > 0)) for pair, load in arcs.items() if pair[0] < pair[1]}
    return _matrix(file, n, edges)


def _whole(file: InputFile, number: int, word: str) -> int:
    if not re.fullmatch(r"[0-9]{1,18}", word):
        raise file.found(word, "a whole number, 0 or more", number)
    return int(word)


def _numbers(file: InputFile) -> Iterator[int]:
    file.refuse_large()
    for number, line in file.lines():
        for word in line.split():
            yield _whole(file, number, word)


def _matrix(file: InputFile, n: int, pairs: dict[tuple[int, int], tuple[int, int]]) -> CommMatrix:
    """A matrix from (bytes, messages) of each pair."""
    import numpy as np

    if sum(size for size, _ in pairs.values()) >= MOST_AMOUNT or n > MOST_RANKS:
        raise file.error(f"more than 2^62 bytes or {MOST_RANKS} ranks; expected fewer")
    rows = np.array([(*pair, *amounts) for pair, amounts in pairs.items()], np.uint64).reshape(-1, 4)
    return CommMatrix.from_columns(n, *rows.T)
