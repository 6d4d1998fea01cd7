"""Each wrapped call is counted exactly once, from C and by the Fortran entry points, on every MPI here."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from functools import cache
from pathlib import Path

import every_call
import mpi_jobs
import pytest
from calls import declared_functions
from conftest import EVERY_MPI, Mpi, installed, profile_of
from corewise.model import Profile, read_events

pytestmark = pytest.mark.sanitized("asan")

N = 2
# Recorder of a call that transfers one int -> (messages, ints). A call that fetches and stores sends two
# messages; access to a file sends none.
TRANSFERS = {
    "send": (1, 1),
    "psend": (1, 1),
    "put": (1, 1),
    "get": (1, 1),
    "get_accumulate": (2, 2),
    "file": (0, 1),
}
# Fortran entry points. In MPICH, the mpi_f08 entry points with a buffer have other names and call C.
FORTRAN = {"mpif": "mpi_{}_", "f08": "mpi_{}_f08_"}


@pytest.fixture(autouse=True)
def in_a_folder_for_its_files(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)


@cache
def declared(mpicc: str) -> frozenset[str]:
    """The functions in this MPI's mpi.h."""
    argv = [mpicc, "-E", "-include", "mpi.h", "-x", "c", "/dev/null"]
    text = subprocess.run(argv, check=True, capture_output=True, text=True, timeout=60).stdout
    return frozenset(declared_functions(text))


@cache
def wrapped(family: str) -> frozenset[str]:
    """The MPI functions that the preload library defines."""
    argv = ["nm", "-D", "--defined-only", str(mpi_jobs.library(family))]
    text = subprocess.run(argv, check=True, capture_output=True, text=True, timeout=60).stdout
    return frozenset(line.split()[-1] for line in text.splitlines())


# These need processes outside MPI_COMM_WORLD; test_trace_spawn.py makes them.
NOT_HERE = {"MPI_Comm_spawn", "MPI_Comm_spawn_multiple", "MPI_Comm_accept", "MPI_Comm_connect"}


def callable_names(mpi: Mpi) -> list[str]:
    callable_here = declared(mpi.mpicc) & wrapped(mpi.family) - NOT_HERE
    return [name for name in every_call.CALLS if name in callable_here]


def has_fortran(name: str, family: str, entry: str) -> bool:
    """Whether the entry point exists: in the library, or in MPICH's own mpif.h library, which calls C."""
    in_c = family == "mpich" and entry == "mpi_{}_" and not name.endswith("_c")
    return in_c or entry.format(name.removeprefix("MPI_").lower()) in wrapped(family)


def traced(mpi: Mpi, compiler: str, source: str, folder: Path, mode: str) -> Profile:
    """Compiles and runs the program; returns its profile."""
    text, binary = folder / "every_call.c", folder / "every_call"
    text.write_text(source)
    subprocess.run([compiler, "-w", str(text), "-o", str(binary)], check=True, timeout=100)
    profile = profile_of(mpi, N, [str(binary)], folder / "profile", COREWISE_MODE=mode)
    assert profile.complete and profile.faults == []
    return profile


def transfers(profile: Profile) -> dict[str, tuple[int, int]]:
    """{call: (messages, bytes)} over all ranks, for calls that transfer one int."""
    columns, found = profile.columns(), {}
    for call, n, n_bytes in zip(columns["call"], columns["messages"], columns["sent_bytes"], strict=True):
        name = profile.calls[call].name
        if every_call.CALLS[name].record[0] in TRANSFERS:
            before = found.get(name, (0, 0))
            found[name] = (before[0] + int(n), before[1] + int(n_bytes))
    return found


def check(profile: Profile, program: every_call.Program) -> None:
    assert mpi_jobs.call_counts(profile) == {name: N * n for name, n in program.n_calls.items()}
    expected = {}
    for name, n in program.n_calls.items():
        of_each = TRANSFERS.get(every_call.CALLS[name].record[0])
        if of_each:
            expected[name] = (N * n * of_each[0], 4 * N * n * of_each[1])
    assert transfers(profile) == expected
    if "MPI_Comm_set_name" in program.n_calls:  # on MPI_COMM_WORLD
        assert "named" in [comm.name for comm in profile.comms]


@pytest.mark.parametrize("name", EVERY_MPI)
def test_every_call_from_c_is_counted_once(name, tmp_path):
    mpi = installed(name)
    program = every_call.program(callable_names(mpi))
    check(traced(mpi, mpi.mpicc, program.text, tmp_path, "time"), program)


@pytest.mark.parametrize("name", EVERY_MPI)
def test_every_call_from_c_is_one_event(name, tmp_path):
    # Observed calls have their own wrappers. A test of a request that the library doesn't know is no event.
    mpi = installed(name)
    program = every_call.program(callable_names(mpi))
    check(traced(mpi, mpi.mpicc, program.text, tmp_path, "events"), program)
    log = read_events(str(tmp_path / "profile"))
    columns = log.columns()
    calls = Counter(log.calls[call].name for call in columns["call"][columns["part"] == 0].tolist())
    looks = re.compile("MPI_(Test|Request_get_status)")
    assert calls == {call: N * n for call, n in program.n_calls.items() if not looks.match(call)}


@pytest.mark.parametrize("mode", ["time", "events"])
@pytest.mark.parametrize("binding", FORTRAN)
def test_every_call_from_fortran_is_counted_once(family, binding, mode, tmp_path):
    mpi = installed(family)
    fortran = mpi_jobs.tool(family, "mpif90")
    names = [name for name in callable_names(mpi) if has_fortran(name, family, FORTRAN[binding])]
    program = every_call.program(names, FORTRAN[binding])
    profile = traced(mpi, fortran, program.text, tmp_path, mode)
    check(profile, program)


@pytest.mark.parametrize("name", EVERY_MPI)
def test_every_call_that_the_library_s_own_mpi_declares_is_wrapped(name):
    """The library is built with one version of the family's mpi.h, so newer calls may be missing."""
    mpi = installed(name)
    unwrapped = {call for call in every_call.CALLS if call in declared(mpi.mpicc) - wrapped(mpi.family)}
    assert declared(installed(mpi.family).mpicc).isdisjoint(unwrapped)
