"""Steering over two nodes: they exchange their ranks' states, and the leader's node asks the other node.

Both nodes are on this host, each with its own folder for settings, logs and shared memory. The second node
numbers its cores in reversed order and has one more core.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import mpi_jobs
import pytest
from corewise.model import Layer, Profile
from corewise.steering.replay import replay
from corewise.steering.shared import SHARED_FOLDER
from steer_jobs import environment, masks, settings

pytestmark = pytest.mark.usefixtures("two_cores")

# Long windows, so that each has enough calls of every rank on a busy machine. Sockets are ignored, because
# the messages use shared memory.
OUT_OF_SYNC_ALONE = (
    "window_ns=100000000 window_iterations=20\nmonitor backlog confidence=0\nmetric idleness priority=0\n"
    "metric cache-locality priority=0\nmetric placement priority=0"
)


def command(
    family: str, words: list[str], folder: Path, given: dict[str, str], n_ranks: int = 2
) -> list[str]:
    """The command that starts `n_ranks` on each of two nodes."""
    parts = []
    here = sorted(os.sched_getaffinity(0))
    absent = max(here) + 1
    for node, pus in enumerate((here, [*reversed(here), absent])):
        own = folder / f"node{node}"
        settings(own, OUT_OF_SYNC_ALONE, pus)
        one = environment(family, own, own) | {"COREWISE_STEER_NODES": "1"} | given
        started = mpi_jobs.command(family, n_ranks, words, one)
        parts.append([option if option != "-genv" else "-env" for option in started[1:]])
    return [mpi_jobs.tool(family, "mpirun"), *parts[0], ":", *parts[1]]


def ended(words: list[str]) -> subprocess.CompletedProcess[str]:
    """Runs a launcher's command."""
    return subprocess.run(
        words,
        env=os.environ | mpi_jobs.ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )


def finished(words: list[str]) -> subprocess.CompletedProcess[str]:
    """Runs a launcher's command, which must succeed."""
    done = ended(words)
    assert done.returncode == 0, done.stderr
    return done


def run(family: str, compiled, folder: Path, **given: str) -> str:
    """Runs the program and returns its output. Standard error must be empty."""
    words = [str(compiled(family, "two_nodes.c")), "3"]
    done = finished(command(family, words, folder, given))
    assert done.stderr == ""
    return done.stdout


def logs_by_node(folder: Path) -> dict[int, tuple[str, dict]]:
    """node -> the log of its first leader, as text and replayed.

    If the first leader reaches MPI_Finalize early, the other rank starts one more log of a few intervals. The
    longest log is the first leader's.
    """
    logs = [(log.read_text(), replay(log)) for log in folder.glob("node*/*.steer-log")]
    return {
        replayed.node: (text, replayed) for text, replayed in sorted(logs, key=lambda log: log[1].intervals)
    }


@pytest.mark.sanitized
def test_the_leader_s_node_asks_and_the_other_node_moves_its_rank(family, compiled, tmp_path):
    out = run(family, compiled, tmp_path)
    logs = logs_by_node(tmp_path)
    assert sorted(logs) == [0, 1]
    for node, (text, replayed) in logs.items():
        # Each node has received the other's ranks and the messages between the nodes. Replaying the log gives
        # the same decisions.
        heard = set(re.findall(rf"^rank id=(\d+) node={1 - node} ", text, re.M))
        assert heard == ({"2", "3"} if node == 0 else {"0", "1"})
        assert replayed.differs is None and replayed.compared == replayed.intervals > 10
        assert replayed.own_messages > 0
    asked = [decision for decision in logs[0][1].decisions if decision.action == "ask"]
    assert asked and asked[0].ranks == [2] and "leader rank 0" in asked[0].because
    assert re.search(r"^request rank=2 capability=\d+ leader=0 sender=0 receiver=2$", logs[1][0], re.M)
    swapped = [decision for decision in logs[1][1].decisions if decision.action == "swap"]
    assert swapped and swapped[0].ranks == [2, 3] and "leader rank 0" in swapped[0].because
    first, second, *_ = sorted(os.sched_getaffinity(0))
    for pair in ((0, 1), (2, 3)):
        assert sorted(masks(out)[rank] for rank in pair) == [[first], [second]]
    assert not list(tmp_path.glob("node*/corewise-*"))  # the last rank of a node removed the shared files


def test_a_traced_job_has_none_of_steering_s_own_messages(family, compiled, tmp_path):
    profile = tmp_path / "profile"
    run(family, compiled, tmp_path, COREWISE_OBSERVE="steer,trace", COREWISE_DIR=str(profile))
    assert all(replayed.own_messages > 0 for _, replayed in logs_by_node(tmp_path).values())
    pairs = mpi_jobs.pairs(Profile.read(str(profile)), Layer.p2p)
    assert sorted(pairs) == [(0, 2), (1, 3), (3, 1)]
    assert all(n_bytes == n * (1 << 20 if pair == (0, 2) else 4) for pair, (n_bytes, n) in pairs.items())


def test_a_rank_without_memory_leaves_no_other_waiting(family, compiled, tmp_path):
    # In each run another allocation fails that rank 1, alone on its node, makes in MPI_Init.
    program = str(compiled(family, "fail_allocation.c", "-ldl"))
    told = []
    for number in range(1, 40):
        folder = tmp_path / str(number)
        folder.mkdir()
        done = finished(command(family, [program, "1", str(number)], folder, {}, n_ranks=1))
        if done.stdout == "there are fewer\n":
            break
        assert done.stdout == "failed\n"
        assert not list(folder.glob("node*/corewise-*"))  # nothing that the rank had shared is left
        told.append(done.stderr)
    # If one rank has no memory for the map of the nodes, no rank of the job is steered.
    sentence = "a rank of the job has no memory for several nodes, or MPI failed there"
    assert set(told) == {"", f"corewise: steering is off on this node: {sentence}.\n"}
    assert (done.stdout, done.stderr) == ("there are fewer\n", "")


# How exchange between nodes ends in MPI_Finalize: all MPI calls there, in the rank that has sent and in the
# other one, which receives.
ENTERING = ["1 PMPI_Ibarrier", "2 PMPI_Ibarrier"]
PLACES = [*ENTERING, "1 PMPI_Test", "2 PMPI_Test", "1 PMPI_Iprobe", "1 PMPI_Comm_free"]
LONG_S = 30  # a rank that waits without success takes longer


@pytest.mark.parametrize("rank", [0, 1])
@pytest.mark.parametrize(
    ("place", "how"),
    [("before", "late"), *((place, how) for place in PLACES for how in ("late", "refused"))],
)
def test_a_rank_that_has_trouble_at_the_end_leaves_no_other_waiting(
    family, place, how, rank, compiled, tmp_path
):
    program = str(compiled(family, "trouble_at_the_end.c", "-ldl"))
    begin = time.monotonic()
    done = finished(command(family, [program, str(rank), place, how], tmp_path, {}, n_ranks=1))
    assert time.monotonic() - begin < LONG_S
    assert (done.stdout, done.stderr) == ("it happened\n", "")
    assert all(replayed.own_messages > 0 for _, replayed in logs_by_node(tmp_path).values())
    assert not list(tmp_path.glob("node*/corewise-*"))


@pytest.mark.parametrize("place", ["before", *ENTERING])
def test_a_job_ends_where_a_rank_of_it_is_gone_at_the_end(family, place, compiled, tmp_path):
    program = str(compiled(family, "trouble_at_the_end.c", "-ldl"))
    begin = time.monotonic()
    ended(command(family, [program, "1", place, "gone"], tmp_path, {}, n_ranks=1))
    assert time.monotonic() - begin < LONG_S


def test_a_rank_that_alone_finds_mpi_failed_at_the_begin_leaves_no_other_waiting(family, compiled, tmp_path):
    # Both ranks are on one node, where the other rank knows that no message is needed.
    program = str(compiled(family, "trouble_at_the_end.c", "-ldl"))
    settings(tmp_path)
    given = environment(family, tmp_path, tmp_path) | {"COREWISE_STEER_NODES": "1"}
    words = [program, "1", "1 PMPI_Allgather", "failed"]
    begin = time.monotonic()
    done = finished(mpi_jobs.command(family, 2, words, given))
    assert time.monotonic() - begin < LONG_S
    assert (done.stdout, done.stderr) == ("it happened\n", "")
    assert not list(tmp_path.glob("corewise-*"))


COREWISE = str(Path(sys.executable).with_name("corewise"))
# Two names of this host, to which launchers don't need ssh.
HOSTS = {"openmpi": ("-host", "localhost,127.0.0.1"), "mpich": ("-hosts", "localhost,127.0.0.1")}


@pytest.mark.parametrize("how", ["abort", "kill"])
def test_a_job_of_several_hosts_that_ends_badly_leaves_nothing_in_shared_memory(
    family, how, compiled, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    launcher = [mpi_jobs.tool(family, "mpirun"), *HOSTS[family], "-n", "2"]
    words = [*launcher, str(compiled(family, "aborts.c")), how, "shared"]
    plain = ended(words)
    done = ended([COREWISE, "steer", "-o", "app.steer-log", "--", *words])
    assert done.returncode == plain.returncode != 0, done.stderr
    shared = set(re.findall(f"^{SHARED_FOLDER}/corewise-[^ ]+", Path("shared").read_text(), re.M))
    assert shared and not any(Path(path).exists() for path in shared)
