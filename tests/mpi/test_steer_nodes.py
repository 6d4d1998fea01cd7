"""Steering over two nodes: they tell each other what their ranks do, and a leader's node asks the other one.

Both nodes are on this host: what ranks share lies in one folder for the first two, in another for the others.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import mpi_jobs
import pytest
from corewise.execute.steer_replay import replay
from corewise.model import Layer, Profile
from steer_jobs import environment, masks, settings

pytestmark = pytest.mark.usefixtures("two_cores")

# Windows with enough calls of every rank, however busy the machine is; sockets are not looked at, for the
# messages go through memory.
OUT_OF_SYNC_ALONE = (
    "window_ns=100000000 window_iterations=20\nmonitor backlog confidence=0\nmetric idleness priority=0\n"
    "metric cache-locality priority=0\nmetric placement priority=0"
)


def command(family: str, words: list[str], folder: Path, given: dict[str, str]) -> list[str]:
    """Two ranks on each of two nodes."""
    parts = []
    for node in (0, 1):
        (folder / f"node{node}").mkdir()
        one = environment(family, folder, folder / f"node{node}") | {"COREWISE_STEER_NODES": "1"} | given
        started = mpi_jobs.command(family, 2, words, one)
        parts.append([option if option != "-genv" else "-env" for option in started[1:]])
    return [mpi_jobs.tool(family, "mpirun"), *parts[0], ":", *parts[1]]


def run(family: str, compiled, folder: Path, **given: str) -> str:
    """What the program printed; nothing else came, and it ended well."""
    settings(folder, OUT_OF_SYNC_ALONE)
    words = [str(compiled(family, "two_nodes.c")), "3"]
    done = subprocess.run(
        command(family, words, folder, given),
        env=os.environ | mpi_jobs.ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def logs_by_node(folder: Path) -> dict[int, tuple[str, dict]]:
    found = {}
    for log in folder.glob("*.steer-log"):
        story = replay(log)
        found[story["node"]] = (log.read_text(), story)
    return found


def test_the_leader_s_node_asks_and_the_other_node_moves_its_rank(family, compiled, tmp_path):
    out = run(family, compiled, tmp_path)
    logs = logs_by_node(tmp_path)
    assert sorted(logs) == [0, 1]
    for node, (text, story) in logs.items():
        # Each node heard of the other's ranks and of its own messages, and decides the same from the log.
        heard = set(re.findall(rf"^rank id=(\d+) node={1 - node} ", text, re.M))
        assert heard == ({"2", "3"} if node == 0 else {"0", "1"})
        assert story["differs"] is None and story["compared"] == story["intervals"] > 10
        assert story["own_messages"] > 0
    asked = [decision for decision in logs[0][1]["decisions"] if decision["action"] == "ask"]
    assert asked and asked[0]["ranks"] == [2] and "leader rank 0" in asked[0]["because"]
    assert re.search(r"^request rank=2 capability=\d+ leader=0 sender=0 receiver=2$", logs[1][0], re.M)
    swapped = [decision for decision in logs[1][1]["decisions"] if decision["action"] == "swap"]
    assert swapped and swapped[0]["ranks"] == [2, 3] and "leader rank 0" in swapped[0]["because"]
    first, second, *_ = sorted(os.sched_getaffinity(0))
    for pair in ((0, 1), (2, 3)):
        assert sorted(masks(out)[rank] for rank in pair) == [[first], [second]]
    assert not list(tmp_path.glob("node*/corewise-*"))  # the last rank of a node removed what they shared


def test_a_traced_job_has_none_of_steering_s_own_messages(family, compiled, tmp_path):
    profile = tmp_path / "profile"
    run(family, compiled, tmp_path, COREWISE_OBSERVE="steer,trace", COREWISE_DIR=str(profile))
    assert all(story["own_messages"] > 0 for _, story in logs_by_node(tmp_path).values())
    pairs = mpi_jobs.pairs(Profile.read(str(profile)), Layer.p2p)
    assert sorted(pairs) == [(0, 2), (1, 3), (3, 1)]
    assert all(n_bytes == n * (1 << 20 if pair == (0, 2) else 4) for pair, (n_bytes, n) in pairs.items())
