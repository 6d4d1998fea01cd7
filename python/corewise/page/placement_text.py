"""A placement in one short line: which ranks are on which cores."""

from __future__ import annotations

from corewise.nouns.placement import Placement
from corewise.text.quantities import counted, index_text

MOST_PIECES = 6  # to fit a terminal's line


def placement_text(placement: Placement, names_node: bool) -> str:
    """`ranks 0-3 on cores 0-3, rank 4 on core 6`, with cores numbered on the node.

    Consecutive ranks on consecutive cores are one piece. After MOST_PIECES, only the number of ranks is
    given.
    """
    pieces: list[tuple[list[int], int, list[int]]] = []  # (ranks, node, cores)
    for rank, (node, cores) in enumerate(zip(placement.node, placement.cores, strict=True)):
        if pieces and pieces[-1][1] == node and cores[0] == pieces[-1][2][-1] + 1 and _is_run(cores):
            pieces[-1][0].append(rank)
            pieces[-1][2].extend(cores)
        else:
            pieces.append(([rank], node, list(cores)))
    texts = [_piece(ranks, node, cores, names_node) for ranks, node, cores in pieces[:MOST_PIECES]]
    n_left = sum(len(ranks) for ranks, _, _ in pieces[MOST_PIECES:])
    return ", ".join([*texts, *([f"{counted(n_left, 'more rank')}"] if n_left else [])])


def _is_run(cores: list[int]) -> bool:
    return cores == list(range(cores[0], cores[0] + len(cores)))


def _piece(ranks: list[int], node: int, cores: list[int], names_node: bool) -> str:
    where = f" of node {node}" if names_node else ""
    who = f"rank{'s' * (len(ranks) > 1)} {index_text(ranks)}"
    return f"{who} on core{'s' * (len(cores) > 1)} {index_text(cores)}{where}"
