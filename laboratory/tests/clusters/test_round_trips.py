"""Random placements with each launcher: every rank is on the requested node and core, or nothing starts.

Faults on purpose must be noticed, by the test and by the verification of `corewise run`.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import pytest
from mpis import MPIS, PROGRAMS, mpi_named

ROUND_TRIP = str(Path(__file__).with_name("round_trip.py"))
N_PLACEMENTS, PERIOD = 12, 6

pytestmark = [
    pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="needs two cores"),
    pytest.mark.skipif(shutil.which("lstopo-no-graphics") is None, reason="needs lstopo-no-graphics (hwloc)"),
]


def go_through(lab_folder, folder: Path, kind: str, *launcher: str) -> None:
    """Starts placements on four nodes by a launcher, whose words end with an MPI program."""
    trip = (sys.executable, ROUND_TRIP, str(folder), str(N_PLACEMENTS), str(PERIOD), "1", "--")
    in_allocation = ("salloc", "--quiet", "-N4", "--exclusive") if kind == "slurm" else ()
    words = ("run", kind, "--nodes", "4", "--slots", "2", "--", *in_allocation, *trip, *launcher)
    *wrong, counts = map(json.loads, lab_folder.lab(*words).stdout.splitlines())
    assert not wrong
    assert counts.pop("wrong") == 0
    n_periods = N_PLACEMENTS // PERIOD
    assert counts.pop("right") == N_PLACEMENTS - 2 * n_periods
    assert counts.pop("absent") == n_periods
    assert sum(counts.values()) == n_periods and counts.keys() <= {"core", "host"}


@pytest.mark.parametrize("name", MPIS)
def test_ranks_of_random_placements_are_where_they_shall_be_and_sabotage_is_seen(lab_folder, tmp_path, name):
    mpi = mpi_named(name)
    go_through(lab_folder, tmp_path, "netns", mpi.mpirun, mpi.program(PROGRAMS / "init.c"))


def test_they_are_under_srun(lab_folder, tmp_path):
    program = mpi_named("openmpi4").program(PROGRAMS / "init.c")
    go_through(lab_folder, tmp_path, "slurm", "srun", "--mpi=pmix", program)
