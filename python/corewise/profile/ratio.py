"""The ratio of inter-node to intra-node traffic, which shows if placement matters (SMP-CMP paper)."""

from __future__ import annotations

from corewise import model
from corewise.errors import InputError
from corewise.nouns.input_summary import NodeRatio


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
