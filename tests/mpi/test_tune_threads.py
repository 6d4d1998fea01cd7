"""MPI with OpenMP: threads that the trace shows get their own cores; threads that share one are reported."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from corewise.nouns.placement import Placement
from corewise.profile.reading import read_profile
from corewise.profile.threads import threads_per_rank

COREWISE = str(Path(sys.executable).with_name("corewise"))

# Two ranks exchange a message after every 50 ms, in which all OpenMP threads compute.
PROGRAM = """
#include <mpi.h>
#include <omp.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  volatile double sum = 0;
  const double begin = MPI_Wtime();
  while (MPI_Wtime() - begin < 0.05) {
    #pragma omp parallel
    for (int i = 0; i < 100000; ++i) sum = i;
  }
  int rank, n_ranks, word = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
  MPI_Sendrecv_replace(&word, 1, MPI_INT, (rank + 1) % n_ranks, 0, (rank + n_ranks - 1) % n_ranks, 0,
                       MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
"""


@pytest.fixture
def hybrid(mpi, two_cores, tmp_path) -> str:
    (tmp_path / "hybrid.c").write_text(PROGRAM)
    words = [mpi.mpicc, "-O1", "-fopenmp", "-o", "hybrid", "hybrid.c"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=100, check=False)
    if done.returncode != 0:
        pytest.skip(f"{mpi.mpicc} compiles no OpenMP: {done.stderr.strip().splitlines()[-1:]}")
    return str(tmp_path / "hybrid")


def document_of(folder: Path, *words: str, **environment: str) -> dict:
    """The JSON document of a corewise command."""
    done = subprocess.run(
        [COREWISE, *words],
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def tune(folder: Path, *words: str, **environment: str) -> dict:
    return document_of(folder, "tune", "--json", "--repeats", "1", "-o", "out", *words, **environment)


def placed(folder: Path) -> list[list[int]]:
    return sorted(Placement.read(folder / "out/best.json").cores)


def verify_best(folder: Path, *words: str, **environment: str) -> None:
    """Checks with `run` that every rank and each of its threads has the mask of the best placement."""
    options = ("run", "--json", "--placement", "out/best.json")
    assert document_of(folder, *options, *words, **environment)["verified"] is True


def compared(mpi) -> str:
    """The conclusion of a tune of one rank.

    Only Open MPI binds a single rank, so that its threads share a core by default. With other MPIs no run is
    needed: one rank sends nothing, and its threads have their own cores already.
    """
    return "measured" if mpi.family == "openmpi" else "no messages"


@pytest.mark.parametrize("bound", [{}, {"OMP_PROC_BIND": "close", "OMP_PLACES": "cores"}], ids=len)
def test_a_rank_gets_a_core_for_each_of_its_threads(mpi, hybrid, tmp_path, bound):
    variables = {"OMP_NUM_THREADS": "2", **bound}  # OpenMP may bind threads inside the mask of their rank
    document = tune(tmp_path, "--", mpi.mpirun, "-n", "1", hybrid, **variables)
    assert ("measured" if document["verified"] else document["headline"]["conclusion"]) == compared(mpi)
    assert placed(tmp_path) == [[0, 1]]
    verify_best(tmp_path, "--", mpi.mpirun, "-n", "1", hybrid, **variables)
    profile = read_profile(tmp_path / "out/profile")
    assert threads_per_rank(profile) == 2
    assert any(thread.of_mpi for thread in profile.ranks[0].threads)  # each of these MPIs has such a thread
    assert "In the best and the worst placement a rank gets 2 cores for its 2 threads." in document["notes"]


def test_threads_that_share_a_core_are_told_of(mpi, hybrid, tmp_path):
    if len(os.sched_getaffinity(0)) > 3:
        pytest.skip("four threads have their own cores here")
    document = tune(
        tmp_path, "--cores-per-rank", "1", "--", mpi.mpirun, "-n", "2", hybrid, OMP_NUM_THREADS="2"
    )
    assert placed(tmp_path) == [[0], [1]]
    notes = " ".join(document["notes"])
    assert (
        "Default: 4 threads of 2 ranks have 2 cores between them, so that two threads share one core" in notes
    )
    assert "a rank has up to 2 threads and gets 1 core, so that two threads share one core." in notes
    assert "so that two threads share one core" in (tmp_path / "out/report.html").read_text()


def test_threads_bound_by_number_are_part_of_the_default_and_left_out_where_ranks_are_placed(
    mpi, hybrid, tmp_path
):
    bound = {"OMP_NUM_THREADS": "2", "GOMP_CPU_AFFINITY": "0-1"}
    document = tune(tmp_path, "--cores-per-rank", "1", "--", mpi.mpirun, "-n", "2", hybrid, **bound)
    assert document["verified"] is True
    assert any("('GOMP_CPU_AFFINITY=0-1') is the default" in note for note in document["notes"])
