"""Observers next to the tracer: what they receive about calls, messages and requests, in C and Fortran."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import mpi_jobs
import pytest
from corewise.model import Layer, RowFlow

PMPI = Path(__file__).resolve().parents[2] / "preload" / "pmpi"
ANY = -3  # CW_PEER_ANY
RECEIVES = 2  # enum cw_call_flag
CANCELLED, FREED = 2, 4  # enum cw_completed_flag


@pytest.fixture
def observer(family, compiled) -> Path:
    return compiled(family, "log_observer.c", "-shared", "-fPIC", f"-I{PMPI}")


def lines_of(log: Path) -> Iterator[list[dict]]:
    """The lines that each process's observer received, in order."""
    for path in sorted(log.parent.glob(log.name + ".*")):
        yield [json.loads(line) for line in path.read_text().splitlines()]


def observe(
    family: str, program: list[str], observer: Path, log: Path, n_ranks: int = 2, **environment: str
) -> list[list[dict]]:
    """Runs a job without a profile; returns the observers' lines by world rank."""
    given = mpi_jobs.preloaded(family) | {"COREWISE_OBSERVE": str(observer)}
    given |= {"OBSERVER_LOG": str(log)} | environment
    done = subprocess.run(
        mpi_jobs.command(family, n_ranks, program, given),
        env=os.environ | mpi_jobs.ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return sorted(lines_of(log), key=lambda told: max(line.get("rank", -1) for line in told))


def after(told: list[dict], name: str) -> list[dict]:
    return [line for line in told if line["what"] == "after" and line["name"] == name]


@pytest.fixture
def told(family, observer, compiled, tmp_path) -> list[list[dict]]:
    return observe(family, [str(compiled(family, "requests.c"))], observer, tmp_path / "log")


def test_an_observer_needs_no_profile_and_begins_before_mpi_does(told, tmp_path):
    for of_rank in told:
        assert of_rank[0] == {"what": "prepare", "initialised": 0}
        assert of_rank[-1] == {"what": "finish"}
        calls = of_rank[1:-1]
        assert [line["what"] for line in calls] == ["before", "after"] * (len(calls) // 2)
        assert all(line["ticks"][0] <= line["ticks"][1] for line in calls[1::2])
    assert not list(tmp_path.rglob("*.cwprof"))


def test_both_directions_name_world_ranks_whatever_the_communicator_calls_them(told):
    for rank, of_rank in enumerate(told):
        (call,) = after(of_rank, "MPI_Sendrecv")
        assert call["rank"] == rank
        assert call["sent"] == [1 - rank, 8, 20]
        assert call["received"] == [1 - rank, 8, 20]  # the buffer has room for 32 bytes, from any source
    (probe,), (received,) = after(told[1], "MPI_Probe"), after(told[1], "MPI_Recv")[1:]
    assert probe["received"] == received["received"] == [0, 9, 24]


def test_members_of_a_communicator_agree_on_its_id_and_it_is_not_its_parents(told):
    ids = [{call["comm"] for call in after(of_rank, "MPI_Isend")} for of_rank in told]
    assert ids[0] == ids[1] and len(ids[0]) == 1
    assert after(told[0], "MPI_Comm_split")[0]["comm"] == 1  # MPI_COMM_WORLD
    assert ids[0] != {1}


def test_a_failed_call_is_told_and_counts_nothing(told):
    for of_rank in told:
        failed = [call for call in after(of_rank, "MPI_Send") if call["failed"]]
        assert [call["n_counts"] for call in failed] == [0]


def test_counts_that_messages_say_already_are_told_only_where_asked_for(family, compiled, told, tmp_path):
    flags = ("-shared", "-fPIC", f"-I{PMPI}", "-DWITHOUT_COUNTS")
    observer = compiled(family, "log_observer.c", *flags)
    without = observe(family, [str(compiled(family, "requests.c"))], observer, tmp_path / "without")
    for asked, not_asked in zip(told, without, strict=True):
        counts = [
            [call["n_counts"] for call in after(of_rank, "MPI_Sendrecv")] for of_rank in (asked, not_asked)
        ]
        assert counts == [[1], [0]]
        assert after(asked, "MPI_Sendrecv")[0]["sent"] == after(not_asked, "MPI_Sendrecv")[0]["sent"]
        assert after(not_asked, "MPI_Comm_split")[0]["n_counts"] == 1


def posted_and_ended(of_rank: list[dict]) -> tuple[dict[int, dict], dict[int, dict]]:
    posted = [operation for line in of_rank for operation in line.get("posted", [])]
    ended = [operation for line in of_rank for operation in line.get("completed", [])]
    by_number = {operation["number"]: operation for operation in posted}
    assert len(by_number) == len(posted)
    ends = {operation["number"]: operation for operation in ended}
    assert len(ends) == len(ended)
    return by_number, ends


@pytest.mark.sanitized("asan")
def test_each_operation_begins_and_ends_once(told):
    # 2 * 1000, 4, a receive and a barrier, 2 * 2 starts, a cancelled receive, a freed send.
    for rank, of_rank in enumerate(told):
        posted, ended = posted_and_ended(of_rank)
        assert len(posted) == 2000 + 4 + 2 + 4 + 2
        assert posted.keys() == ended.keys()
        kinds = [end["ended"] for end in ended.values()]
        assert (kinds.count(CANCELLED), kinds.count(FREED)) == (1, 1)
        received = [
            end["received"] for end in ended.values() if end["flags"] & RECEIVES and end["ended"] == 1
        ]
        expected = {1: (1000, 4), 2: (1, 12), 3: (1, 8), 4: (1, 4), 5: (2, 12)}
        for tag, (times, n_bytes) in expected.items():
            assert received.count([1 - rank, tag, n_bytes]) == times, tag


def test_a_receive_from_any_source_is_posted_as_such(told):
    for of_rank in told:
        posted, _ = posted_and_ended(of_rank)
        assert sum(operation["asked"][0] == ANY for operation in posted.values()) == 1000 + 2


@pytest.mark.parametrize("binding", ["MPIF", "USE_MPI", "F08"])
def test_fortran_tells_what_its_twin_in_c_does(family, binding, observer, compiled, tmp_path):
    mpi_jobs.tool(family, "mpif90")
    in_c = str(compiled(family, "twin.c"))
    in_fortran = str(compiled(family, "twin.F90", "-fallow-argument-mismatch", f"-DTWIN_{binding}"))

    def seen(program: str, log: str) -> list[list]:
        told = observe(family, [program], observer, tmp_path / log, n_ranks=4)
        return [sorted(message_lines(of_rank)) for of_rank in told]

    assert seen(in_fortran, "fortran") == seen(in_c, "c")


def message_lines(of_rank: list[dict]) -> Iterator[str]:
    """For each call its name, its messages, and the outcome of the operations that it completed."""
    for line in of_rank:
        if line["what"] != "after":
            continue
        ended = sorted(str((o["sent"], o["received"], o["ended"])) for o in line["completed"])
        yield str((line["name"], line["sent"], line["received"], len(line["posted"]), ended))


def test_the_tracer_does_not_see_what_a_second_observer_does(family, observer, compiled, tmp_path):
    program = [str(compiled(family, "requests.c"))]
    alone = mpi_jobs.run(family, 2, program, tmp_path / "alone").profile
    job = mpi_jobs.run(
        family,
        2,
        program,
        tmp_path / "both",
        COREWISE_OBSERVE=f"{observer},trace",
        OBSERVER_LOG=str(tmp_path / "log"),
        OBSERVER_BLOCKS="1",
    )
    assert (job.returncode, job.stderr) == (0, "")
    assert mpi_jobs.pairs(job.profile, Layer.p2p) == mpi_jobs.pairs(alone, Layer.p2p)
    both, one = mpi_jobs.call_counts(job.profile), mpi_jobs.call_counts(alone)
    assert "MPI_Iprobe" not in both
    polled = {"MPI_Testall", "MPI_Testany"}  # the number of calls varies
    assert {name: n for name, n in both.items() if name not in polled} == {
        name: n for name, n in one.items() if name not in polled
    }


def test_time_that_an_observer_blocks_is_not_the_calls(family, observer, compiled, tmp_path):
    program = [str(compiled(family, "requests.c"))]
    told = observe(family, program, observer, tmp_path / "log", OBSERVER_BLOCKS="1")
    calls = [line for line in told[0] if line["what"] == "after"]
    (at,) = (i for i, call in enumerate(calls) if call["name"] == "MPI_Ssend")
    # There are 50 ms between the previous call and this one: at least half as many ticks as ns with any
    # clock.
    assert calls[at]["ticks"][0] - calls[at - 1]["ticks"][1] > 25_000_000


@pytest.mark.sanitized("asan")
def test_rows_of_waiting_share_the_time_of_the_calls_that_waited(family, observer, compiled, tmp_path):
    program = [str(compiled(family, "requests.c"))]
    environment = {"COREWISE_OBSERVE": f"trace,{observer}", "OBSERVER_LOG": str(tmp_path / "log")}
    profile = mpi_jobs.run(family, 2, program, tmp_path / "p", **environment).profile
    columns = profile.columns()
    (waitall,) = (i for i, call in enumerate(profile.calls) if call.name == "MPI_Waitall")
    rows = [
        {name: columns[name][i] for name in ("rank", "peer", "count", "time_s", "flow", "own_call")}
        for i in range(len(columns["call"]))
        if columns["call"][i] == waitall
    ]
    for rank in range(2):
        waits = [row for row in rows if row["rank"] == rank and row["flow"] == int(RowFlow.waited)]
        assert {int(row["peer"]) for row in waits} == {1 - rank}
        assert sum(int(row["count"]) for row in waits) == 2000 + 2 * 2
        calls_s = sum(float(row["time_s"]) for row in rows if row["rank"] == rank and row["own_call"])
        waited_s = sum(float(row["time_s"]) for row in waits)
        # Equal shares of whole ticks: each of 2004 shares may lose up to one tick.
        assert waited_s == pytest.approx(calls_s, rel=1e-2, abs=1e-5)


@pytest.mark.parametrize(
    ("word", "complaint"),
    [
        (
            "trace,verfy",
            "COREWISE_OBSERVE lists 'verfy'; expected steer, trace, verify or the path of a library",
        ),
        ("trace,/no/such.so", "COREWISE_OBSERVE lists /no/such.so, which is no library with an observer"),
    ],
)
def test_an_observer_that_is_not_there_is_one_sentence(family, word, complaint, compiled, tmp_path):
    program = [str(compiled(family, "requests.c"))]
    job = mpi_jobs.run(family, 2, program, tmp_path / "p", COREWISE_OBSERVE=word)
    assert job.returncode == 0
    assert job.stderr == f"corewise: nothing recorded in {tmp_path / 'p'}: {complaint}.\n"
