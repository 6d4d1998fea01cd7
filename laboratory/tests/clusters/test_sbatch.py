"""Real Slurm: the job script of `export --script` under sbatch."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from clusters import COREWISE
from corewise import machines
from corewise.model import Assignment
from corewise.nouns.placement import Placement
from mpis import mpi_named

pytestmark = pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="needs two cores")


def test_sbatch_runs_the_script_and_the_report_shows_the_placement(lab_folder, tmp_path):
    node = machines.load("local")
    cores = [node.n_cores + 1, 0, 1, node.n_cores]  # n1, n0, n0, n1
    wanted = [("n1", node.os_pus(1)), ("n0", node.os_pus(0)), ("n0", node.os_pus(1)), ("n1", node.os_pus(0))]
    Placement.of(Assignment.from_cores(cores), machines.load("local:2")).write(tmp_path / "place.json")
    exported = [COREWISE, "export", str(tmp_path / "place.json"), "--script", "slurm"]
    script = subprocess.run(exported, capture_output=True, text=True, check=True).stdout
    app = f"app=({mpi_named('openmpi4').where} silent)"
    script = script.replace("\napp=()", f"\n{app}").replace("launcher=(srun)", "launcher=(srun --mpi=pmix)")
    (tmp_path / "job").write_text(script)
    lab_folder.lab("up", "slurm", "--nodes", "2", "--slots", "2")
    with_corewise = submitted(lab_folder, tmp_path, f"{Path(COREWISE).parent}:/usr/bin:/bin")
    assert "All 4 bindings are as requested" in with_corewise
    rows = re.findall(r"^ *(\d) +(n\d) +(n\d) +(\S+) +(\S+) +ok", with_corewise, re.MULTILINE)
    assert [(host, seen) for _, _, host, _, seen in rows] == [
        (host, ",".join(map(str, pus))) for host, pus in wanted
    ]
    without = submitted(lab_folder, tmp_path, "/usr/bin:/bin")
    assert re.findall(r"rank (\d) on (\S+): Cpus_allowed_list:\s+(\S+)", without) == [
        (str(rank), host, ",".join(map(str, pus))) for rank, (host, pus) in enumerate(wanted)
    ]


def submitted(lab_folder, folder, path: str) -> str:
    """The job's output with this PATH."""
    job = ["env", f"PATH={path}", "sbatch", "--quiet", "--wait", "--output=printed", "job"]
    inside = ["sh", "-c", 'cd "$0" && exec "$@"', str(folder), "timeout", "60", *job]
    lab_folder.lab("run", "slurm", "--", *inside)
    return (folder / "printed").read_text()
