"""Maps a METIS graph on a tree with Mt-KaHyPar, level by level, for comparison with corewise.

Runs in the virtual environment of the compared programs. Usage: mtkahypar_map.py GRAPH SEED default|quality
ARITIES DISTANCES (comma-separated, lowest level first). Prints the partitioner's CPU seconds, then the leaf
of each rank. Mt-KaHyPar's own mapping is not used: it computes tables of Steiner trees and refuses target
graphs of 128 nodes.
"""

from __future__ import annotations

import sys
import time

import mtkahypar
import numpy as np
from multisection import print_mapping


def main() -> None:
    path, seed, mode, arities, _ = sys.argv[1:]
    library = mtkahypar.initialize(1, False)
    context = library.context_from_preset(getattr(mtkahypar.PresetType, mode.upper()))
    context.logging = False

    def split(n: int, edges: np.ndarray, k: int, most: int) -> tuple[np.ndarray, float]:
        pairs = [(int(u), int(v)) for u, v in edges[:, :2]]
        graph = library.create_graph(context, n, len(pairs), pairs, [1] * n, edges[:, 2].tolist())
        mtkahypar.set_seed(int(seed))
        context.set_partitioning_parameters(k, 0.0, mtkahypar.Objective.CUT)
        context.set_individual_target_block_weights([most] * k)
        start = time.process_time()
        part = graph.partition(context)
        return np.array(part.get_partition()), time.process_time() - start

    print_mapping(path, arities, split)


main()
