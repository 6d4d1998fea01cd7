"""The main job that `corewise check --installation` tries, with every MPI of this machine."""

from __future__ import annotations

import pytest
from conftest import installed
from corewise.execute.programs import launcher_and_version
from corewise.installation import main_job
from corewise.installation.here import FoundLauncher, Here
from mpis_here import MPIS


@pytest.mark.parametrize("name", [*MPIS, "mpich5"])
def test_the_main_job_works_with_this_mpi(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    mpirun = installed(name).mpirun
    found = FoundLauncher((mpirun,), *launcher_and_version(mpirun))
    (trial,) = main_job.attempt(Here({installed(name).family: "there"}, [found], {}, []))
    assert trial.works, trial.found
    assert trial.what.startswith(found.title) and "2 ranks traced, mapped, run and verified" in trial.found
    assert not list(tmp_path.iterdir())  # no file is left


def test_a_job_that_fails_says_what_it_printed(mpi, tmp_path, monkeypatch):
    monkeypatch.setattr(main_job, "_LIBRARIES", {mpi.family: ("libnone.so.1",)})
    found = FoundLauncher((mpi.mpirun,), *launcher_and_version(mpi.mpirun))
    (trial,) = main_job.attempt(Here({mpi.family: "there"}, [found], {}, []))
    assert not trial.works
    assert "(exit code 1)" in trial.found and "is above" not in trial.found
    assert "it printed: the MPI library was not found: libnone.so.1" in trial.found
