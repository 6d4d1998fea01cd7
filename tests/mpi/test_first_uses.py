"""Threads of a rank that use a communicator and a window for the first time, at the same moment."""

from __future__ import annotations

import subprocess

import mpi_jobs
import pytest
from conftest import EVERY_MPI, installed, run_of_mpi
from corewise.model import Layer, Profile

ROUNDS, THREADS = 20, 4


@pytest.mark.sanitized
@pytest.mark.parametrize("mode", ["count", "time", "events"])
@pytest.mark.parametrize("name", EVERY_MPI)
def test_all_messages_of_all_threads_are_counted(name, mode, tmp_path, monkeypatch):
    mpi = installed(name)
    monkeypatch.setenv("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe")
    program = tmp_path / "program"
    source = str(mpi_jobs.PROGRAMS / "first_uses.c")
    subprocess.run([mpi.mpicc, "-w", "-pthread", source, "-o", str(program)], check=True, timeout=100)
    given = mpi_jobs.observed(mpi.family, tmp_path / "profile") | {"COREWISE_MODE": mode}
    done = run_of_mpi(mpi, 2, [str(program)], given)
    assert done.returncode == 0 and "corewise:" not in done.stderr, done.stderr
    profile = Profile.read(str(tmp_path / "profile"))
    assert profile.complete and profile.faults == []
    n = ROUNDS * THREADS
    assert mpi_jobs.pairs(profile, Layer.p2p) == {(0, 1): (5 * n, n), (1, 0): (5 * n, n)}
    assert mpi_jobs.pairs(profile, Layer.rma) == {(0, 1): (3 * n, n), (1, 0): (3 * n, n)}
