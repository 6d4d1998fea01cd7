"""`corewise export`: the printed command puts every rank where the placement says, without corewise."""

from __future__ import annotations

import json
import subprocess

import pytest
from corewise.start.programs import find_launcher
from mpis_here import SHOW_MASK
from test_run import corewise, placement


@pytest.mark.parametrize("cores", [[0, 1], [1, 0], [1, 1, 0, 0]])
def test_the_exported_command_binds_as_the_placement_says(mpi, two_cores, tmp_path, cores):
    place = placement(tmp_path, cores, oversubscribed=len(cores) > 2)
    launcher = find_launcher(mpi.mpirun)
    done = corewise("export", place, "--for", launcher.name, "-o", "launch", "--json", folder=tmp_path)
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
    seen = sorted(ran.stdout.splitlines())
    assert seen == [f"{rank} {core}" for rank, core in enumerate(cores)], ran.stderr
