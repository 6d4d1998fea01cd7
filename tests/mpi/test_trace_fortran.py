"""mpif.h, `use mpi` and mpi_f08 give the same profile as the same program in C, on every MPI."""

from __future__ import annotations

import mpi_jobs
import pytest
from corewise.model import Layer


@pytest.mark.parametrize("binding", ["MPIF", "USE_MPI", "F08"])
def test_fortran_is_seen_as_its_twin_in_c_is(family, binding, compiled, tmp_path):
    mpi_jobs.tool(family, "mpif90")
    in_c = compiled(family, "twin.c")
    in_fortran = compiled(family, "twin.F90", "-fallow-argument-mismatch", f"-DTWIN_{binding}")
    expected = mpi_jobs.run(family, 4, [str(in_c)], tmp_path / "c").profile
    job = mpi_jobs.run(family, 4, [str(in_fortran)], tmp_path / "fortran")
    assert (job.returncode, job.stderr) == (0, "")
    assert job.profile.complete
    for layer in (Layer.p2p, Layer.coll, Layer.rma):
        assert mpi_jobs.pairs(job.profile, layer) == mpi_jobs.pairs(expected, layer)
    assert mpi_jobs.call_counts(job.profile) == mpi_jobs.call_counts(expected)


def test_the_twin_in_c_sends_what_its_source_says(family, compiled, tmp_path):
    # To the next rank 40 bytes, and 4 starts of 12; to the last rank 80; in each half 20 from its rank 0 to
    # its rank 1.
    profile = mpi_jobs.run(family, 4, [str(compiled(family, "twin.c"))], tmp_path / "c").profile
    expected = {(s, (s + 1) % 4): (40 + 4 * 12, 5) for s in range(4)}
    expected |= {(s, (s + 3) % 4): (80, 1) for s in range(4)}
    expected |= {(2, 0): (20, 1), (3, 1): (20, 1)}
    assert mpi_jobs.pairs(profile, Layer.p2p) == expected


def test_large_counts_of_mpi_f08_are_counted(compiled, tmp_path):
    # Open MPI's Fortran has no large counts, not even in 5.0.
    program = compiled("mpich", "large_counts.F90")
    job = mpi_jobs.run("mpich", 2, [str(program)], tmp_path / "profile")
    assert (job.returncode, job.stderr) == (0, "")
    names = ("MPI_Irecv_c", "MPI_Send_c", "MPI_Wait", "MPI_Bcast_c", "MPI_Alltoallv_c")
    assert mpi_jobs.call_counts(job.profile) == dict.fromkeys(names, 2)
    assert mpi_jobs.pairs(job.profile, Layer.p2p) == {(0, 1): (12, 1), (1, 0): (12, 1)}
    # 16 bytes from the root, 8 bytes each way.
    assert mpi_jobs.pairs(job.profile, Layer.coll) == {(0, 1): (24, 2), (1, 0): (8, 1)}
