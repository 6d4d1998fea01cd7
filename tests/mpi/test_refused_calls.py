"""Calls that MPI refuses, and calls without elements or a datatype: the same with the preload library."""

from __future__ import annotations

import mpi_jobs
import pytest
from conftest import EVERY_MPI, installed, run_of_mpi
from corewise.model import Profile

# A wrapper has one form for `time` and one for `events`. The form for `count` is that of `time` without a
# clock.
MODES = ["count", "time", "events"]

pytestmark = pytest.mark.sanitized("asan")


# In the libmpi_abi of MPICH 5.0.2 the program crashes without corewise, too.
@pytest.mark.parametrize("name", [name for name in EVERY_MPI if name != "abi"])
def test_error_handlers_are_called_as_often_as_without_the_library(name, tmp_path):
    mpi = installed(name)
    program = mpi_jobs.compile_program(mpi.mpicc, "refused.c", tmp_path / "refused")
    # Most other MPIs follow a NULL pointer to requests. Handles of Open MPI are pointers.
    argv = [str(program), "forgiven", *{"mpich": ["pointers", "bytes"], "mpich5": ["bytes"]}.get(name, [])]
    plain = run_of_mpi(mpi, 2, argv, {})
    assert plain.returncode == 0, plain.stderr
    # MPICH 5 returns MPI_SUCCESS after a handler of the program has returned.
    returned = "success" if name == "mpich5" else "error"
    assert f"MPI_Send(&value, 1, none, 0, 0, world): {returned}, 1\n" in plain.stdout
    for mode in MODES:
        given = mpi_jobs.observed(mpi.family, tmp_path / mode) | {"COREWISE_MODE": mode}
        traced = run_of_mpi(mpi, 2, argv, given)
        assert (traced.returncode, traced.stdout) == (0, plain.stdout), (mode, traced.stderr)
        profile = Profile.read(str(tmp_path / mode))
        assert (profile.complete, list(profile.faults)) == (True, [])
