"""Maps a METIS graph on a tree with KaHIP's global multisection, for comparison with corewise.

Runs in the virtual environment of the compared programs. Usage: kahip_map.py GRAPH SEED fast|eco|strong
ARITIES DISTANCES (comma-separated, lowest level first). Prints the program's CPU time in s, which includes
reading the graph because KaHIP doesn't report its own CPU time, then the leaf of each rank.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import kahip


def main() -> None:
    path, seed, mode, arities, distances = sys.argv[1:]
    program = Path(kahip.__file__).parents[1] / "bin" / "global_multisection"
    with tempfile.TemporaryDirectory() as folder:
        leaves = Path(folder) / "leaves"
        options = {
            "seed": seed,
            "preconfiguration": mode,
            "imbalance": "0",
            "hierarchy_parameter_string": arities.replace(",", ":"),
            "distance_parameter_string": distances.replace(",", ":"),
            "output_filename": str(leaves),
        }
        arguments = [f"--{name}={value}" for name, value in options.items()]
        command = [str(program), path, *arguments, "--enforce_balance"]
        subprocess.run(command, check=True, capture_output=True, env={"OMP_NUM_THREADS": "1"})
        spent = resource.getrusage(resource.RUSAGE_CHILDREN)
        print(f"{spent.ru_utime + spent.ru_stime:.6f}")
        print(leaves.read_text())


main()
