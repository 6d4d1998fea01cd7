"""What `corewise run` says of a job that ended before any rank reported its binding."""

from __future__ import annotations

import pytest
from corewise.cli.run import verdict
from corewise.nouns.run import RankBinding, Run


@pytest.mark.parametrize(
    ("exit_code", "sentence"),
    [
        (1, "'mpirun' failed (exit code 1) before a rank reported"),
        (0, "No rank reported its binding: is this an MPI program"),
    ],
)
def test_a_launcher_that_fails_is_not_taken_for_a_program_without_mpi(exit_code, sentence):
    run = Run(
        "best", ["mpirun", "a"], "measured", [RankBinding(0, "", "n0", [0], None)], 1.0, None, None, exit_code
    )
    assert verdict(run).startswith(sentence)
