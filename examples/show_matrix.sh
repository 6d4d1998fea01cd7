#!/usr/bin/env bash
# Does CG talk within its nodes? The ratio of Table I in the SMP-CMP paper, for nodes of 8 and of 12 cores.
set -euo pipefail
cd "$(dirname "$0")/.."

corewise show --ranks-per-node 8 fixtures/matrices/npb/cg.C.16.npz
for cores in 8 12; do
  corewise show --json --ranks-per-node "$cores" fixtures/matrices/npb/cg.C.64.npz |
    python3 -c 'import json, sys; r = json.load(sys.stdin)["ratio"]
print("CG on 64 ranks,", r["ranks_per_node"], "a node:", round(r["inter_over_intra_bytes"], 3))'
done
