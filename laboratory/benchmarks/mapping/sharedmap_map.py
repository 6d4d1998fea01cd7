"""Maps a METIS graph on a tree with SharedMap (PyPI's chszlablib), for comparison with corewise.

Runs in the virtual environment of the compared programs. Usage:
sharedmap_map.py GRAPH SEED fast|eco|strong ARITIES DISTANCES (comma-separated, lowest level first).
Prints the mapping's CPU seconds, then the leaf of each rank.
"""

import sys
import time

from chszlablib import Decomposition, Graph


def main() -> None:
    path, seed, mode, arities, distances = sys.argv[1:]
    graph = Graph.from_metis(path)
    start = time.process_time()
    result = Decomposition.process_map(
        graph,
        [int(a) for a in arities.split(",")],
        [int(d) for d in distances.split(",")],
        mode=mode,
        imbalance=0.0,
        threads=1,
        seed=int(seed),
    )
    print(f"{time.process_time() - start:.6f}")
    print("\n".join(map(str, result.assignment)))


main()
