"""Commands in random fences (taskset, a real cgroup) on random nodes: fuzzed_masks.py.

To run more of them: `python tests/mpi/fuzzed_masks.py FOLDER 500 1 mpirun.openmpi ./ring`.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.thorough

FUZZ = Path(__file__).with_name("fuzzed_masks.py")
RING = Path(__file__).with_name("programs") / "ring.c"
N_CASES = 5


@pytest.mark.skipif(shutil.which("lstopo-no-graphics") is None, reason="needs lstopo-no-graphics (hwloc)")
@pytest.mark.skipif(shutil.which("taskset") is None, reason="needs taskset")
def test_nothing_crashes_or_is_narrowed_silently(mpi, tmp_path):
    program = str(tmp_path / "ring")
    subprocess.run([mpi.mpicc, "-w", str(RING), "-o", program], check=True, timeout=60)
    words = [sys.executable, str(FUZZ), str(tmp_path), str(N_CASES), "3", mpi.mpirun, program]
    done = subprocess.run(words, capture_output=True, text=True, timeout=100)
    *wrong, counts = map(json.loads, done.stdout.splitlines())
    assert not wrong
    assert counts["ended"] + counts["refused"] == N_CASES
    assert counts["wrong"] == 0
