"""corewise simulate --engine emulate: a real program is faster if its ranks don't use the slow links."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import corewise_laboratory
import pytest
from clusters import COREWISE, TIMEOUT_S, LabFolder
from corewise.machines import load
from corewise.model import Assignment
from corewise.nouns.placement import Placement

PINGPONG = Path(corewise_laboratory.__file__).parent / "native" / "microbench-openmpi" / "pingpong"


def simulated(folder: LabFolder, place: Path, *words: str) -> tuple[dict, str]:
    """The document of an emulation, and what the program printed."""
    command = [COREWISE, "simulate", "--engine", "emulate", "--machine", "pe1550:2", "--json", *words]
    done = subprocess.run(
        command,
        cwd=place,
        env=os.environ | {"TMPDIR": str(folder.path)},
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
    )
    if done.returncode == 3:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), done.stderr


@pytest.mark.alone  # compares times
def test_ranks_that_talk_are_faster_on_one_node_than_over_the_machines_links(lab_folder, tmp_path):
    # Ranks 0 and 1 exchange 100 kB 18 times: at least 0.14 s over 12.5 MB/s, almost nothing within a node.
    if not PINGPONG.exists():
        pytest.skip("the micro-benchmarks were not built for Open MPI")
    placements = {"together": [0, 1, 2, 3], "apart": [0, 2, 1, 3]}
    words = ["--repeats", "2"]
    for name, cores in placements.items():
        path = tmp_path / f"{name}.json"
        Placement.of(Assignment.from_cores(cores), load("pe1550:2")).write(path)
        words += ["--placement", str(path)]
    program = [str(PINGPONG), "--second", "1", "--sizes", "100000", "--rounds", "3", "--repeats", "2"]
    document, printed = simulated(lab_folder, tmp_path, *words, "--", *program, "--warmup", "1")
    together, apart = document["runs"]
    assert [Path(run["placement"]).stem for run in (together, apart)] == ["together", "apart"]
    assert together["makespan_s"] < apart["makespan_s"] / 2
    assert apart["makespan_s"] > 18 * 100e3 / 12.5e6
    assert apart["interval_s"][0] <= apart["makespan_s"] <= apart["interval_s"][1]
    assert apart["comm_s"] <= apart["makespan_s"]
    assert [rank["host"] for rank in apart["repeats"][0]["ranks"]] == ["n0", "n1", "n0", "n1"]
    assert {run["source"] for run in apart["repeats"]} == {"emulated"}
    assert printed.count("pingpong,4,100000") == 4
    assert sorted(path.name for path in tmp_path.iterdir()) == ["apart.json", "together.json"]
    assert (lab_folder.clusters, lab_folder.processes()) == ([], [])
