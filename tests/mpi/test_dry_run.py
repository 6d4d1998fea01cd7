"""`corewise run --dry-run`: what it knows about hosts without asking them, and what it says of others."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from corewise import machines
from corewise.files.table import Table
from corewise.model import Assignment
from corewise.nouns.launch_plan import LaunchPlan
from corewise.nouns.placement import Placement
from corewise.text.quantities import index_text
from test_run import corewise

# One node with two cores of two hardware threads each, and one node with a single core numbered 5.
UNLIKE = """\
format = "corewise-machine"
version = 1
name = "unlike"
summary = "two nodes of different shapes"
shape_of_node = [0, 1]
[[shapes]]
level_names = ["node"]
group = [[0, 0]]
os_pus = [[0, 2], [1, 3]]
[[shapes]]
level_names = ["node"]
group = [[0]]
os_pus = [[5]]
"""


@pytest.fixture
def folder(tmp_path) -> Path:
    (tmp_path / "unlike.toml").write_text(UNLIKE)
    machine = machines.load(str(tmp_path / "unlike.toml"))
    Placement.of(Assignment.from_cores([2, 1]), machine).write(tmp_path / "placement.json")
    return tmp_path


def dry_run(mpi, folder: Path, *words: str) -> subprocess.CompletedProcess:
    """A dry run for hosts that don't exist: asking them would fail or hang."""
    option = "-hosts" if "mpich" in mpi.mpirun else "-H"
    job = ("--", mpi.mpirun, option, "n1,n2", "-n", "2", "true")
    return corewise("run", "--dry-run", "--json", *words, *job, folder=folder)


def masks(done: subprocess.CompletedProcess) -> list[str]:
    """The lines of the binder's file that set the ranks' masks."""
    assert done.returncode == 0, done.stderr
    files = json.loads(done.stdout)["files"]
    [settings] = [text for name, text in files.items() if name.endswith("bind.txt")]
    return [line for line in settings.splitlines() if line.startswith("rank ")]


def test_a_placement_on_unlike_nodes_is_taken_as_it_says_and_the_hosts_are_named(mpi, folder):
    done = dry_run(mpi, folder, "--placement", "placement.json")
    assert masks(done) == ["rank 0 5", "rank 1 1,3"]
    document = json.loads(done.stdout)
    assert LaunchPlan.from_table(Table(folder, "", document)).to_json() == document
    note = json.loads(done.stdout)["notes"][-1]
    assert "n1, n2 were not asked for their cores, which are assumed to be as the placement says" in note


def test_objects_are_taken_to_be_like_those_here_and_that_is_said(mpi, folder):
    done = dry_run(mpi, folder, "--binding", "node")
    here = machines.here()
    pus = index_text([pu for core in range(here.n_cores) for pu in here.os_pus(core)])
    assert masks(done) == [f"rank {rank} {pus}" for rank in range(2)]
    assert "which are assumed to be like this host" in json.loads(done.stdout)["notes"][-1]


def test_a_wider_mask_on_a_node_that_nobody_knows_is_refused(mpi, folder):
    done = dry_run(mpi, folder, "--placement", "placement.json", "--binding", "node")
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert "a dry run doesn't ask n1; leave out --dry-run" in done.stderr
