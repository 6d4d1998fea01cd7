"""Maps a METIS graph on a tree with KaMinPar, level by level, for comparison with corewise.

Runs in the virtual environment of the compared programs. Usage:
kaminpar_map.py GRAPH SEED default|strong ARITIES DISTANCES (comma-separated, lowest level first).
Prints the partitioner's CPU seconds, then the leaf of each rank.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import kaminpar
import numpy as np
from families import write_metis
from multisection import print_mapping


def main() -> None:
    path, seed, mode, arities, _ = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        part_graph = Path(folder) / "part.graph"

        def split(n: int, edges: np.ndarray, k: int, most: int) -> tuple[np.ndarray, float]:
            write_metis(part_graph, n, edges)  # the wheel reads graphs only from files
            graph = kaminpar.load_graph(str(part_graph), kaminpar.GraphFileFormat.METIS)
            kaminpar.reseed(int(seed))
            start = time.process_time()
            partitioner = kaminpar.KaMinPar(1, kaminpar.context_by_name(mode))
            part = partitioner.compute_partition(graph, [most] * k)
            return np.array(part), time.process_time() - start

        print_mapping(path, arities, split)


main()
