"""Unusual programs: MPI opened as a plug-in, MPI 4 calls, spawned processes; and a newer tracer's profile."""

from __future__ import annotations

import struct

import mpi_jobs
from corewise.model import Layer


def test_an_mpi_that_is_opened_privately_is_found(family, compiled, tmp_path):
    host = compiled(family, "plugin.c")
    plugin = compiled(family, "plugin.c", "-DPLUGIN", "-shared", "-fPIC")
    job = mpi_jobs.run(family, 2, [str(host), str(plugin)], tmp_path / "profile")
    assert (job.returncode, job.stderr) == (0, "")
    assert mpi_jobs.pairs(job.profile, Layer.p2p) == {(0, 1): (4, 1), (1, 0): (4, 1)}


def test_large_counts_and_persistent_collectives_are_counted(compiled, tmp_path):
    # Open MPI 4.1 has no MPI 4.
    program = compiled("mpich", "mpi4.c")
    job = mpi_jobs.run("mpich", 3, [str(program)], tmp_path / "profile")
    assert (job.returncode, job.stderr) == (0, "")
    ring = {(0, 1): (3, 1), (1, 2): (3, 1), (2, 0): (3, 1)}
    assert mpi_jobs.pairs(job.profile, Layer.p2p) == ring | {(0, 1): (13, 2)}
    assert mpi_jobs.pairs(job.profile, Layer.coll) == {(0, 1): (18, 3), (0, 2): (18, 3)}
    assert mpi_jobs.call_counts(job.profile)["MPI_Bcast_init"] == 3


def test_spawned_processes_are_left_out_and_messages_to_them_told(compiled, tmp_path):
    program = compiled("openmpi", "spawn.c")
    job = mpi_jobs.run("openmpi", 2, [str(program)], tmp_path / "profile")
    assert job.returncode == 0, job.stderr
    assert mpi_jobs.pairs(job.profile, Layer.p2p) == {(0, 1): (7, 1)}
    assert any("outside MPI_COMM_WORLD" in fault for fault in job.profile.faults)


def test_what_only_a_newer_tracer_could_have_written_is_skipped(family, compiled, tmp_path):
    program = compiled(family, "patterns.c", "-pthread")
    job = mpi_jobs.run(family, 2, [str(program), "p2p"], tmp_path / "profile")
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
