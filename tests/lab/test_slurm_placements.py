"""srun under Slurm on four nodes: every rank on the node and core asked for, and what is not so is seen."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

ROUND_TRIP = str(Path(__file__).with_name("slurm_round_trip.py"))
N_PLACEMENTS = 30

# The masks that are asked for must be there: nodes of the lab have this machine's own cores.
pytestmark = pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="needs two cores")


def test_random_placements_go_through_srun_and_sabotaged_ones_are_seen(lab_folder, tmp_path):
    lab_folder.lab("up", "slurm", "--nodes", "4", "--slots", "2")
    allocation = ("salloc", "--quiet", "-N4", "--exclusive")
    trip = (sys.executable, ROUND_TRIP, str(tmp_path), str(N_PLACEMENTS), "1")
    output = lab_folder.lab("run", "slurm", "--", *allocation, *trip).stdout
    results = [json.loads(line) for line in output.splitlines()]
    assert len(results) == N_PLACEMENTS
    wrong = [result for result in results if result["wanted"] != result["found"]]
    assert [result["sabotaged"] for result in wrong].count(None) == 0, wrong
    assert len(wrong) == sum(result["sabotaged"] is not None for result in results) == N_PLACEMENTS // 10
