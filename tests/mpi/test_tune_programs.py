"""`corewise tune` of Fortran programs with both MPIs, and of Debian's hpcc."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import mpi_jobs
import pytest

COREWISE = str(Path(sys.executable).with_name("corewise"))


def tune(*argv: str, folder: Path) -> dict:
    """The document of a tune with one run of each placement."""
    words = [COREWISE, "tune", "--json", "--repeats", "1", "-o", "out", "--", *argv]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=110, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("binding", ["MPIF", "USE_MPI", "F08"])
def test_a_fortran_program_is_tuned_through_every_binding(family, compiled, tmp_path, binding):
    mpi_jobs.tool(family, "mpif90")
    program = compiled(family, "twin.F90", "-fallow-argument-mismatch", f"-DTWIN_{binding}")
    flag = ["--oversubscribe"] if family == "openmpi" else []
    verdict = tune(mpi_jobs.tool(family, "mpirun"), *flag, "-n", "4", str(program), folder=tmp_path)
    assert verdict["verified"] is True
    assert verdict["advice"]["matters"] in ("yes", "no", "unsure")


def test_hpcc_is_tuned(tmp_path):
    sample = Path("/usr/share/doc/hpcc/examples/_hpccinf.txt")
    if shutil.which("hpcc") is None or not sample.exists():
        pytest.skip("hpcc or its sample input not found")
    text = (
        sample.read_text().replace("1000         Ns", "200         Ns").replace("80           NBs", "20 NBs")
    )
    (tmp_path / "hpccinf.txt").write_text(text)
    verdict = tune(mpi_jobs.tool("openmpi", "mpirun"), "--oversubscribe", "-n", "4", "hpcc", folder=tmp_path)
    assert verdict["verified"] is True
    assert "End of HPC Challenge tests." in (tmp_path / "hpccoutf.txt").read_text()
