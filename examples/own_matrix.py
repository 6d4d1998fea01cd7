"""A communication matrix from your own program: written as .npz, read back, shown."""

import tempfile
from pathlib import Path

import numpy as np
from corewise.plots.heatmap import text_heatmap
from corewise.profile.inputs import read_input
from corewise.profile.ratio import block_ratio

# A 4 x 4 grid of ranks; each sends 1 KiB to its right neighbour, 64 times, and 32 KiB down, once.
side = 4
sent_bytes = np.zeros((side * side, side * side), dtype=np.int64)
messages = np.zeros_like(sent_bytes)
for rank in range(side * side):
    if rank % side < side - 1:
        sent_bytes[rank, rank + 1], messages[rank, rank + 1] = 64 * 1024, 64
    if rank + side < side * side:
        sent_bytes[rank, rank + side], messages[rank, rank + side] = 32 * 1024, 1

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "grid.npz"
    np.savez(path, bytes=sent_bytes, msgs=messages)
    matrix = read_input(str(path)).traffic.folded()

print("\n".join(text_heatmap(matrix, 80)))
ratio = block_ratio(matrix, ranks_per_node=4)
print(f"one row of the grid a node: {ratio.inter_over_intra_bytes:.2f} bytes leave for each that stays")
