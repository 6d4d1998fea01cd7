"""`--submit slurm`: a sweep is a job array, whose runs the same command collects; a tune is one job."""

from __future__ import annotations

import json
import re
import subprocess
import time
from pathlib import Path

import pytest
from clusters import COREWISE, TIMEOUT_S
from mpis import mpi_named

SPEC = """
format = "corewise-sweep"
version = 1
command = ["sh", "-c", "echo {n} >>ran; until [ -e go ]; do sleep 0.1; done; echo v={n}"]
[axes]
n = [1, 2, 3, 4]
[measure]
regex = "v=([0-9])"
[runs]
repeats = 2
warmups = 0
"""
N_RUNS = 8


@pytest.fixture
def cluster(lab_folder, tmp_path):
    """Two nodes. Runs words there in the test's folder, which contains a specification."""
    (tmp_path / "spec.toml").write_text(SPEC)
    lab_folder.lab("up", "slurm", "--nodes", "2", "--slots", "2")

    def start(*words: str) -> subprocess.Popen:
        inside = ("sh", "-c", 'cd "$0" && exec "$@"', str(tmp_path), *words)
        return lab_folder.start("run", "slurm", "--", *inside)

    return start


SWEEP = (COREWISE, "sweep", "spec.toml", "-o", "the results", "--submit", "slurm")


def n_started(folder: Path) -> int:
    started = folder / "ran"
    return len(started.read_text().split()) if started.exists() else 0


def wait_for(condition) -> None:
    deadline = time.monotonic() + TIMEOUT_S
    while not condition():
        assert time.monotonic() < deadline, "the condition didn't come true"
        time.sleep(0.1)


def ended(started: subprocess.Popen) -> tuple[int, str, str]:
    output, errors = started.communicate(timeout=TIMEOUT_S)
    return started.returncode, output, errors


def test_the_same_command_collects_and_submits_what_was_cancelled(cluster, tmp_path):
    code, output, errors = ended(cluster(*SWEEP))
    assert (code, errors) == (0, "") and re.match(r"submitted 8 runs as job \d+;", output)
    wait_for(lambda: n_started(tmp_path) == 2)
    code, output, _ = ended(cluster(*SWEEP))
    assert code == 0 and "8 runs of job" in output and "scancel" in output  # nothing is submitted twice
    assert ended(cluster("scancel", "--me"))[0] == 0
    (tmp_path / "go").touch()
    wait_for(lambda: "did not end yet" not in ended(cluster(*SWEEP))[1])  # this call submits them again
    wait_for(lambda: (output := ended(cluster(*SWEEP, "--json"))[1]) and "n_runs" in output)
    result = json.loads((tmp_path / "the results" / "results.json").read_text())
    assert (result["n_runs"], result["n_failed"]) == (N_RUNS, 0)
    assert [entry["samples"] for entry in result["configurations"]] == [[n, n] for n in (1, 2, 3, 4)]
    assert set(result["hosts"]) <= {"n0", "n1"}


def test_tune_runs_as_one_job_and_says_where_its_answer_is(cluster, tmp_path):
    ring = f"{mpi_named('openmpi4').where} silent"
    words = ("--json", "--submit", "slurm", "--job-options", "--nodes=2 --ntasks-per-node=2 --wait")
    tune = (COREWISE, "tune", "-o", "an answer", "--repeats", "1", *words)
    code, output, errors = ended(cluster(*tune, "--", "srun", "--mpi=pmix", "-n", "4", *ring.split()))
    assert code == 0, errors
    submitted = json.loads(output)
    assert submitted["directory"] == str(tmp_path / "an answer")
    document = json.loads((tmp_path / "an answer" / "tune.json").read_text())
    hosts = {rank["host"] for rank in document["traced"]["ranks"]}
    assert hosts == {"n0", "n1"}
    assert (tmp_path / "an answer" / "report.html").exists()
    assert f"all results are in {tmp_path}/an answer\n" in (tmp_path / "an answer.out").read_text()
