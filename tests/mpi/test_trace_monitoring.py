"""The traced point-to-point matrix equals that of Open MPI's monitoring, in bytes and in messages.

Both observe the same job. Of monitoring's lines only those for the program's own messages count. Open MPI
4.1.4's monitoring doesn't see persistent requests; test_trace.py checks that pattern by hand.
"""

from __future__ import annotations

import shutil

import mpi_jobs
import pytest
from corewise.model import Layer
from corewise.profile.formats.openmpi_monitoring import read_openmpi_monitoring

FAMILY = "openmpi"


def monitored(program, directory):
    """The pairs in the profile, and those in monitoring's files."""
    mpi_jobs.tool(FAMILY, "mpirun")
    files = directory / "monitoring"
    files.mkdir()
    watched = {
        "OMPI_MCA_pml_monitoring_enable": "2",
        "OMPI_MCA_pml_monitoring_enable_output": "3",
        "OMPI_MCA_pml_monitoring_filename": str(files / "rank"),
    }
    job = mpi_jobs.run(FAMILY, 4, program, directory / "profile", **watched)
    assert job.returncode == 0, job.stderr
    seen = read_openmpi_monitoring(sorted(files.iterdir()))
    columns = (column.tolist() for column in seen.columns())
    return mpi_jobs.pairs(job.profile, Layer.p2p), {
        (s, d): (b, m) for s, d, b, m in zip(*columns, strict=True)
    }


@pytest.mark.parametrize("pattern", ["p2p", "isend", "sendrecv", "derived", "threads"])
def test_patterns_agree_with_monitoring(pattern, compiled, tmp_path):
    program = compiled(FAMILY, "patterns.c")
    traced, seen = monitored([str(program), pattern], tmp_path)
    assert traced == seen and traced


def test_lammps_agrees_with_monitoring(tmp_path):
    if shutil.which("lmp") is None:
        pytest.skip("lmp (LAMMPS) not found")
    input_file = mpi_jobs.PROGRAMS / "melt.lammps"
    traced, seen = monitored(["lmp", "-in", str(input_file), "-log", "none", "-screen", "none"], tmp_path)
    assert traced == seen
    assert sum(messages for _, messages in traced.values()) > 1000
