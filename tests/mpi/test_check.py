"""`corewise check` on real MPIs: clean commands have no trap, and corrected commands are clean."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from pathlib import Path

import pytest
from conftest import MPIS, Mpi
from corewise.checks import discovery
from corewise.observe.seen_masks import Started
from test_run import corewise


def check(folder: Path, *words: str, **variables: str) -> tuple[int, dict]:
    under = ("env", *(f"{name}={value}" for name, value in variables.items()))
    done = corewise("check", "--json", *words, folder=folder, under=under)
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)


@pytest.fixture
def one_mpi(request) -> Mpi:
    if MPIS[request.param] is None:
        pytest.skip(f"{request.param} is not installed")
    return MPIS[request.param]


@pytest.mark.parametrize("words", [[], ["--list"]], ids=["machine", "list"])
def test_this_machine_is_looked_at_without_a_command(words, tmp_path):
    code, document = check(tmp_path, *words)
    assert code == (1 if document.get("findings") else 0)
    assert not list(tmp_path.iterdir())  # no file is left


def test_nothing_is_wrong_with_a_clean_command(mpi, two_cores, tmp_path):
    code, document = check(tmp_path, "--", mpi.mpirun, "-n", "2", mpi.ring)
    assert (code, document["findings"]) == (0, [])
    assert [rank["rank"] for rank in document["ranks"]] == [0, 1]
    assert not list(tmp_path.iterdir())


# (id, launcher, words before the program, words before the launcher, variables)
TRAPS = [
    ("absent-pus", "mpich", ["-n", "2", "-bind-to", "user:0,999"], [], {}),
    ("cores-not-given", "openmpi", ["-n", "1", "--map-by", "ppr:1:core:PE=2"], [], {}),
    ("cores-not-given", "openmpi", ["-n", "2", "--bind-to", "cpu-list:ordered", "--cpu-list", "1,0"], [], {}),
    ("fixed-threads", "mpich", ["-n", "2", "env", "OMP_PLACES={0},{1}"], [], {}),
    ("ignored-parameters", "openmpi5", ["-n", "2", "--mca", "hwloc_base_binding_policy", "none"], [], {}),
    ("ignored-parameters", "openmpi5", ["-n", "2"], [], {"OMPI_MCA_rmaps_base_mapping_policy": "node"}),
    ("ignored-parameters", "openmpi", ["-n", "2", "--mca", "hwloc_default_binding_policy", "none"], [], {}),
    ("inherited-affinity", "openmpi", ["-n", "1", "--bind-to", "core"], ["taskset", "-c", "{last}"], {}),
    ("inherited-affinity", "openmpi5", ["-n", "1", "--bind-to", "core"], ["taskset", "-c", "{last}"], {}),
    ("one-core-for-threads", "openmpi", ["-n", "1", "--bind-to", "core"], [], {"OMP_NUM_THREADS": "2"}),
    ("one-core-for-threads", "openmpi5", ["-n", "1", "--bind-to", "core"], [], {"OMP_NUM_THREADS": "2"}),
    ("one-core-for-threads", "mpich", ["-n", "1", "-bind-to", "core"], [], {"OMP_NUM_THREADS": "2"}),
    ("oversubscription", "mpich", ["-n", "1"], [], {"OMP_NUM_THREADS": "999"}),
    ("oversubscription", "openmpi", ["-n", "1"], [], {"OMP_NUM_THREADS": "999"}),
    ("same-places", "mpich", ["-n", "2"], [], {"OMP_PROC_BIND": "spread"}),
    ("same-places", "openmpi5", ["-n", "2", "--bind-to", "none"], [], {"OMP_PROC_BIND": "true"}),
    ("shared-cores", "mpich", ["-n", "2", "-bind-to", "user:{first},{first}"], [], {}),
    ("shared-cores", "openmpi", ["-n", "2", "taskset", "-c", "{first}"], [], {}),
    ("stale-rankfile", "openmpi", ["-n", "2", "-rf", "{rankfile}"], [], {}),
    (
        "too-few-slots",
        "openmpi",
        ["-n", "2", "-H", "localhost"],
        [],
        {"OMPI_MCA_rmaps_base_oversubscribe": "0"},
    ),
    ("too-few-slots", "openmpi5", ["-n", "2", "--hostfile", "{one_slot}", "--map-by", "core"], [], {}),
]


@pytest.mark.parametrize(
    ("name", "one_mpi", "options", "before", "variables"),
    TRAPS,
    ids=[f"{row[0]}-{row[1]}" for row in TRAPS],
    indirect=["one_mpi"],
)
def test_the_corrected_command_of_a_trap_is_clean(
    name, one_mpi, options, before, variables, two_cores, tmp_path
):
    rankfile = tmp_path / "ranks.txt"
    rankfile.write_text("rank 0=localhost slot=0\nrank 1=localhost slot=999\n")
    (tmp_path / "one_slot").write_text("localhost slots=1 max_slots=20\n")
    pus = os.sched_getaffinity(0)
    known = {
        "{first}": str(min(pus)),
        "{last}": str(max(pus)),
        "{one_slot}": str(tmp_path / "one_slot"),
        "{rankfile}": str(rankfile),
    }

    def filled(words: list[str]) -> list[str]:
        for hole, value in known.items():
            words = [word.replace(hole, value) for word in words]
        return words

    command = [*filled(before), one_mpi.mpirun, *filled(options), one_mpi.ring]
    code, document = check(tmp_path, "--", *command, **variables)
    [finding] = [finding for finding in document["findings"] if finding["id"] == name]
    assert code == 1
    writes, _, corrected = finding["command"].rpartition(" && ")
    if writes:
        subprocess.run(["sh", "-c", writes], cwd=tmp_path, check=True, timeout=60)
    code, document = check(tmp_path, "--", *shlex.split(corrected), **variables)
    assert (code, document["findings"]) == (0, [])


def test_every_program_of_a_command_is_looked_at(mpi, two_cores, tmp_path):
    first, last = min(os.sched_getaffinity(0)), max(os.sched_getaffinity(0))
    words = ["-n", "1", mpi.ring, ":", "-n", "1", "env", "OMP_NUM_THREADS=999", mpi.ring]
    _, document = check(tmp_path, "--", mpi.mpirun, *words)
    assert [one["id"] for one in document["findings"]] == ["oversubscription"]
    assert "2 ranks with 1000 threads in all" in document["findings"][0]["found"]
    own = [f"-n 1 taskset -c {pu}".split() + [mpi.ring] for pu in (first, last)]
    code, document = check(tmp_path, "--", mpi.mpirun, *own[0], ":", *own[1])
    assert (code, document["findings"]) == (0, [])
    assert [rank["os_pus"] for rank in document["ranks"]] == [[first], [last]]


@pytest.mark.parametrize("one_mpi", ["openmpi"], indirect=True)
def test_a_command_that_nothing_corrects_is_left_without_one(one_mpi, tmp_path):
    words = ("-n", "1", "--map-by", "no-such-policy", one_mpi.ring, "--", "x")
    _, document = check(tmp_path, "--", one_mpi.mpirun, *words)
    [finding] = document["findings"]
    assert finding["id"] == "launcher-refuses"
    assert finding["command"] is not None  # without the policy the command starts
    missing = ("-n", "1", "--mca", "plm", "no-such-component", one_mpi.ring)
    _, document = check(tmp_path, "--", one_mpi.mpirun, *missing)
    assert [(one["id"], one["command"]) for one in document["findings"]] == [("launcher-refuses", None)]


@pytest.mark.parametrize("one_mpi", ["mpich"], indirect=True)
def test_a_program_of_another_mpi_is_found(one_mpi, tmp_path):
    openmpi = MPIS["openmpi"] or pytest.skip("openmpi is not installed")
    _, document = check(tmp_path, "--", openmpi.mpirun, "-n", "1", one_mpi.ring)
    [finding] = document["findings"]
    assert finding["id"] == "mpi-family"
    assert check(tmp_path, "--", *shlex.split(finding["command"]))[0] == 0


def test_too_many_ranks_are_not_started_and_not_called_right(mpi, tmp_path):
    _, document = check(tmp_path, "--", mpi.mpirun, "-n", "2000", mpi.ring)
    assert document["unseen"].startswith("2000 ranks; at most ")
    assert document["ranks"] == []


@pytest.mark.parametrize(("limit_s", "timed_out"), [(0, True), (60, False)])
def test_the_time_limit_of_corewise_is_told_from_the_launcher_s_exit_code(
    limit_s, timed_out, mpi, monkeypatch
):
    monkeypatch.setattr(discovery, "masks_under", lambda *_: Started([], 124, "printed"))
    monkeypatch.setattr(discovery, "TIMEOUT_S", limit_s)
    asked = discovery.situation_of([mpi.mpirun, "-n", "1", "true"]).asked
    assert (asked.timed_out, asked.exit_code) == (timed_out, 124)
