"""The SMP-CMP paper's random benchmark: the ratio asked for is the ratio that its pattern has."""

from corewise.profile import patterns
from corewise.profile.ratio import block_ratio

# The paper's Figure 8: 16 nodes of 8 cores, 15 communications within each node.
for wanted in (0.1, 0.2, 0.4, 0.8):
    matrix = patterns.random(
        n_ranks=128, ranks_per_node=8, intra_node=15, ratio=wanted, size_bytes=32768, seed=1
    )
    ratio = block_ratio(matrix, 8)
    print(f"asked for {wanted}: {matrix.messages} messages, ratio {ratio.inter_over_intra_messages:.3f}")
