"""`corewise run` and `trace` on real MPIs: the ranks have the requested bindings, and what is refused."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import mpi_jobs
import pytest
from corewise import machines
from corewise.files.table import Table
from corewise.model import Assignment, Layer, Profile
from corewise.nouns.placement import Placement
from corewise.nouns.run import TraceSummary

COREWISE = str(Path(sys.executable).with_name("corewise"))


def corewise(*words: str, folder: Path, under: tuple[str, ...] = ()) -> subprocess.CompletedProcess:
    return subprocess.run(
        [*under, COREWISE, *words], cwd=folder, capture_output=True, text=True, timeout=100, check=False
    )


def placement(folder: Path, cores: list[int], machine=None, **more) -> str:
    path = folder / "placement.json"
    Placement.of(Assignment.from_cores(cores), machine or machines.load("local"), **more).write(path)
    return str(path)


@pytest.mark.parametrize("cores", [[0, 1], [1, 0], [0, 0, 1, 1]])
def test_every_binding_asked_for_is_seen(mpi, two_cores, tmp_path, cores):
    place = placement(tmp_path, cores, oversubscribed=len(cores) > 2)
    job = ("--", mpi.mpirun, "-n", str(len(cores)), mpi.ring)
    done = corewise("run", "--json", "--placement", place, *job, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["verified"] is True
    local = machines.load("local")
    seen = [(r["rank"], r["os_pus_wanted"], r["os_pus_seen"], r["ok"]) for r in document["ranks"]]
    assert seen == [(rank, local.os_pus(core), local.os_pus(core), True) for rank, core in enumerate(cores)]
    assert 0 <= document["mpi_s"] <= document["wall_s"]
    assert "ring" in done.stderr  # the program's own output
    assert [path.name for path in tmp_path.iterdir()] == ["placement.json"]


def test_a_program_that_undoes_its_binding_is_told_and_ends_with_1(mpi, two_cores, tmp_path):
    free = f"taskset -pc 0-1 $$ >/dev/null && exec {mpi.ring}"
    place = placement(tmp_path, [1, 0])
    done = corewise(
        "run", "--placement", place, "--", mpi.mpirun, "-n", "2", "bash", "-c", free, folder=tmp_path
    )
    assert done.returncode == 1
    assert "2 of 2 bindings differ" in done.stderr
    assert "DIFFERS" in done.stderr


def test_a_program_that_fails_ends_with_1_and_its_exit_code_is_told(mpi, tmp_path):
    place = placement(tmp_path, [0])
    done = corewise(
        "run", "--placement", place, "--", mpi.mpirun, "-n", "1", "bash", "-c", "exit 7", folder=tmp_path
    )
    assert done.returncode == 1
    assert "exit code 7" in done.stderr


def test_under_taskset_a_rank_gets_the_core_that_is_left(mpi, two_cores, tmp_path):
    # Open MPI counts cores outside the inherited affinity, too: its rankfile alone would bind to another
    # core.
    last = str(max(os.sched_getaffinity(0)))
    under = ("taskset", "-c", last)
    words = ("map", "-o", "p.json", "--machine", "local", "pair.txt")
    (tmp_path / "pair.txt").write_text("0\n")
    assert corewise(*words, folder=tmp_path, under=under).returncode == 0
    words = ("run", "--json", "--placement", "p.json", "--", mpi.mpirun, "-n", "1", mpi.ring)
    done = corewise(*words, folder=tmp_path, under=under)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["ranks"][0]["os_pus_seen"] == [int(last)]


def test_a_trace_leaves_a_profile_and_the_programs_output(mpi, tmp_path):
    done = corewise("trace", "-o", "ring.profile", "--", mpi.mpirun, "-n", "2", mpi.ring, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "ring," in done.stdout
    assert "complete profile of 2 ranks" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["ring.profile"]
    again = corewise("trace", "-o", "ring.profile", "--", mpi.mpirun, "-n", "2", mpi.ring, folder=tmp_path)
    assert again.returncode == 2
    assert "already exists" in again.stderr


def test_a_trace_that_counts_has_no_time_in_mpi(mpi, tmp_path):
    words = ["trace", "--mode", "count", "--json", "-o", "p"]
    done = corewise(*words, "--", mpi.mpirun, "-n", "2", mpi.ring, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert (document["complete"], document["mpi_s"]) == (True, None)
    summary = TraceSummary.from_table(Table(tmp_path, "", document))
    assert (summary.n_ranks, summary.exit_code, summary.to_json()) == (2, 0, document)


def test_a_trace_of_a_program_without_mpi_says_so_and_leaves_nothing(mpi, tmp_path):
    done = corewise("trace", "-o", "p", "--", mpi.mpirun, "-n", "2", "true", folder=tmp_path)
    assert done.returncode == 1
    assert "no rank of 'true' reported" in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("verb", ["trace", "steer"])
def test_a_static_program_is_refused_before_it_runs(verb, mpi, tmp_path):
    source, program = tmp_path / "app.c", tmp_path / "app"
    source.write_text("void _start(void) { for (;;); }")  # the program would never end
    subprocess.run(["cc", "-static", "-nostdlib", str(source), "-o", str(program)], check=True, timeout=60)
    done = corewise(verb, "-o", "p", "--", mpi.mpirun, "-n", "2", "./app", folder=tmp_path)
    assert done.returncode == 2
    assert "is linked statically" in done.stderr
    assert not (tmp_path / "p").exists()


@pytest.mark.parametrize("mpi", ["openmpi", "openmpi5"], indirect=True)  # MPICH doesn't count slots
def test_a_launcher_that_refuses_says_why_in_its_own_words(mpi, tmp_path, monkeypatch):
    for name in ("OMPI_MCA_rmaps_base_oversubscribe", "PRTE_MCA_rmaps_default_mapping_policy"):
        monkeypatch.delenv(name, raising=False)
    done = corewise(
        "trace", "-o", "p", "--", mpi.mpirun, "-H", "localhost:1", "-n", "2", mpi.ring, folder=tmp_path
    )
    assert done.returncode == 1
    words, _, sentence = done.stderr.rpartition(f"'{mpi.mpirun}' failed (exit code ")
    assert "not enough slots available" in words
    assert "What it printed is above" in sentence
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words", [("trace", "-o", "p"), ("tune", "-o", "t")])
def test_ctrl_c_leaves_no_process_and_no_half_file(mpi, tmp_path, words):
    mark = f"{2000 + time.time_ns() % 10**9}"
    started = subprocess.Popen(
        [COREWISE, *words, "--", mpi.mpirun, "-n", "2", "sleep", mark],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 40
    while len(sleeping(mark)) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert len(sleeping(mark)) == 2
    started.send_signal(signal.SIGINT)
    try:
        _, errors = started.communicate(timeout=40)
    finally:
        started.terminate()
    assert started.returncode == 130
    assert errors.endswith("corewise: interrupted\n")
    assert sleeping(mark) == []
    assert list(tmp_path.iterdir()) == []


def traced_until_it_hangs(mpi, tmp_path) -> subprocess.Popen:
    """`corewise trace -o p` of two ranks that have sent their messages and now wait to be killed."""
    program = compiled_by(mpi, "patterns.c", tmp_path.parent / f"{tmp_path.name}-patterns", "-pthread")
    started = subprocess.Popen(
        [COREWISE, "trace", "-o", "p", "--", mpi.mpirun, "-n", "2", program, "hang"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env=os.environ | mpi_jobs.ENVIRONMENT,
    )
    assert started.stdout.readline() == "waiting\n"
    return started


def compiled_by(mpi, source, out, *flags) -> str:
    command = [mpi.mpicc, "-w", str(mpi_jobs.PROGRAMS / source), *flags, "-o", str(out)]
    subprocess.run(command, check=True, timeout=60)
    return str(out)


FIFTY_EACH_WAY = {(0, 1): (200, 50), (1, 0): (200, 50)}


def test_a_trace_that_is_terminated_keeps_what_was_recorded(mpi, tmp_path):
    started = traced_until_it_hangs(mpi, tmp_path)
    started.terminate()
    _, errors = started.communicate(timeout=40)
    assert started.returncode == 130
    assert errors.endswith("corewise: interrupted; what was recorded until then is in p\n")
    assert all(path.suffix == ".cwprof" for path in (tmp_path / "p").iterdir())
    profile = Profile.read(str(tmp_path / "p"))
    assert not profile.complete
    assert mpi_jobs.pairs(profile, Layer.p2p) == FIFTY_EACH_WAY


def test_a_trace_that_is_killed_leaves_the_profile_and_nothing_beside_it(mpi, tmp_path):
    started = traced_until_it_hangs(mpi, tmp_path)
    second = corewise("trace", "-o", "p", "--", mpi.mpirun, "-n", "2", "true", folder=tmp_path)
    assert second.returncode == 2 and "already exists" in second.stderr
    os.kill(started.pid, signal.SIGKILL)
    started.wait(40)
    profile = Profile.read(str(tmp_path / "p"))
    for rank in profile.ranks:  # orphaned ranks: the launcher ends once they have ended
        with contextlib.suppress(ProcessLookupError):
            os.kill(rank.pid, signal.SIGKILL)
    started.communicate(timeout=40)  # corewise's output ends with that of the launcher
    assert [path.name for path in tmp_path.iterdir()] == ["p"]
    assert mpi_jobs.pairs(Profile.read(str(tmp_path / "p")), Layer.p2p) == FIFTY_EACH_WAY


def sleeping(seconds: str) -> list[str]:
    """Processes `sleep SECONDS`, with these seconds."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found += [path.parent.name] if path.read_bytes() == f"sleep\0{seconds}\0".encode() else []
        except OSError:
            continue
    return found


def test_each_rank_is_shown_the_network_card_near_it(mpi, two_cores, tmp_path):
    cards = [device for device in machines.here().devices(0) if device.kind == "nic"]
    if not cards or any(len(card.cores) < machines.here().n_cores for card in cards):
        pytest.skip("needs a network card on a PCI bus that is local to every core")
    words = ("run", "--json", "--binding", "core", "--near", "nic", "--", mpi.mpirun, "-n", "2", mpi.ring)
    done = corewise(*words, folder=tmp_path)
    assert json.loads(done.stdout)["verified"] is True, done.stderr
    dry = corewise(*words[:1], "--dry-run", *words[1:], folder=tmp_path)
    [settings] = [text for name, text in json.loads(dry.stdout)["files"].items() if name.endswith("bind.txt")]
    lines = [line for line in settings.splitlines() if line.startswith("rank-env")]
    assert [line.split("=")[0] for line in lines] == [
        f"rank-env {rank} {name}" for rank in range(2) for name in ("UCX_NET_DEVICES", "COREWISE_AFFINITY")
    ]


def test_variables_that_choose_gpus_are_read_back_from_each_rank(mpi, two_cores, tmp_path):
    program = ("-n", "1", "env", "CUDA_VISIBLE_DEVICES={}", mpi.ring)
    parts = [[word.format(gpu) for word in program] for gpu in (3, 5)]
    words = ("run", "--json", "--binding", "core", "--", mpi.mpirun, *parts[0], ":", *parts[1])
    done = corewise(*words, folder=tmp_path, under=("env", "SLURM_JOB_GPUS=3,5"))
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert [rank["devices_seen"] for rank in document["ranks"]] == [
        {"CUDA_VISIBLE_DEVICES": gpu, "SLURM_JOB_GPUS": "3,5"} for gpu in ("3", "5")
    ]
    assert document["gpus_asked"] == "SLURM_JOB_GPUS=3,5"
