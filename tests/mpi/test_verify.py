"""The masks that ranks and threads report equal the kernel's, also without tracing."""

from __future__ import annotations

import os

import mpi_jobs
import pytest

MINE = sorted(os.sched_getaffinity(0))


@pytest.mark.parametrize("observe", ["verify", "trace,verify"])
def test_an_unbound_rank_reports_the_whole_mask(trace, observe):
    job = trace("patterns.c", "isend", COREWISE_OBSERVE=observe)
    profile = job.profile
    assert profile.complete
    assert [rank.os_pus for rank in profile.ranks] == [MINE] * 4
    assert [rank.traced for rank in profile.ranks] == [observe != "verify"] * 4
    assert all(rank.wall_s > 0 for rank in profile.ranks)


def test_a_bound_rank_and_its_threads_report_their_own_masks(family, compiled, tmp_path):
    # taskset binds each process to the last allowed PU, whatever mask the launcher set.
    program = compiled(family, "patterns.c")
    bound = ["taskset", "-c", str(MINE[-1]), str(program), "nothing"]
    profile = mpi_jobs.run(family, 2, bound, tmp_path / "profile", COREWISE_OBSERVE="verify").profile
    for rank in profile.ranks:
        assert rank.os_pus == [MINE[-1]]
        assert [MINE[-1]] in [thread.os_pus for thread in rank.threads]


def test_tracing_alone_reports_no_mask(trace):
    profile = trace("patterns.c", "nothing", n_ranks=2, quiet=False, COREWISE_OBSERVE="trace").profile
    assert [rank.os_pus for rank in profile.ranks] == [[], []]
