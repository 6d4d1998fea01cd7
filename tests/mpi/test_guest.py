"""A program sees and does the same with and without corewise: descriptors, streams, children, its end."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import mpi_jobs
import pytest
from conftest import Mpi, host_and_plugin, installed
from suites import starting
from suites.outcomes import Outcome, difference, outcome, same

COMMANDS = ("count", "time", "events", "run", "steer")
# Of a job that is killed: mpirun, plain too, may end before it has read all that the ranks printed.
TRIES = 3
INPUT = b"one\ntwo\nthree\n"


@dataclass(frozen=True)
class Kind:
    """How `guest NAME` is started.

    `commands` are the commands of corewise. If it is empty, one of COMMANDS is used, a different one for each
    of `mpis`. With these MPIs, plain runs don't differ from each other. `given` has variables; None unsets
    one. `has_no_room`: at the end corewise reports that it could not record everything.
    """

    commands: tuple[str, ...] = ()
    given: tuple[tuple[str, str | None], ...] = ()
    mpis: tuple[str, ...] = ("openmpi", "mpich")
    has_no_room: bool = False


KINDS: dict[str, Kind] = {
    "alarms": Kind(),
    "breaks_errors": Kind(("events", "steer"), has_no_room=True),
    "changes_folder": Kind(),
    "closes_all": Kind(),
    "closes_errors": Kind(),
    "closes_input": Kind(),
    "closes_output": Kind(),
    "end_abort": Kind(),
    "end_error": Kind(),
    "end_error_handler": Kind(),
    "end_exit_0": Kind(),
    "end_exit_7": Kind(),
    "end_handler": Kind(),
    "end_kill": Kind(),
    "end_leave": Kind(),
    "end_mpi_abort": Kind(),
    "end_segv": Kind(),
    "end_status": Kind(),
    "environment": Kind(("time", "steer")),  # `run` passes the placement to Open MPI by variables
    "exit_order": Kind(),
    "facts": Kind(COMMANDS),
    "few_descriptors": Kind(),
    "finalize_at_exit": Kind(),
    "forbids": Kind(("events", "steer"), has_no_room=True),
    "fork_aborts": Kind(),
    "fork_exits": Kind(),
    "fork_first": Kind(),
    "fork_leaves": Kind(),
    "fork_works": Kind(),
    "level_multiple": Kind(),
    "level_single": Kind(),
    "no_core": Kind(),
    "no_descriptors": Kind(mpis=("openmpi",)),  # UCX prints a varying number of lines
    "no_room": Kind(("count", "events"), has_no_room=True),
    "numbers": Kind(COMMANDS),
    "other_programs": Kind(("time", "steer")),
    "reads": Kind(("count", "run")),
    "reopens_errors": Kind(("events", "steer"), has_no_room=True),
    "sets_umask": Kind(),
    "takes_numbers": Kind(("events", "steer")),
    "threads_ask": Kind(),
    "tool_interface": Kind(("events", "steer")),
}
# name -> the KIND for `guest`, and how it is started
SURROUNDINGS: dict[str, tuple[str, Kind]] = {
    "no home": ("environment", Kind(("count",), (("HOME", None),))),
    "a home that is missing": ("facts", Kind(("run",), (("HOME", "/nonexistent"),))),
    "no folder for temporary files": ("environment", Kind(("steer",), (("TMPDIR", None),))),
    "a missing folder for temporary files": ("facts", Kind(("run",), (("TMPDIR", "/nonexistent"),))),
    "a large environment": ("environment", Kind(("events",), (("LARGE", 100_000 * "x"),))),
    "libraries of the user's": ("environment", Kind(("time",), (("LD_PRELOAD", "libm.so.6 libdl.so.2"),))),
    "the C locale": ("environment", Kind(("count",), (("LANG", None), ("LC_ALL", None), ("LC_CTYPE", "C")))),
}


@pytest.fixture(scope="module")
def programs(tmp_path_factory) -> Callable[[Mpi], Path]:
    folder = tmp_path_factory.mktemp("guests")
    built: dict[str, Path] = {}

    def program(mpi: Mpi) -> Path:
        if mpi.mpicc not in built:
            path = folder / f"guest{len(built)}"
            built[mpi.mpicc] = mpi_jobs.compile_program(mpi.mpicc, "guest.c", path)
        return built[mpi.mpicc]

    return program


@pytest.fixture(autouse=True)
def own_temporary_folder(monkeypatch) -> Iterator[None]:
    """A separate TMPDIR. Its path is shorter than tmp_path, because Open MPI creates sockets there.

    Under umask 0777 Open MPI leaves folders of mode 0 in TMPDIR, named by mpirun's pid. If a later mpirun got
    the same pid, its job would end in MPI_Init.
    """
    folder = tempfile.mkdtemp(prefix="guest")
    monkeypatch.setenv("TMPDIR", folder)
    yield
    shutil.rmtree(folder)


@pytest.fixture
def given_descriptor(tmp_path) -> Iterator[int]:
    """A file that is open for the program, at a number that a shell might use."""
    file = os.open(tmp_path, os.O_RDONLY)
    os.dup2(file, 77)
    os.close(file)
    yield 77
    os.close(77)


def started(mode: str, mpi: Mpi, words: list[str], kind: Kind, folder: Path) -> Outcome:
    """One start, in an empty working folder that has the same name each time."""
    scratch, here = Path(tempfile.mkdtemp(prefix=mode, dir=folder)), folder / "here"
    here.mkdir(exist_ok=True)
    # Steering needs bound ranks. Open MPI binds two ranks by default, and starting.command() adds the option
    # for MPICH when it steers.
    bound = mpi.family != "openmpi" and mode not in ("run", "steer")
    ranks = ["-n", "2", *(["-bind-to", "core"] if bound else [])]
    argv = starting.command(mode, mpi, ranks, words, scratch)
    environment = starting.environment() | {name: value for name, value in kind.given if value is not None}
    for name in (name for name, value in kind.given if value is None):
        environment.pop(name, None)
    done = subprocess.run(
        argv,
        cwd=here,
        env=environment,
        # Only a program that reads gets input: Open MPI 4.1's mpirun may crash if a program closes its input.
        input=INPUT if words[1] == "reads" else b"",
        capture_output=True,
        timeout=100,
        pass_fds=[77],
    )
    status = done.returncode if done.returncode >= 0 else 128 - done.returncode
    found = outcome(mode, status, done.stdout, done.stderr, [path.name for path in here.iterdir()])
    for path in here.iterdir():
        path.unlink()
    return found


def check_alike(mpi: Mpi, words: list[str], kind: Kind, commands: Sequence[str], folder: Path) -> None:
    plain = started(starting.PLAIN, mpi, words, kind, folder)
    for mode in commands:
        found = observed(mode, mpi, words, kind, folder)
        for number in range(2, TRIES + 1):
            if ends_well(plain) or alike(plain, found):
                break
            warnings.warn(f"{words[1]}, {mode}: try {number} of {TRIES}", stacklevel=2)
            plain = started(starting.PLAIN, mpi, words, kind, folder)
            found = observed(mode, mpi, words, kind, folder)
        assert alike(plain, found), f"{mode}: {difference(plain, found)}\n{plain}\n{found}"


def observed(mode: str, mpi: Mpi, words: list[str], kind: Kind, folder: Path) -> Outcome:
    """The outcome under corewise, without the one line that it may print if there is no room."""
    found = started(mode, mpi, words, kind, folder)
    assert kind.has_no_room or not found.failed
    told = tuple(line for line in found.stderr if kind.has_no_room and line.startswith("corewise: "))
    assert len(told) <= 1
    return replace(found, failed="", stderr=tuple(line for line in found.stderr if line not in told))


def ends_well(plain: Outcome) -> bool:
    return plain.status == 0 and not plain.stderr


def alike(plain: Outcome, found: Outcome) -> bool:
    """Equal, but for standard error of a job that fails: traces of crashes have different addresses."""
    if ends_well(plain):
        return plain == found
    assert not any("corewise" in line for line in found.stderr)
    return same(replace(plain, stderr=()), replace(found, stderr=()))


def of_kinds() -> list[pytest.param]:
    """(MPI, kind, commands)."""
    found = []
    for number, (name, kind) in enumerate(KINDS.items()):
        for shift, mpi in enumerate(kind.mpis):
            commands = kind.commands or [COMMANDS[(number + 2 * shift) % len(COMMANDS)]]
            found.append(pytest.param(mpi, name, commands, id=f"{name}-{mpi}"))
    return found


@pytest.mark.usefixtures("given_descriptor")
@pytest.mark.parametrize(("name", "kind", "commands"), of_kinds())
def test_the_program_is_alike(name, kind, commands, programs, tmp_path):
    mpi = installed(name)
    check_alike(mpi, [str(programs(mpi)), kind], KINDS[kind], commands, tmp_path)


@pytest.mark.usefixtures("given_descriptor")
@pytest.mark.parametrize("surroundings", SURROUNDINGS)
@pytest.mark.parametrize("name", ["openmpi", "mpich"])
def test_the_program_is_alike_with(surroundings, name, programs, tmp_path):
    mpi, (word, kind) = installed(name), SURROUNDINGS[surroundings]
    check_alike(mpi, [str(programs(mpi)), word], kind, kind.commands, tmp_path)


@pytest.mark.usefixtures("given_descriptor")
@pytest.mark.parametrize("kind", ["facts", "numbers", "fork_exits"])
@pytest.mark.parametrize("name", ["openmpi5", "mpich5"])
def test_the_program_is_alike_with_newer_mpis(name, kind, programs, tmp_path):
    mpi = installed(name)
    check_alike(mpi, [str(programs(mpi)), kind], KINDS[kind], ["events", "steer"], tmp_path)


def test_a_child_that_goes_on_without_exec_is_no_rank(family, compiled, tmp_path):
    program = str(compiled(family, "guest.c"))
    job = mpi_jobs.run(family, 2, [program, "fork_works"], tmp_path / "profile", COREWISE_MODE="events")
    assert (job.returncode, job.stdout) == (0, "child ended 100\n"), job.stderr
    assert job.profile.complete
    assert "MPI_Request_free" not in mpi_jobs.call_counts(job.profile)


def test_files_get_their_modes_whatever_the_umask(family, compiled, tmp_path):
    program = str(compiled(family, "guest.c"))
    job = mpi_jobs.run(family, 2, [program, "sets_umask"], tmp_path / "profile")
    assert (job.returncode, job.stdout) == (0, "umask 777\n"), job.stderr
    assert [path.stat().st_mode & 0o777 for path in job.directory.iterdir()] == [0o600]


@pytest.mark.usefixtures("given_descriptor")
@pytest.mark.parametrize("bind", ["lazy", "now"])
def test_a_program_that_opens_mpi_privately_is_alike(family, bind, tmp_path):
    mpi = installed(family)
    kind = Kind(given=(("LD_BIND_NOW", "1" if bind == "now" else None),))
    check_alike(mpi, host_and_plugin(mpi, tmp_path), kind, ["events", "steer"], tmp_path)


@pytest.mark.usefixtures("given_descriptor")
def test_a_program_in_a_folder_that_can_not_be_written_is_alike(family, programs, tmp_path, read_only):
    mpi = installed(family)
    (tmp_path / "here").symlink_to(read_only)
    check_alike(mpi, [str(programs(mpi)), "facts"], Kind(), ["time", "run", "steer"], tmp_path)


OF_EACH_MPI = [
    ("openmpi", "time"),
    ("openmpi", "run"),
    ("mpich", "steer"),
    ("openmpi5", "steer"),
    ("mpich5", "time"),
]


@contextmanager
def signalled(name: str, mode: str, folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Sends SIGUSR1 to corewise once the ranks wait for it; checks that every rank got it."""
    mpi = installed(name)
    program = mpi_jobs.compile_program(mpi.mpicc, "signalled.c", folder / "signalled")
    argv = starting.command(mode, mpi, ["-n", "2"], [str(program)], folder)
    with subprocess.Popen(
        argv,
        cwd=folder,
        env=starting.environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    ) as job:
        assert job.stdout.readline() == "ready\n"
        yield job
        job.send_signal(signal.SIGUSR1)
        assert job.stdout.read() == f"got {signal.SIGUSR1:d}\n" * 2
    assert job.returncode == 0


@pytest.mark.parametrize(("name", "mode"), OF_EACH_MPI)
def test_a_signal_that_the_launcher_passes_on_reaches_the_program(name, mode, tmp_path):
    with signalled(name, mode, tmp_path):
        pass


def is_stopped(pid: int) -> bool:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"  # proc(5)


@pytest.mark.parametrize(("name", "mode"), OF_EACH_MPI)
def test_a_stopped_command_stops_its_launcher_and_goes_on_with_it(name, mode, tmp_path):
    with signalled(name, mode, tmp_path) as job:
        launcher = int(Path(f"/proc/{job.pid}/task/{job.pid}/children").read_text().split()[0])
        job.send_signal(signal.SIGTSTP)
        deadline = time.monotonic() + 20
        while not (is_stopped(job.pid) and is_stopped(launcher)) and time.monotonic() < deadline:
            time.sleep(0.01)
        both = is_stopped(job.pid), is_stopped(launcher)
        job.send_signal(signal.SIGCONT)
        assert both == (True, True)
