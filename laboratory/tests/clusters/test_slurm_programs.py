"""Under Slurm: programs of srun's file are checked, traced and run; `check` and `export` use the job."""

from __future__ import annotations

import json
import os

import pytest
from clusters import COREWISE, temporary_lab_folder
from corewise import machines
from corewise.model import Assignment, Profile
from corewise.nouns.placement import Placement
from mpis import mpi_named

JOB = ("salloc", "--quiet", "-N", "2", "--ntasks-per-node=2")

pytestmark = pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="needs two cores")


@pytest.fixture(scope="module")
def in_job():
    """Runs words in a job of two nodes with two tasks each; returns their output."""
    with temporary_lab_folder() as lab_folder:
        lab_folder.lab("up", "slurm", "--nodes", "2", "--slots", "2")

        def start(*words: str, code: int = 0) -> str:
            script = 'trap "" PIPE; "$@"; ended=$?; [ $ended = ' + str(code) + " ] || exit $((ended + 1))"
            return lab_folder.lab("run", "slurm", "--", *JOB, "bash", "-c", script, "bash", *words).stdout

        yield start


def test_programs_of_a_file_are_checked_traced_and_run(in_job, tmp_path):
    where = mpi_named("openmpi4").where
    (tmp_path / "programs").write_text(f"0-1 {where} silent\n2 {where} silent\n")
    srun = ("srun", "--mpi=pmix", "-n", "3", "--multi-prog", str(tmp_path / "programs"))
    checked = json.loads(in_job(COREWISE, "check", "--json", "--", *srun))
    assert (checked["findings"], len(checked["ranks"])) == ([], 3)
    in_job(COREWISE, "trace", "-o", str(tmp_path / "p"), "--", *srun)
    profile = Profile.read(str(tmp_path / "p"))
    assert (profile.complete, profile.n_ranks) == (True, 3)
    place = tmp_path / "placement.json"
    n_cores = machines.load("local").n_cores
    Placement.of(Assignment.from_cores([n_cores, 1, 0]), machines.load("local:2")).write(place)
    ran = json.loads(in_job(COREWISE, "run", "--json", "--placement", str(place), "--", *srun))
    assert [rank["host"] for rank in ran["ranks"]] == ["n1", "n0", "n0"]
    assert ran["verified"] is True


def test_check_knows_what_the_job_has_and_what_the_program_speaks(in_job):
    openmpi = mpi_named("openmpi4").where
    found = json.loads(in_job(COREWISE, "check", "--json", "--", "srun", "-n", "4", openmpi, code=1))
    assert [(one["id"], one["command"]) for one in found["findings"]] == [
        ("process-manager", f"srun --mpi=pmix -n 4 {openmpi}")
    ]
    words = ("srun", "--mpi=pmix", "-n", "16", openmpi)
    found = json.loads(in_job(COREWISE, "check", "--json", "--", *words, code=1))
    assert [(one["id"], one["command"]) for one in found["findings"]] == [
        ("too-few-slots", f"srun -n 4 --mpi=pmix {openmpi}")
    ]
    masks = ("srun", "--mpi=pmix", "-N", "1", "-n", "2", "--cpu-bind=mask_cpu:0x1,0x8000000", openmpi)
    [one] = json.loads(in_job(COREWISE, "check", "--json", "--", *masks, code=1))["findings"]
    assert one["id"] == "absent-pus" and "--cpu-bind=mask_cpu:0x1,0x2" in one["command"]


def test_ranks_that_share_slots_are_offered_under_open_mpi_5(in_job):
    # Four slots on two nodes. PRRTE starts eight ranks if they may share slots.
    mpi = mpi_named("openmpi5")
    words = (mpi.mpirun, "-n", "8", mpi.where)
    found = json.loads(in_job(COREWISE, "check", "--json", "--", *words, code=1))
    command = next(one["command"] for one in found["findings"] if one["id"] == "too-few-slots")
    assert command == " ".join((mpi.mpirun, "--map-by", "slot:OVERSUBSCRIBE", *words[1:]))


def test_an_exported_command_for_srun_names_the_nodes_of_the_job(in_job, tmp_path):
    place = tmp_path / "placement.json"
    Placement.of(Assignment.from_cores([machines.load("local").n_cores, 0]), machines.load("local:2")).write(
        place
    )
    plan = json.loads(in_job(COREWISE, "export", str(place), "--for", "srun", "--json"))
    assert plan["files"]["./hosts"] == "n1\nn0\n"
