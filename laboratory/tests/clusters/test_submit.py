"""`--submit slurm`: a sweep's job arrays survive Ctrl-C and a killed controller; a tune is one job."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import pytest
from clusters import COREWISE, TIMEOUT_S
from mpis import mpi_named

SPEC = """
format = "corewise-sweep"
version = 1
command = ["sh", "-c", "echo {n} >>ran; until [ -e go ]; do sleep 0.1; done; sleep 1; echo v={n}"]
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


def n_records(folder: Path) -> int:
    journal = folder / "the results" / "runs.jsonl"
    return len(journal.read_text().splitlines()) - 1 if journal.exists() else 0


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


def processes() -> list[tuple[int, str]]:
    """Process id and command line of all processes, including those in the cluster's namespaces."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            words = path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
            found.append((int(path.parent.name), words))
    return found


def works_in(folder: Path, pid: int) -> bool:
    """Whether it is a process of this test: other tests run at the same time."""
    try:
        return os.path.samefile(f"/proc/{pid}/cwd", folder)
    except OSError:
        return False


def controllers(lab_folder) -> list[int]:
    start = f"slurmctld -D -f {lab_folder.path}/"
    return [pid for pid, words in processes() if words.startswith(start)]


def test_ctrl_c_leaves_the_jobs_and_the_same_command_collects_them(cluster, tmp_path):
    first = cluster(*SWEEP)
    wait_for(lambda: n_started(tmp_path) == 2)
    sweeps = [pid for pid, words in processes() if " sweep spec.toml " in words and works_in(tmp_path, pid)]
    os.kill(max(sweeps), signal.SIGINT)
    code, _, errors = ended(first)
    assert code == 130
    assert re.search(r"submitted 8 runs: job (\d+)\n", errors)
    assert re.search(r"to cancel them: scancel \d+\n", errors)
    assert n_records(tmp_path) == 0
    (tmp_path / "go").touch()
    code, output, errors = ended(cluster(*SWEEP, "--json"))
    assert (code, errors) == (0, "")  # nothing is submitted a second time
    result = json.loads(output)
    assert (result["n_runs"], result["n_failed"]) == (N_RUNS, 0)
    assert [entry["samples"] for entry in result["configurations"]] == [[n, n] for n in (1, 2, 3, 4)]
    assert set(result["hosts"]) <= {"n0", "n1"}
    assert sorted((tmp_path / "ran").read_text().split()) == sorted("1234" * 2)


def test_a_sweep_survives_a_killed_controller(cluster, lab_folder, tmp_path):
    sweep = cluster(*SWEEP, "--json")
    wait_for(lambda: n_started(tmp_path) == 2)
    # Slurm saves its state every few seconds. What it has not saved is lost when it is killed.
    [state] = lab_folder.path.glob("corewise-lab-*/*/state")
    wait_for(lambda: (state / "job_state").stat().st_mtime > (tmp_path / "ran").stat().st_mtime)
    [controller] = controllers(lab_folder)
    os.kill(controller, signal.SIGKILL)
    wait_for(lambda: not controllers(lab_folder))
    (tmp_path / "go").touch()
    wait_for(lambda: n_records(tmp_path) == 2)  # collected without the controller
    cluster("sh", "-c", 'exec slurmctld -D -f "$SLURM_CONF"')  # ends together with the cluster
    code, output, errors = ended(sweep)
    assert (code, "Slurm's controller doesn't answer; waiting until it does\n" in errors) == (0, True), errors
    result = json.loads(output)
    assert (result["n_runs"], result["n_failed"]) == (N_RUNS, 0)
    assert [entry["samples"] for entry in result["configurations"]] == [[n, n] for n in (1, 2, 3, 4)]


def test_cancelled_runs_are_submitted_again(cluster, tmp_path):
    (tmp_path / "go").touch()
    sweep = cluster(*SWEEP)
    wait_for(lambda: n_records(tmp_path) > 0)
    assert ended(cluster("scancel", "--me"))[0] == 0
    code, _, errors = ended(sweep)
    assert (code, "the same command submits them again" in errors) == (1, True)
    assert 0 < n_records(tmp_path) < N_RUNS
    code, _, errors = ended(cluster(*SWEEP))
    assert (code, "submitted" in errors) == (0, True)
    assert n_records(tmp_path) == N_RUNS


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
