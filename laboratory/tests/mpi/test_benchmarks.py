"""Each program of laboratory/benchmarks at its smallest size runs and prints what it says it measures."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys

import pytest
from sources import ROOT

FOLDER = ROOT / "laboratory" / "benchmarks"
NS = r"[0-9.]+ \([+-][0-9.]+\)"  # a time, and what it adds to an empty wrapper
PEERS = ("scotch", "sharedmap", "kahip", "kaminpar", "mtkahypar", "strong")
ALONE = ("--case", "wrapper alone, world")
COMMANDS = {
    ("tracing/call_cost.py", "--starts", "1", *ALONE): rf"openmpi +wrapper alone, .*count {NS}  time {NS}",
    ("tracing/start_cost.py", "--rounds", "1", "--ranks", "2"): r"openmpi +2 ranks .* -> .* s \([+-]",
    ("tracing/program_overhead.py", "--pairs", "1", "--program", "fftw"): r"fftw +(count +2 ranks|left out)",
    ("steering/cost.py", "calls", "--starts", "1", *ALONE): rf"openmpi +wrapper alone, .*steer {NS}",
    ("steering/cost.py", "application", "--rounds", "1", "--steps", "50", "--program"): (
        "halo, openmpi, 1 rounds: steered over unsteered, median [0-9.]+"
    ),
    ("truth/judge.py", "--programs", "minife", "--predictors", "time"): r"time +[0-9.-]+ +[0-9.-]+ +[0-9]+",
}


def run(words: tuple[str, ...]) -> str:
    argv = [sys.executable, str(FOLDER / words[0]), *words[1:]]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(shutil.which("mpicc.openmpi") is None, reason="needs Debian's Open MPI")
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_benchmark_prints_what_it_measures(words):
    assert re.search(COMMANDS[words], run(words))


def test_the_mapping_benchmark_checks_and_compares_placements(tmp_path):
    chosen = ("--sizes", "small", "--families", "grid3d", "--seeds", "1", "-o", str(tmp_path))
    assert "corewise-default" in run(("mapping/run.py", *chosen, "--without", *PEERS))
    samples = [json.loads(line) for line in (tmp_path / "samples.jsonl").read_text().splitlines()]
    assert {sample["mapper"] for sample in samples} == {"corewise-fast", "corewise-default"}
    assert all(sample["hop_bytes"] >= sample["bound"] > 0 and "fault" not in sample for sample in samples)
