"""Hybrid programs: ranks with several cores, from `map` to verified masks, and threads on these cores."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from corewise import machines

COREWISE = str(Path(sys.executable).with_name("corewise"))

PROGRAM = """
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  #pragma omp parallel
  {
    #pragma omp single
    printf("threads %d\\n", omp_get_num_threads());
  }
  MPI_Finalize();
  return 0;
}
"""


def corewise(folder: Path, *words: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [COREWISE, *words], cwd=folder, capture_output=True, text=True, timeout=100, check=False
    )


def mapped(folder: Path, n_ranks: int, *words: str) -> subprocess.CompletedProcess:
    """Maps a ring on this machine with `corewise map`; writes placement.json."""
    matrix = np.roll(np.eye(n_ranks, dtype=np.int64), 1, axis=1)
    np.savez(folder / "ring.npz", bytes=matrix, msgs=matrix)
    return corewise(folder, "map", "ring.npz", *words, "-o", "placement.json")


def hybrid_program(mpi, folder: Path) -> str:
    compiler = shutil.which(mpi.mpicc)
    if compiler is None:
        pytest.skip(f"{mpi.mpicc} is not there")
    source = folder / "hybrid.c"
    source.write_text(PROGRAM)
    subprocess.run([compiler, "-fopenmp", "-o", folder / "hybrid", source], check=True, timeout=100)
    return str(folder / "hybrid")


def test_a_rank_with_two_cores_is_bound_to_both_and_runs_a_thread_on_each(mpi, two_cores, tmp_path):
    done = mapped(tmp_path, 1, "--cores-per-rank", "2")
    assert done.returncode == 0, done.stderr
    program = hybrid_program(mpi, tmp_path)
    words = ("run", "--json", "--placement", "placement.json", "--", mpi.mpirun, "-n", "1", program)
    done = corewise(tmp_path, *words)
    assert done.returncode == 0, done.stderr
    [rank] = json.loads(done.stdout)["ranks"]
    local = machines.load("local")
    both = sorted(local.os_pus(0) + local.os_pus(1))
    assert (rank["os_pus_wanted"], rank["os_pus_seen"], rank["ok"]) == (both, both, True)
    assert f"threads {len(both)}" in done.stderr  # the program's own output


def test_ranks_that_share_two_cores_are_bound_to_both_where_that_was_asked_for(mpi, two_cores, tmp_path):
    refused = mapped(tmp_path, 2, "--cores-per-rank", "2", "--free", "all:2-4095")
    assert refused.returncode == 2
    assert "2 ranks of 2 cores each and room for 1" in refused.stderr
    done = mapped(tmp_path, 2, "--cores-per-rank", "2", "--free", "all:2-4095", "--oversubscribe")
    assert done.returncode == 0, done.stderr
    program = hybrid_program(mpi, tmp_path)
    words = ("run", "--json", "--placement", "placement.json", "--", mpi.mpirun, "-n", "2", program)
    done = corewise(tmp_path, *words)
    assert done.returncode == 0, done.stderr
    assert [rank["ok"] for rank in json.loads(done.stdout)["ranks"]] == [True, True]
