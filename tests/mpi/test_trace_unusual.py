"""Unusual programs: MPI in a plug-in, MPI 4 calls, calls left by exceptions, unexpected MPIs and tools.

Also the profile of a newer tracer.
"""

from __future__ import annotations

import struct

import mpi_jobs
import pytest
from conftest import EVERY_MPI, host_and_plugin, installed, run_of_mpi
from corewise.model import Layer, Profile


@pytest.mark.parametrize("bind", ["lazy", "now"])
@pytest.mark.parametrize("name", EVERY_MPI)
def test_an_mpi_that_is_opened_privately_is_found(name, bind, tmp_path):
    mpi = installed(name)
    argv = host_and_plugin(mpi, tmp_path)
    plain = run_of_mpi(mpi, 2, argv, {})
    given = mpi_jobs.observed(mpi.family, tmp_path / "profile") | (
        {"LD_BIND_NOW": "1"} if bind == "now" else {}
    )
    traced = run_of_mpi(mpi, 2, argv, given)
    call = "MPI_Sendrecv" if name == "openmpi" else "MPI_Isendrecv"  # Open MPI 4.1 lacks MPI 4
    assert (plain.returncode, plain.stdout) == (traced.returncode, traced.stdout) == (0, f"{call} 1\n")
    assert "corewise:" not in traced.stderr
    profile = Profile.read(str(tmp_path / "profile"))
    assert mpi_jobs.pairs(profile, Layer.p2p) == {(0, 1): (4, 1), (1, 0): (4, 1)}
    assert mpi_jobs.call_counts(profile)[call] == 2


def test_what_a_rank_starts_is_not_observed(trace):
    job = trace("children.c", n_ranks=2, quiet=False)
    assert (job.returncode, job.stdout, job.stderr) == (0, "", "")
    assert job.profile.complete


def test_other_libraries_stay_preloaded_in_what_a_rank_starts(family, compiled, tmp_path):
    program = compiled(family, "children.c")
    given = {"LD_PRELOAD": f"libm.so.6:{mpi_jobs.library(family)} libdl.so.2", "COREWISE_AFFINITY": "pin"}
    job = mpi_jobs.run(family, 2, [str(program)], tmp_path / "profile", **given)
    assert (job.returncode, job.stderr) == (0, "")
    assert sorted(job.stdout.split()) == ["COREWISE_AFFINITY=pin", "LD_PRELOAD=libm.so.6:libdl.so.2"]


def test_memory_follows_neither_communicators_nor_messages(trace):
    job = trace("many.c", n_ranks=1)
    # 90,000 communicators and 900,000 messages: one byte for each would be 967 KiB.
    assert int(job.stdout.split()[1]) < 512
    assert mpi_jobs.call_counts(job.profile)["MPI_Comm_split"] == 100_000
    assert mpi_jobs.pairs(job.profile, Layer.p2p) == {(0, 0): (8_000_000, 1_000_000)}
    assert sum(file.stat().st_size for file in job.directory.iterdir()) < 2**20


def test_large_counts_persistent_collectives_and_partitioned_sends_are_counted(compiled, tmp_path):
    # Open MPI 4.1 lacks MPI 4.
    program = compiled("mpich", "mpi4.c")
    job = mpi_jobs.run("mpich", 3, [str(program)], tmp_path / "profile")
    assert (job.returncode, job.stderr) == (0, "")
    assert job.profile.faults == []
    # 3 bytes by a sendrecv and 2 x 8 bytes in partitions; 10 more bytes by the send of rank 0.
    ring = {(0, 1): (19, 3), (1, 2): (19, 3), (2, 0): (19, 3)}
    assert mpi_jobs.pairs(job.profile, Layer.p2p) == ring | {(0, 1): (29, 4)}
    assert mpi_jobs.pairs(job.profile, Layer.coll) == {(0, 1): (18, 3), (0, 2): (18, 3)}
    assert mpi_jobs.call_counts(job.profile)["MPI_Bcast_init"] == 3


@pytest.mark.parametrize("way", ["throw", "longjmp"])
def test_calls_after_one_that_its_error_handler_left_are_counted(family, way, compiled, tmp_path):
    program = compiled(family, "errors.cpp", "-DOMPI_SKIP_MPICXX", "-DMPICH_SKIP_MPICXX", "-lstdc++")
    job = mpi_jobs.run(family, 2, [str(program), way], tmp_path / "profile")
    assert (job.returncode, job.stderr) == (0, "")
    assert mpi_jobs.pairs(job.profile, Layer.p2p) == {(0, 1): (400, 100), (1, 0): (400, 100)}


def test_another_tool_that_is_passed_over_is_told_of(family, compiled, tmp_path):
    program = compiled(family, "patterns.c")
    tool = compiled(family, "tool.c", "-shared", "-fPIC")
    both = f"{mpi_jobs.library(family)}:{tool}"
    job = mpi_jobs.run(family, 2, [str(program), "derived"], tmp_path / "profile", LD_PRELOAD=both)
    assert job.returncode == 0
    assert job.stderr.count(f"{tool} wraps MPI too") == 1
    assert mpi_jobs.pairs(job.profile, Layer.p2p) == {(0, 1): (80, 1)}


@pytest.mark.parametrize("source", ["twin.c", "twin.F90"])
def test_a_program_of_another_mpi_runs_as_without_us(family, source, compiled, tmp_path):
    (other,) = set(mpi_jobs.FAMILIES) - {family}
    mpi_jobs.tool(other, "mpif90")
    flags = ["-fallow-argument-mismatch", "-DTWIN_F08"] if source == "twin.F90" else []
    program = compiled(family, source, *flags)
    library = str(mpi_jobs.library(other))
    job = mpi_jobs.run(family, 4, [str(program)], tmp_path / "profile", LD_PRELOAD=library)
    assert job.returncode == 0, job.stderr
    assert job.stderr.count("corewise: nothing recorded") == 1 and "the program has loaded" in job.stderr
    assert not (tmp_path / "profile").exists()


@pytest.mark.parametrize(("program_of", "library_of"), [("abi", "mpich5"), ("mpich5", "abi")])
def test_the_standard_abi_and_mpich_are_told_apart(program_of, library_of, tmp_path):
    mpi, other = installed(program_of), installed(library_of)
    program = mpi_jobs.compile_program(mpi.mpicc, "twin.c", tmp_path / "twin")
    given = mpi_jobs.observed(other.family, tmp_path / "profile")
    done = run_of_mpi(mpi, 4, [str(program)], given)
    assert done.returncode == 0, done.stderr
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("corewise:")]
    assert "the program has loaded" in line and "in LD_PRELOAD is the one for" in line
    assert not (tmp_path / "profile").exists()


def test_what_only_a_newer_tracer_could_have_written_is_skipped(trace):
    job = trace("patterns.c", "p2p", n_ranks=2, quiet=False)
    before = job.profile
    assert (before.skipped_chunks, before.skipped_bytes) == (0, 0)
    (file,) = job.directory.iterdir()
    data = bytearray(file.read_bytes())
    data += struct.pack("=II", 1000, 8192).ljust(8192, b"\xff")  # kind and size; see formats/FORMATS.md
    data[40:48] = struct.pack("=Q", len(data))  # next_free of the header
    file.write_bytes(data)
    after = job.profile
    assert (after.skipped_chunks, after.skipped_bytes) == (1, 8192)
    assert after.complete and after.faults == []
    assert mpi_jobs.pairs(after, Layer.p2p) == mpi_jobs.pairs(before, Layer.p2p)
