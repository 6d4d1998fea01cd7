"""Small steered MPI jobs for the tests: their settings, environment and ranks, and the masks at the end."""

from __future__ import annotations

import os
import struct
import subprocess
import time
from pathlib import Path

import mpi_jobs
from corewise.steering.replay import SteeredLog, replay

# Short intervals, so that a few seconds contain many decisions. The gain of swaps is not tested here.
HASTE = (
    "interval_ns=5000000 window_ns=20000000 window_iterations=2 settle_ns=2000000 watched_windows=0 "
    "backoff_ns=10000000 backoff_most_ns=20000000 shared_first_ns=1000000000 shared_share=1000000"
)


def settings(
    folder: Path,
    more: str = "",
    pus: list[int] | None = None,
    capability: int = 500,
    apart: bool = False,
) -> None:
    """Writes the settings. The core of the first PU gets half the speed, because the busy rank is on it.

    `capability`: another speed for that core. `pus`: [core] -> PU; a PU that doesn't exist makes a core
    without a rank. `apart`: each core gets its own NUMA domain.
    """
    folder.mkdir(exist_ok=True)
    here = sorted(os.sched_getaffinity(0))
    cores = [
        f"core id={number} pus={pu} capability={capability if pu == here[0] else 1000} "
        f"numa={number if apart else 0}"
        for number, pu in enumerate(here if pus is None else pus)
    ]
    text = "\n".join(
        ["corewise-steer-log 1", *cores, f"settings {HASTE} {more}", "monitor schedstat confidence=0"]
    )
    (folder / "settings").write_text(text + "\n")


def environment(family: str, folder: Path, shared: Path) -> dict[str, str]:
    given = mpi_jobs.preloaded(family) | {"COREWISE_OBSERVE": "steer"}
    given |= {"COREWISE_STEER": str(folder), "COREWISE_STEER_SHARED": str(shared)}
    return given | {"COREWISE_JOB": f"test-{os.getpid()}"}


def start(
    family: str,
    program: list[str],
    folder: Path,
    shared: Path,
    *options: str,
    before: tuple[str, ...] = (),
    progress: bool = False,
) -> subprocess.Popen:
    """A steered job of two ranks; `options` are more of the launcher's, `before` words in front of it. With
    `progress` MPI is started with MPI_THREAD_MULTIPLE."""
    given = environment(family, folder, shared) | ({"COREWISE_STEER_PROGRESS": "1"} if progress else {})
    command = mpi_jobs.command(family, 2, program, given)
    return subprocess.Popen(
        [*before, command[0], *options, *command[1:]],
        env=os.environ | mpi_jobs.ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def ended(job: subprocess.Popen) -> str:
    """Waits for a job, which must end well and print no error; returns its output."""
    out, err = job.communicate(timeout=60)
    assert (job.returncode, err) == (0, "")
    return out


def log_of(folder: Path) -> tuple[str, SteeredLog]:
    """The text of the one log in the folder, and its replay, which decides the same."""
    (log,) = folder.glob("*.steer-log")
    replayed = replay(log)
    assert replayed.differs is None
    return log.read_text(), replayed


def steered(family: str, program: list[str], folder: Path, more: str = "") -> tuple[str, SteeredLog]:
    """Runs a steered job; returns the program's output and the replayed log."""
    settings(folder, more)
    return ended(start(family, program, folder, folder)), log_of(folder)[1]


def masks(out: str) -> dict[int, list[int]]:
    """The PUs of each rank at the end, from the output of tests/mpi/programs/steered.c."""
    found: dict[int, list[int]] = {}
    for line in out.splitlines():
        _, rank, _, _, pu = line.split()
        found.setdefault(int(rank), []).append(int(pu))
    return found


def assert_valid(out: str) -> None:
    """Checks that the two ranks ended on the first two PUs, one on each."""
    first, second, *_ = sorted(os.sched_getaffinity(0))
    assert sorted(masks(out).values()) == [[first], [second]]


def ranks_of(job: subprocess.Popen, name: str) -> list[int]:
    """The processes of the program that the launcher started."""
    done = subprocess.run(["ps", "-e", "-o", "pid=,ppid=,comm="], capture_output=True, text=True, check=True)
    rows = [line.split(None, 2) for line in done.stdout.splitlines()]
    below = {job.pid}
    for _ in range(4):
        below |= {int(pid) for pid, parent, _ in rows if int(parent) in below}
    return [int(pid) for pid, _, command in rows if int(pid) in below and command.strip() == name[:15]]


def wait_for_ranks(job: subprocess.Popen, name: str) -> list[int]:
    for _ in range(500):
        if len(found := ranks_of(job, name)) == 2:
            return found
        time.sleep(0.02)
    raise AssertionError(f"two processes of {name} did not come")


# Offsets in the file of preload/steer/act/journal_file.h: the lease to decide, whose last 12 bits are the
# holder's slot + 1, and the parties, each of which begins with a pid.
LEADER_AT, PARTIES_AT, PARTY_BYTES = 16, 32 + 4 * 1024, 8 + 8 + 16 * 8 + 8 + 64 * 16


def leader_of(shared: Path) -> int | None:
    """The pid of the node's leader according to the journal; None if there is no leader yet."""
    for path in shared.glob("*.journal"):
        journal = path.read_bytes()
        slot = (struct.unpack_from("=Q", journal, LEADER_AT)[0] & 0xFFF) - 1
        pid = struct.unpack_from("=q", journal, PARTIES_AT + slot * PARTY_BYTES)[0] if slot >= 0 else 0
        if pid > 0:
            return pid
    return None


def wait_for_leader(shared: Path, ranks: list[int]) -> int:
    for _ in range(500):
        if (found := leader_of(shared)) in ranks:
            return found
        time.sleep(0.02)
    raise AssertionError(f"none of {ranks} leads")
