"""The verdict of `corewise run` on a job that ended before any rank reported its binding."""

from __future__ import annotations

import pytest
from corewise.cli.run import print_run, verdict
from corewise.nouns.run import RankBinding, Run


@pytest.mark.parametrize(
    ("exit_code", "sentence"),
    [
        (1, "'mpirun' failed (exit code 1) before a rank reported"),
        (0, "No rank reported its binding: is this an MPI program"),
    ],
)
def test_a_launcher_that_fails_is_not_taken_for_a_program_without_mpi(exit_code, sentence, capsys):
    run = Run(
        "best", ["mpirun", "a"], "measured", [RankBinding(0, "", "n0", [0], None)], 1.0, None, None, exit_code
    )
    assert verdict(run).startswith(sentence)
    print_run(run)
    text = capsys.readouterr().err
    assert "not seen" in text and "DIFFERS" not in text


def test_gpus_are_listed_and_what_differs_is_named_by_rank(capsys):
    wanted = {"CUDA_VISIBLE_DEVICES": "0"}
    alike = [RankBinding(i, "n0", "n0", [i], [i], [], wanted, wanted) for i in range(3)]
    other = RankBinding(3, "n0", "n0", [3], [3], [], wanted, {}, ["/dev/nvidia1"], ["sees GPU cuda1, ..."])
    print_run(Run("best", ["mpirun", "a"], "measured", [*alike, other], 1.0, None, None, 0))
    text = capsys.readouterr().err
    assert "rank 3: CUDA_VISIBLE_DEVICES is not set, requested 0\nrank 3: sees GPU cuda1, ...\n" in text
    assert "0-2    CUDA_VISIBLE_DEVICES=0\n" in text and "3      open: /dev/nvidia1\n" in text
    assert "1 of 4 bindings differ" in text
