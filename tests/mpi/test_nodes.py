"""Jobs over several nodes (network namespaces): the host of every rank is compared as well as its cores."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import namespaces
import pytest
from corewise import machines
from corewise.execute.application import parse_application
from corewise.execute.node_topologies import machine_of
from corewise.execute.observe import Wanted, run_observed
from corewise.files.placement import PlacementFile, read_placement
from corewise.model import Placement
from test_run import corewise

# Ranks 0 and 2 on the second node: neither block order nor round robin, so that a lost host shows.
CORES = [2, 0, 3, 1]


@pytest.fixture
def two_nodes(request, mpi, two_cores, tmp_path, monkeypatch) -> Iterator[namespaces.Nodes]:
    """Under one host name, so that only addresses tell them apart; Open MPI 5 itself hangs on such nodes."""
    # Between nodes of one kernel MPICH would use shared memory, and hang on interfaces that don't meet.
    monkeypatch.setenv("UCX_TLS", "tcp,self")
    monkeypatch.setenv("UCX_NET_DEVICES", "eth0")
    own_names = "openmpi5" in mpi.mpirun
    before = getattr(request, "param", "")
    with namespaces.nodes(2, tmp_path, own_names, before) as nodes:
        yield nodes


@pytest.fixture
def start(mpi, two_nodes, compiled) -> Callable[[list[str]], list[str]]:
    """The command of four ranks on these hosts.

    They send nothing: MPICH 4.0's ranks often don't leave MPI_Finalize once they have talked over the bridge.
    """
    program = [str(compiled(mpi.family, "patterns.c", "-pthread")), "nothing"]
    return lambda hosts: [*two_nodes.launcher(mpi, hosts), "-n", "4", *program]


@pytest.fixture
def placement() -> PlacementFile:
    return PlacementFile.of(Placement.from_cores(CORES), machines.here(2))


def test_every_rank_is_seen_on_the_host_that_was_asked_for(start, two_nodes, placement, tmp_path):
    placement.write(tmp_path / "placement.json")
    words = start(two_nodes.hosts)
    done = corewise("run", "--json", "--placement", "placement.json", "--", *words, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    ranks = json.loads(done.stdout)["ranks"]
    assert [rank["host_wanted"] for rank in ranks] == [two_nodes.hosts[i] for i in (1, 0, 1, 0)]
    assert [rank["host"] for rank in ranks] == [rank["host_wanted"] for rank in ranks]
    assert all(rank["ok"] and rank["os_pus_seen"] == rank["os_pus_wanted"] for rank in ranks)


def test_the_right_cores_on_the_wrong_host_are_a_difference(start, two_nodes, placement, tmp_path):
    # Sabotage: the launcher is told the hosts in the other order.
    application = parse_application(start(two_nodes.hosts[::-1]))
    plan = application.plan_placed(placement, str(tmp_path), str(tmp_path / "profile"))
    wanted = Wanted(two_nodes.hosts, placement)
    run = run_observed(plan, "sabotaged", tmp_path / "profile", wanted, timeout_s=60)
    assert run.exit_code == 0
    assert [rank.os_pus_seen for rank in run.ranks] == placement.os_pus
    assert [(rank.host_wanted, rank.host) for rank in run.ranks] == [
        (two_nodes.hosts[i], two_nodes.hosts[1 - i]) for i in (1, 0, 1, 0)
    ]
    assert not any(rank.ok for rank in run.ranks)
    assert len(list((tmp_path / "profile").glob("*.cwprof"))) == 2


def test_the_default_is_where_the_launcher_put_each_rank(start, two_nodes, tmp_path):
    words = start(two_nodes.hosts)
    done = corewise("tune", "--json", "--dry-run", "-o", "tune", "--", *words, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert read_placement(tmp_path / "tune" / "default.json").node == [0, 0, 1, 1]
    assert len(list((tmp_path / "tune" / "profile").glob("*.cwprof"))) == 2


# The second node may use one core alone: its shell binds itself, and all that it starts inherits that.
NARROW = "case $node in *n1) taskset -cp 0 \\$\\$ > /dev/null;; esac; "


@pytest.mark.parametrize("two_nodes", [NARROW], indirect=True)
def test_nodes_that_are_not_alike_are_read_on_each_of_them(start, two_nodes, placement, tmp_path):
    here = machines.here()
    words = start(two_nodes.hosts)
    found = machine_of(parse_application(words))
    assert [found.n_cores_on(node) for node in (0, 1)] == [here.n_cores, 1]
    assert found.node_fingerprint(0) == here.fingerprint
    placement.write(tmp_path / "placement.json")
    done = corewise("run", "--placement", "placement.json", "--", *words, folder=tmp_path)
    assert done.returncode == 2
    assert "node 1 has fingerprint" in done.stderr and "here it is" in done.stderr
    assert not list(tmp_path.glob(".corewise*"))


def test_like_nodes_are_so_many_of_this_one(start, two_nodes):
    assert machine_of(parse_application(start(two_nodes.hosts))).fingerprint == machines.here(2).fingerprint
