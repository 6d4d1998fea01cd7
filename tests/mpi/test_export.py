"""`corewise export`: the printed command puts every rank where the placement says, without corewise."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from corewise import machines
from corewise.model import Assignment
from corewise.nouns.placement import Placement
from corewise.start.programs import find_launcher
from mpis_here import SHOW_MASK

COREWISE = str(Path(sys.executable).with_name("corewise"))


def export(*words: str, folder: Path) -> subprocess.CompletedProcess:
    return subprocess.run(
        [COREWISE, "export", *words], cwd=folder, capture_output=True, text=True, timeout=60, check=False
    )


def placement(folder: Path, cores: list[int], machine: str = "local", **more) -> str:
    path = folder / "placement.json"
    Placement.of(Assignment.from_cores(cores), machines.load(machine), **more).write(path)
    return str(path)


@pytest.mark.parametrize("cores", [[0, 1], [1, 0], [1, 1, 0, 0]])
def test_the_exported_command_binds_as_the_placement_says(mpi, two_cores, tmp_path, cores):
    place = placement(tmp_path, cores, oversubscribed=len(cores) > 2)
    launcher = find_launcher(mpi.mpirun)
    done = export(place, "--for", launcher.name, "-o", "launch", "--json", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    argv = json.loads(done.stdout)["argv"]
    assert (argv[0], argv[-1]) == (launcher.executables[0], "APP")
    ran = subprocess.run(
        [mpi.mpirun, *argv[1:-1], "bash", "-c", SHOW_MASK],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert sorted(ran.stdout.splitlines()) == [f"{rank} {core}" for rank, core in enumerate(cores)], (
        ran.stderr
    )
