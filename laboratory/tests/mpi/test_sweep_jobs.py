"""`corewise sweep` as a process: after a kill or an interrupt it continues, and no process is left."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

COREWISE = str(Path(sys.executable).with_name("corewise"))

# Each run writes its word to the log when it starts. The third waits for a file that the test creates.
SPEC = '''
format = "corewise-sweep"
version = 1
command = ["sh", "-c", """
echo {word} >>log
if [ $(wc -l <log) = 3 ]; then while ! [ -e go ]; do sleep 0.05; done; fi
"""]
[axes]
word = ["a", "b", "c"]
[runs]
repeats = 2
warmups = 0
'''
WORDS = [COREWISE, "sweep", "spec.toml", "-o", "d"]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "spec.toml").write_text(SPEC)
    return tmp_path


def log(folder: Path) -> list[str]:
    path = folder / "log"
    return path.read_text().split() if path.exists() else []


def stopped_in_the_third_run(folder: Path, number: signal.Signals) -> subprocess.CompletedProcess:
    job = subprocess.Popen(WORDS, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        while len(log(folder)) < 3:
            assert job.poll() is None
            time.sleep(0.02)
        job.send_signal(number)
        return subprocess.CompletedProcess(WORDS, job.wait(timeout=60), *job.communicate())
    finally:
        job.kill()


def finished(folder: Path) -> subprocess.CompletedProcess:
    (folder / "go").touch()
    return subprocess.run([*WORDS, "--json"], cwd=folder, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_a_stopped_sweep_loses_the_run_under_way_and_goes_on(folder, number):
    stopped = stopped_in_the_third_run(folder, number)
    lines = (folder / "d" / "runs.jsonl").read_bytes()
    assert lines.count(b"\n") == 3 and lines.endswith(b"\n")  # the plan and two runs
    if number is not signal.SIGKILL:
        assert stopped.returncode == 130
        assert f"the runs so far are in {folder}/d" in stopped.stderr
        assert stopped.stderr.endswith("corewise: interrupted\n")
    assert sorted(path.name for path in folder.iterdir()) == ["d", "log", "spec.toml"]
    done = finished(folder)
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert [len(entry["samples"]) for entry in document["configurations"]] == [2, 2, 2]
    counts = sorted(log(folder).count(word) for word in "abc")
    assert counts == [2, 2, 3]  # one run started twice
    assert sorted(path.name for path in (folder / "d").iterdir()) == ["results.json", "runs.jsonl"]
    assert str(folder) not in {os.path.realpath(path) for path in Path("/proc").glob("[0-9]*/cwd")}


def test_a_failed_run_is_the_answer_no(folder):
    (folder / "spec.toml").write_text(SPEC.replace("echo {word}", "exit 3; echo {word}"))
    failed = subprocess.run(WORDS, cwd=folder, capture_output=True, text=True)
    assert failed.returncode == 1 and "6 runs of 6 failed." in failed.stdout


def test_a_dry_run_prints_commands_and_leaves_nothing(folder):
    done = subprocess.run([*WORDS, "--dry-run", "--json"], cwd=folder, capture_output=True, text=True)
    assert [entry["values"] for entry in json.loads(done.stdout)] == [{"word": word} for word in "abc"]
    assert [path.name for path in folder.iterdir()] == ["spec.toml"]
