"""Clusters of network namespaces: real MPI jobs, their links, and that nothing of a cluster is left."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import corewise_laboratory
import pytest
from clusters import COREWISE, hosts
from mpis import MPIS, mpi_named

NATIVE = Path(corewise_laboratory.__file__).parent / "native"


@pytest.mark.parametrize("name", MPIS)
@pytest.mark.parametrize("slots", [1, 2])
def test_a_plain_command_runs_on_all_nodes_in_order(lab_folder, name, slots):
    mpi = mpi_named(name)
    named = "--hostfile $COREWISE_LAB_HOSTFILE" if slots == 1 else ""  # else found without option
    job = f"{mpi.mpirun} {named} -n {3 * slots} {mpi.where} {mpi.family}"
    # By then all ranks have printed. MPICH 4's UCX may hang in MPI_Finalize if cores are scarce.
    command = f"timeout 20 {job} || [ {name} = mpich4 ]"
    words = ("run", "netns", "--nodes", "3", "--slots", str(slots), "--", "sh", "-c", command)
    expected = [host for host in ("n0", "n1", "n2") for _ in range(slots)]
    assert hosts(lab_folder.lab(*words).stdout) == expected
    assert lab_folder.clusters == []


@pytest.mark.alone  # compares times
def test_a_link_of_five_times_the_rate_is_about_five_times_as_fast(lab_folder):
    # 200 kB take 16 ms at 100 Mbit/s, with a latency of 0.03 ms.
    program = NATIVE / "microbench-openmpi" / "pingpong"
    if not program.exists():
        pytest.skip("the micro-benchmarks were not built for Open MPI")
    ping = f"{program} --sizes 200000 --rounds 2 --repeats 5 --warmup 1"
    command = f"{mpi_named('openmpi4').mpirun} --hostfile $COREWISE_LAB_HOSTFILE -n 2 {ping}"
    took_s = {}
    for rate in ("20mbit", "100mbit"):
        words = ("run", "netns", "--nodes", "2", "--slots", "1", "--rate", rate, "--", "sh", "-c", command)
        head, row = (line.split(",") for line in lab_folder.lab(*words).stdout.splitlines())
        took_s[rate] = float(dict(zip(head, row, strict=True))["min_s"])
    assert 3 < took_s["20mbit"] / took_s["100mbit"] < 7


def test_nodes_differ_in_name_shared_memory_and_temporary_files(lab_folder):
    # Each line of output shows what one node sees of the files that n0 created in both folders.
    script = (
        "agent=$OMPI_MCA_plm_rsh_agent; $agent n0 'touch /dev/shm/mine $TMPDIR/mine'; "
        "for node in n0 n1; do $agent -x -l me $node 'echo $(hostname) $(ls /dev/shm) $(ls $TMPDIR)'; done; "
        "$agent 10.77.0.2 hostname; $agent n7 hostname; echo $?"
    )
    done = lab_folder.lab("run", "netns", "--nodes", "2", "--", "sh", "-c", script)
    assert done.stdout.splitlines() == ["n0 mine mine", "n1", "n1", "255"]
    assert "there is no node 'n7'; expected one of n0 n1" in done.stderr


def test_the_command_keeps_its_folder_its_words_and_its_exit_code(lab_folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = lab_folder.lab("run", "netns", "--nodes", "1", "--json", "--", "sh", "-c", "pwd; exit 7", expect=7)
    document = json.loads(done.stdout)
    assert (document["exit_code"], document["hosts"]) == (7, ["n0"])
    assert done.stderr.strip() == str(tmp_path)


def test_a_cluster_that_is_up_serves_all_commands_until_it_is_down(lab_folder):
    document = json.loads(lab_folder.lab("up", "netns", "--nodes", "2", "--json").stdout)
    assert document["hosts"] == ["n0", "n1"]
    assert lab_folder.clusters == ["netns"]
    for _ in range(2):
        assert lab_folder.lab("run", "netns", "--", "cat", document["environment"]["COREWISE_LAB_HOSTFILE"])
    assert "netns is up already, with 2 nodes" in lab_folder.lab("up", "netns", expect=2).stderr
    refused = lab_folder.lab("run", "netns", "--nodes", "3", "--", "true", expect=2).stderr
    assert "netns is up, so that --nodes comes too late" in refused
    assert json.loads(lab_folder.lab("down", "--json").stdout) == {"down": ["netns"]}
    assert (lab_folder.clusters, lab_folder.processes()) == ([], [])
    assert "no cluster was up" in lab_folder.lab("down").stderr


def wait_for(condition, what: str) -> None:
    """Fails if a condition isn't true within a minute."""
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, f"no {what}"
        time.sleep(0.05)


def running_job(folder):
    """Starts a job that runs forever, and waits for its ranks. Their command lines contain the folder."""
    program = folder.path / "sleep"
    program.symlink_to("/bin/sleep")
    command = f"{mpi_named('openmpi4').mpirun} --hostfile $COREWISE_LAB_HOSTFILE -n 4 {program} 1000"
    started = folder.start("run", "netns", "--nodes", "2", "--", "sh", "-c", command)

    def n_ranks() -> int:
        return sum(words.startswith(f"{program} 1000") for words in folder.processes())

    wait_for(lambda: n_ranks() == 4 or started.poll() is not None, "ranks")
    if started.returncode == 3:
        pytest.skip(started.stderr.read().strip())
    assert started.poll() is None, started.stderr.read()
    return started


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_leaves_neither_processes_nor_files(lab_folder, number):
    started = running_job(lab_folder)
    started.send_signal(number)
    started.communicate(timeout=60)
    assert started.returncode == 130
    assert (lab_folder.clusters, lab_folder.processes()) == ([], [])


def test_after_sigkill_no_process_is_left_and_the_next_start_removes_the_files(lab_folder):
    started = running_job(lab_folder)
    started.kill()
    started.communicate(timeout=60)
    wait_for(lambda: lab_folder.processes() == [], "end of the killed command's processes")
    assert len(lab_folder.clusters) == 1
    lab_folder.lab("run", "netns", "--nodes", "1", "--", "true")
    assert lab_folder.clusters == []


def test_neither_its_links_nor_its_host_names_are_seen_outside(lab_folder):
    words = ("sh", "-c", "ip -o link; hostname")

    def seen() -> str:
        return subprocess.run(words, capture_output=True, text=True, timeout=60).stdout

    name, links = seen().splitlines()[-1], ("bridge0", "port0", "port1")
    lab_folder.lab("up", "netns", "--nodes", "2", "--rate", "1gbit")
    within = lab_folder.lab("run", "netns", "--", *words).stdout
    assert within.splitlines()[-1] == "head" and all(link in within for link in links)
    assert seen().splitlines()[-1] == name and not any(link in seen() for link in links)


def test_a_missing_privilege_is_one_sentence_and_exit_code_3(lab_folder):
    if os.geteuid() != 0 or shutil.which("setpriv") is None:
        pytest.skip("only root can give up root's privileges")
    powerless = ["setpriv", "--bounding-set", "-all", "--inh-caps", "-all"]
    done = subprocess.run(
        [*powerless, COREWISE, "lab", "up", "netns"],
        env=os.environ | {"TMPDIR": str(lab_folder.path)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 3
    assert done.stderr.startswith("corewise: netns could not be made here: unshare: ")
    assert len(done.stderr.splitlines()) == 1
    assert lab_folder.clusters == []


def test_a_missing_tool_is_named_with_its_package(lab_folder, tmp_path, monkeypatch):
    (tmp_path / "ip").symlink_to("/bin/true")
    (tmp_path / "python3").symlink_to(sys.executable)
    monkeypatch.setenv("PATH", str(tmp_path))
    done = lab_folder.lab("up", "netns", expect=3)
    assert done.stderr == "corewise: netns: tc was not found; install Debian's iproute2\n"


def test_a_prepared_link_in_place_of_the_folder_is_refused(lab_folder, tmp_path):
    (lab_folder.path / f"corewise-lab-{os.getuid()}").symlink_to(tmp_path)
    assert "is no folder that only you can enter" in lab_folder.lab("up", "netns", expect=2).stderr
    assert list(tmp_path.iterdir()) == []
