"""PLACEMENT in users' formats: rankfiles and rank orders are read for a machine, other files are refused."""

from __future__ import annotations

import json
import warnings

import pytest
from click.testing import CliRunner
from corewise import verbs
from corewise.cli import cli
from corewise.errors import InputError, Note
from corewise.machines import load
from corewise.mapping.placement_input import read_placement_input
from corewise.model import Assignment
from corewise.nouns.placement import Placement
from hypothesis import given
from hypothesis import strategies as st

# Two nodes of two packages of three cores: cores 0-2 and 3-5 of each node, cores 0-11 of the machine.
MACHINE = "synthetic:2:pack:2 core:3 pu:1"


def read(tmp_path, text: str, name: str = "rankfile", hosts: list[str] | None = None) -> Placement:
    path = tmp_path / name
    path.write_text(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Note)
        return read_placement_input(path, lambda: load(MACHINE), hosts)


@pytest.mark.parametrize(
    ("slot", "cores"),
    [
        ("4", [4]),
        ("0-2", [0, 1, 2]),
        ("0,2-3", [0, 2, 3]),
        ("1:0", [3]),
        ("1:0-1", [3, 4]),
        ("1:0,2", [3, 5]),
        ("1:*", [3, 4, 5]),
        ("0:2;1:0", [2, 3]),
    ],
)
def test_a_slot_names_cores_or_a_package_and_its_cores(tmp_path, slot, cores):
    found = read(tmp_path, f"# mine\nrank 0 = +n1  slot={slot} // last line\n")
    assert (found.node, found.cores, found.oversubscribed) == ([1], [cores], False)


def test_lines_come_in_any_order_between_comments(tmp_path):
    text = "/* two\nranks */\nrank 1=me@n1.cluster slots=3\n\n  rank 0=n1 slot=5\n"
    found = read(tmp_path, text)
    assert (found.node, found.core) == ([0, 0], [5, 3])


def test_ranks_on_one_core_are_what_the_file_says(tmp_path):
    assert read(tmp_path, "rank 0=+n0 slot=1\nrank 1=+n0 slot=0-1\n").oversubscribed


def test_names_are_nodes_in_the_order_of_their_numbers_or_of_the_job(tmp_path):
    text = "rank 0=n10 slot=0\nrank 1=n9 slot=0\n"
    path = tmp_path / "rankfile"
    path.write_text(text)
    with pytest.warns(Note, match=r"n9, n10 are taken as nodes 0 to 1\. For another order, write \+n0"):
        assert read_placement_input(path, lambda: load(MACHINE)).node == [1, 0]
    assert read(tmp_path, text, hosts=["n10", "n9"]).node == [0, 1]
    assert read(tmp_path, "rank 0=localhost slot=0\n", hosts=["vm"]).node == [0]


def test_a_host_outside_the_job_is_refused(tmp_path):
    text = "rank 0=n1 slot=0\nrank 1=n3 slot=0\n"
    with pytest.raises(InputError, match="host n3 is none of n1, n2"):
        read(tmp_path, text, hosts=["n1", "n2"])


def test_a_list_of_ranks_is_a_rank_order_under_any_name(tmp_path):
    # Rank 2 is first and gets core 0; rank 0 gets core 1, rank 1 core 2.
    path = tmp_path / "order.txt"
    path.write_text("# mine\n2, 0-1\n")
    with pytest.warns(Note, match="is read as a rank order: core after core"):
        assert read_placement_input(path, lambda: load(MACHINE)).core == [1, 2, 0]


def corewise(*words: object) -> str:
    result = CliRunner().invoke(cli, [str(word) for word in words], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


@given(
    cores=st.permutations(range(12)).flatmap(lambda order: st.integers(1, 12).map(lambda n: order[:n])),
    launcher=st.sampled_from(["openmpi4", "openmpi5"]),
)
def test_a_rankfile_of_export_gives_the_same_cores_again(tmp_path_factory, cores, launcher):
    folder = tmp_path_factory.mktemp("round")
    machine = load(MACHINE)
    wanted = Placement.of(Assignment.from_cores(cores), machine)
    wanted.write(folder / "p.json")
    hosts = [] if max(wanted.node) == 0 else ["--hosts", "n9,n10"]
    plan = json.loads(
        corewise("export", folder / "p.json", "--for", launcher, "--machine", MACHINE, *hosts, "--json")
    )
    text = next(text for name, text in plan["files"].items() if name.endswith("/rankfile"))
    found = read(folder, text, hosts=["n9", "n10"] if hosts else None)
    assert (found.node, found.cores, found.os_pus) == (wanted.node, wanted.cores, wanted.os_pus)


def test_score_simulate_and_export_take_a_rankfile(tmp_path):
    # 8 bytes from 0 to 1: on neighbouring cores of a package, or on one core of each node.
    (tmp_path / "m.txt").write_text("0 8\n0 0\n")
    (tmp_path / "near").write_text("rank 0=+n0 slot=0\nrank 1=+n0 slot=1\n")
    (tmp_path / "far").write_text("rank 0=+n0 slot=0\nrank 1=+n1 slot=0\n")
    near, far = (
        json.loads(corewise("score", tmp_path / name, tmp_path / "m.txt", "--machine", MACHINE, "--json"))[
            "scores"
        ]
        for name in ("near", "far")
    )
    # They meet in the package (distance 1) or in the network (distance 3, the level above the node).
    assert (near["hop-bytes"], far["hop-bytes"]) == (8, 24)
    words = [word for name in ("near", "far") for word in ("--placement", tmp_path / name)]
    runs = json.loads(corewise("simulate", "--machine", MACHINE, *words, tmp_path / "m.txt", "--json"))[
        "runs"
    ]
    assert runs[0]["makespan_s"] < runs[1]["makespan_s"]
    plan = corewise("export", tmp_path / "near", "--for", "openmpi4", "--machine", MACHINE)
    assert "rank 1=localhost slot=1" in plan


def test_a_rank_order_of_export_gives_the_same_nodes_again(tmp_path):
    # Two ranks on each node of six cores, as the file's first line states.
    wanted = Placement.of(Assignment.from_cores([6, 0, 7, 1]), load(MACHINE))
    wanted.write(tmp_path / "p.json")
    corewise("export", tmp_path / "p.json", "--for", "cray-mpich", "--machine", MACHINE, "-o", tmp_path)
    found = read_placement_input(tmp_path / "MPICH_RANK_ORDER", lambda: load(MACHINE))
    assert (found.node, found.core) == (wanted.node, wanted.core)


def test_export_reads_a_rankfile_by_the_hosts_that_it_is_given(tmp_path):
    text = "rank 0=b slot=0\nrank 1=a slot=1\n"
    (tmp_path / "rankfile").write_text(text)
    plan = verbs.export(tmp_path / "rankfile", "openmpi4", MACHINE, hosts=["b", "a"])
    assert plan.files["./rankfile"] == text
