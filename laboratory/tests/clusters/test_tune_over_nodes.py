"""`corewise tune` on four nodes, from trace to report: a ring in round-robin order is improved."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from clusters import COREWISE, LIMIT, TRIES
from mpis import Mpi, mpi_named

N_NODES, N_RANKS = 4, 8
# Each of these puts rank i on node i modulo 4, so every message of the ring uses the network.
ROUND_ROBIN = {
    "mpich5": ["-ppn", "1"],
    "openmpi4": ["--map-by", "node"],
    "openmpi5": ["--map-by", "node"],
    "srun": ["--mpi=pmix", "--distribution=cyclic"],
}

pytestmark = pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="needs two cores")


def tune(lab_folder, folder: Path, launcher: str, mpi: Mpi) -> dict:
    """The document of a tune on nodes with slow links. Each placement runs once."""
    kind, start, before, tries = "netns", mpi.mpirun, [], 1
    if launcher == "srun":
        kind, start, before = "slurm", "srun", ["salloc", "--quiet", "-N4", "--exclusive", *LIMIT]
        tries = TRIES
    ring = [mpi.ring, "--sizes", "20000", "--repeats", "3", "--warmup", "1"]
    job = [start, "-n", str(N_RANKS), *ROUND_ROBIN[launcher], *ring]
    words = [*before, COREWISE, "tune", "-o", str(folder / "tune"), "--repeats", "1", "--", *job]
    cluster = ["--nodes", str(N_NODES), "--slots", "2", "--rate", "100mbit"]
    lab_folder.lab("run", kind, *cluster, "--", *words, tries=tries, leaves=folder / "tune")
    assert (folder / "tune" / "report.html").stat().st_size > 0
    return json.loads((folder / "tune" / "tune.json").read_text())


@pytest.mark.parametrize("launcher", ROUND_ROBIN)
def test_a_ring_dealt_out_round_robin_is_put_in_order_and_every_binding_verified(
    lab_folder, tmp_path, launcher
):
    mpi = mpi_named("openmpi4" if launcher == "srun" else launcher)
    document = tune(lab_folder, tmp_path, launcher, mpi)
    default, best, worst = document["candidates"]
    # A ring on nodes of 2 ranks enters and leaves each node at least once; the default does so twice.
    node_bytes = [sum(candidate["link_bytes"][-1]) for candidate in (default, best)]
    assert node_bytes[0] == 2 * node_bytes[1] > 0
    for run in (*default["runs"], *best["runs"], *worst["runs"]):
        assert run["exit_code"] == 0
        assert sorted(rank["host"] for rank in run["ranks"]) == [f"n{i // 2}" for i in range(N_RANKS)]
    for run in (*best["runs"], *worst["runs"]):
        assert run["verified"] and all(rank["os_pus_seen"] for rank in run["ranks"])
    assert document["gain"] is not None and document["advice"]["gain"] is not None
