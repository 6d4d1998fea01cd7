"""The main job from and to other libraries: a sparse matrix of SciPy's, data frames of polars.

python examples/from_frames.py
"""

import sys

import corewise
import numpy as np
from scipy import sparse

try:
    import polars
except ImportError:
    print("polars is not installed: pip install polars", file=sys.stderr)
    sys.exit(3)

# Bytes of 16 ranks, each of which sends a megabyte to the rank 8 further on.
src = np.arange(16)
dst = (src + 8) % 16
matrix = sparse.coo_array((np.full(16, 10**6), (src, dst)))
frame = polars.DataFrame({"src": src, "dst": dst, "bytes": [10**6] * 16, "messages": [3] * 16})

machine = corewise.machine("draco:2")
for traffic in (matrix, frame):
    print(corewise.advise(traffic, machine).advice.because)
    best = corewise.map(traffic, machine)
    print(corewise.export(best, "openmpi4", machine, hosts=["n1", "n2"]).command_text)

# Answers are tables, too.
print(polars.DataFrame(best).group_by("node").agg("rank").sort("node"))
print(polars.DataFrame(corewise.read(frame).traffic).sum())
