"""Several programs in one command, by ':' or in a file: traced, mapped, exported, run with both MPIs."""

from __future__ import annotations

import json
import shlex
import subprocess
from pathlib import Path

import pytest
from corewise import machines
from test_run import corewise


def done(*words: str, folder: Path) -> subprocess.CompletedProcess:
    ended = corewise(*words, folder=folder)
    assert ended.returncode == 0, ended.stderr
    return ended


@pytest.fixture(params=["between colons", "in a file"])
def command(request, mpi, tmp_path) -> list[str]:
    """Starts one rank of each of two programs, which are the same file under two names."""
    one, two = mpi.ring, str(tmp_path / "two")
    Path(two).symlink_to(one)
    if request.param == "between colons":
        return [mpi.mpirun, "-n", "1", one, "--repeats", "1", ":", "-n", "1", two, "--repeats", "1"]
    (tmp_path / "list").write_text(f"-n 1 {one} --repeats 1\n# the other\n-n 1 {two} --repeats 1\n")
    return [mpi.mpirun, "--app" if mpi.family == "openmpi" else "-configfile", str(tmp_path / "list")]


def test_programs_are_placed_together_and_each_keeps_its_own_words(mpi, command, two_cores, tmp_path):
    done("trace", "-o", "p", "--", *command, folder=tmp_path)
    done("map", "p", "-o", "placement.json", folder=tmp_path)
    place = tmp_path / "placement.json"
    document = json.loads(place.read_text())
    assert [one["ranks"] for one in document["programs"]] == ["0", "1"]
    name = "openmpi5" if "openmpi5" in mpi.mpirun else "openmpi4" if mpi.family == "openmpi" else "hydra"
    words = ("export", "placement.json", "--for", name, "-o", "launch", "--json")
    argv = json.loads(done(*words, folder=tmp_path).stdout)["argv"]
    middle = argv.index(":")
    assert argv[middle + 1 : middle + 3] == ["-n", "1"]
    assert argv[-3:] == [str(tmp_path / "two"), "--repeats", "1"]
    ended = subprocess.run([mpi.mpirun, *argv[1:]], cwd=tmp_path, timeout=60, capture_output=True, text=True)
    assert ended.returncode == 0, f"{shlex.join(argv)}: {ended.stderr}"
    local = machines.load("local")
    swapped = {"core": [1, 0], "cores": [[1], [0]], "os_pus": [local.os_pus(1), local.os_pus(0)]}
    place.write_text(json.dumps(document | {key: swapped[key] for key in swapped if key in document}))
    ran = json.loads(done("run", "--json", "--placement", str(place), "--", *command, folder=tmp_path).stdout)
    assert [rank["os_pus_seen"] for rank in ran["ranks"]] == [local.os_pus(1), local.os_pus(0)]
