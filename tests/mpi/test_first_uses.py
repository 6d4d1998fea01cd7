"""Threads of a rank that use a communicator and a window for the first time, at the same moment."""

from __future__ import annotations

import mpi_jobs
import pytest
from conftest import EVERY_MPI, installed, profile_of
from corewise.model import Layer

ROUNDS, THREADS = 20, 4


@pytest.mark.sanitized
@pytest.mark.parametrize("mode", ["count", "time", "events"])
@pytest.mark.parametrize("name", EVERY_MPI)
def test_all_messages_of_all_threads_are_counted(name, mode, tmp_path):
    mpi = installed(name)
    program = mpi_jobs.compile_program(mpi.mpicc, "first_uses.c", tmp_path / "program")
    profile = profile_of(mpi, 2, [str(program)], tmp_path / "profile", COREWISE_MODE=mode)
    assert profile.complete and profile.faults == []
    n = ROUNDS * THREADS
    assert mpi_jobs.pairs(profile, Layer.p2p) == {(0, 1): (5 * n, n), (1, 0): (5 * n, n)}
    assert mpi_jobs.pairs(profile, Layer.rma) == {(0, 1): (3 * n, n), (1, 0): (3 * n, n)}
