"""--binding on the command line: what `export` prints for it, and refused combinations."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from corewise import machines
from corewise.cli import cli
from corewise.errors import InputError, Note
from corewise.files.table import Table
from corewise.launchers import LAUNCHERS
from corewise.model import Assignment
from corewise.nouns.launch_plan import LaunchPlan
from corewise.nouns.placement import Placement
from corewise.nouns.run import Run
from corewise.observe.runs import run_of
from corewise.start.wanted import Wanted
from launcher_cases import TWO_FAMILIES


def export(*words: str):
    return CliRunner().invoke(cli, ["export", "--json", "--for", "openmpi4", *words])


def rankfile(*words: str) -> list[str]:
    done = export(*words)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)["files"]["./rankfile"].splitlines()


def test_a_rank_for_every_object_is_exported_by_default():
    assert rankfile("--binding", "socket", "--machine", "devcluster:1") == [
        "rank 0=localhost slot=0-9",
        "rank 1=localhost slot=10-19",
    ]


def test_what_a_launcher_adds_to_the_environment_is_exported(monkeypatch):
    monkeypatch.setitem(LAUNCHERS, TWO_FAMILIES.name, TWO_FAMILIES)
    words = ["export", "--for", TWO_FAMILIES.name, "--binding", "socket", "--machine", "devcluster:1"]
    done = CliRunner().invoke(cli, words)
    assert done.stdout.startswith("RUN2_HOSTS=localhost,localhost run2 start -n 2 ")


def test_so_many_processes_for_each_object_divide_or_share_it():
    words = ("--binding", "board", "--machine", "devcluster:1", "--processes-per-object", "2")
    assert rankfile(*words) == ["rank 0=localhost slot=0-9", "rank 1=localhost slot=10-19"]
    assert rankfile(*words, "--share") == ["rank 0=localhost slot=0-19", "rank 1=localhost slot=0-19"]


SMT = "fixtures/topologies/smt-interleaved.xml"


def on_smt(tmp_path: Path) -> str:
    """Ranks 0 and 1 on the first two cores of the first package, rank 2 on the first core of the second."""
    machine = machines.load(SMT)
    path = tmp_path / "placement.json"
    Placement.of(Assignment.from_cores([1, 0, 4]), machine).write(path)
    return str(path)


def test_a_placement_is_exported_with_the_width_asked_for_and_what_overlaps_is_said(tmp_path):
    place = on_smt(tmp_path)
    assert rankfile(place) == [f"rank {i}=localhost slot={core}" for i, core in enumerate([1, 0, 4])]
    words = (place, "--binding", "l3", "--machine", SMT)
    with pytest.warns(Note, match="--binding l3: 2 of 3 ranks may run on hardware threads of other ranks"):
        assert rankfile(*words) == [
            "rank 0=localhost slot=0-3",
            "rank 1=localhost slot=0-3",
            "rank 2=localhost slot=4-7",
        ]


def test_hardware_threads_are_bound_by_the_binder_where_a_rankfile_counts_cores(tmp_path):
    done = export(on_smt(tmp_path), "--binding", "pu", "--machine", SMT)
    plan = json.loads(done.stdout)
    assert plan["files"]["./rankfile"].splitlines()[0] == "rank 0=localhost slot=1"
    assert plan["files"]["./bind.txt"].splitlines()[1:] == ["rank 0 1", "rank 1 0", "rank 2 4"]
    assert plan["notes"] == [
        "corewise-bind narrows each rank to its hardware threads: the rankfile counts whole cores."
    ]


def test_threads_and_memory_follow_the_mask_by_the_binder(tmp_path):
    done = export(on_smt(tmp_path), "--omp-places", "--membind")
    settings = json.loads(done.stdout)["files"]["./bind.txt"].splitlines()
    assert settings[1:] == ["rank 0 1,9", "rank 1 0,8", "rank 2 4,12", "places cores", "memory domains"]


def test_a_width_for_another_machine_is_refused(tmp_path):
    done = export(on_smt(tmp_path), "--binding", "l3", "--machine", "devcluster:1")
    assert isinstance(done.exception, InputError)
    assert "smt-interleaved.xml', found 'devcluster:1'; name the one" in str(done.exception)


GPUS = machines.load(str(Path(__file__).parents[2] / "fixtures" / "topologies" / "gpus.xml"))


class Thread:
    def __init__(self, name: str, os_pus: list[int]):
        self.name, self.os_pus, self.cpu_s, self.of_mpi = name, os_pus, None, False


class Rank:
    """A rank of a profile that was bound to hardware threads 0 and 1 and had these threads when it ended."""

    node, os_pus, wall_s, mpi_s, cpu_s = 0, [0, 1], 1.0, 0.5, None

    def __init__(self, *threads: Thread, **devices: str):
        self.threads = threads
        self.device_variables, self.device_files = devices, []


class Profile:
    def __init__(self, rank: Rank):
        self.ranks = [rank]
        self.nodes = [SimpleNamespace(host="n1", id="", batch_name="", addresses=[])]


@pytest.mark.parametrize(
    ("threads", "outside"),
    [
        ([Thread("app", [0, 1]), Thread("worker", [1])], []),
        ([Thread("app", [0, 1]), Thread("stray", [1, 2, 3])], ["stray 1-3"]),
    ],
)
def test_a_binding_is_as_wanted_only_if_no_thread_leaves_it(threads, outside):
    wanted = Placement("m", "f", ["f"], [0], [[0, 1]], [[0, 1]])
    run = run_of(
        "socket binding", LaunchPlan(["mpirun"]), (0, 1.0), Profile(Rank(*threads)), Wanted(["n1"], wanted)
    )
    assert run.ranks[0].threads_outside == outside
    assert run.verified == (not outside)
    assert Run.from_table(Table(Path("run.json"), "", json.loads(json.dumps(run.to_json())))) == run


@pytest.mark.parametrize(
    ("seen", "other"),
    [
        ({"CUDA_VISIBLE_DEVICES": "2"}, []),
        ({"CUDA_VISIBLE_DEVICES": "0"}, ["CUDA_VISIBLE_DEVICES=0, requested 2"]),
        ({"SLURM_STEP_GPUS": "2"}, ["CUDA_VISIBLE_DEVICES is not set, requested 2"]),
    ],
)
def test_a_rank_that_sees_another_gpu_than_requested_is_not_verified(seen, other):
    wanted = Placement("m", "f", ["f"], [0], [[0, 1]], [[0, 1]])
    asked = Wanted(["n1"], wanted, GPUS, devices=[{"CUDA_VISIBLE_DEVICES": "2"}])
    run = run_of("best", LaunchPlan(["mpirun"]), (0, 1.0), Profile(Rank(**seen)), asked)
    assert run.ranks[0].other_devices == other
    assert run.verified == (not other)
    assert Run.from_table(Table(Path("run.json"), "", json.loads(json.dumps(run.to_json())))) == run


def test_a_gpu_far_from_the_mask_of_a_rank_is_a_note_and_no_difference():
    wanted = Wanted(["n1"], machine=GPUS)  # the mask has hardware threads of cores 0 and 1
    run = run_of("default", LaunchPlan(["mpirun"]), (0, 1.0), Profile(Rank(CUDA_VISIBLE_DEVICES="2")), wanted)
    assert run.verified
    [note] = run.ranks[0].gpu_notes
    assert note.startswith("sees GPU renderD130, which is near cores 4-7 (logical); GPU renderD128")


@pytest.mark.parametrize(
    ("hosts", "host", "verified"), [(["n1.cluster"], "n1.cluster", True), (["n2"], "n1", False)]
)
def test_the_right_hardware_threads_on_the_wrong_host_are_a_difference(hosts, host, verified):
    wanted = Wanted(hosts, Placement("m", "f", ["f"], [0], [[0, 1]], [[0, 1]]))
    run = run_of("best", LaunchPlan(["mpirun"]), (0, 1.0), Profile(Rank()), wanted)
    [binding] = run.ranks
    assert (binding.host, binding.host_wanted, binding.os_pus_seen) == (host, hosts[0], [0, 1])
    assert run.verified is verified
