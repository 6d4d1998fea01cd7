"""The binder under real launchers: masks of ranks, refused settings, and who gets the environment."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from corewise.errors import MissingError
from corewise.start.programs import BINDER, native
from mpis_here import LASTING, SHOW_MASK

try:
    BIND = native(BINDER)
except MissingError as missing:
    pytest.skip(str(missing), allow_module_level=True)


def settings(folder: Path, *lines: str) -> str:
    path = folder / "bind.txt"
    path.write_text("\n".join(["corewise-bind 1", *lines]) + "\n")
    return str(path)


def run(*argv: str, **env: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        argv,
        env=os.environ | env,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        stdin=subprocess.DEVNULL,
    )


@pytest.mark.parametrize("masks", [("0", "1"), ("1", "0"), ("0-1", "1")])
def test_every_rank_gets_its_own_mask(mpi, two_cores, tmp_path, masks):
    path = settings(tmp_path, f"rank 0 {masks[0]}", f"rank 1 {masks[1]}")
    done = run(mpi.mpirun, "-n", "2", BIND, path, "--", "bash", "-c", SHOW_MASK)
    assert sorted(done.stdout.splitlines()) == [f"0 {masks[0]}", f"1 {masks[1]}"], done.stderr


def test_a_mask_that_the_kernel_narrows_is_refused(tmp_path):
    # sched_setaffinity succeeds even if it can set only a part of the mask. Only reading it back shows that.
    path = settings(tmp_path, "rank 0 0-4095")
    done = run(BIND, path, "--", "true", PMI_RANK="0")
    assert done.returncode == 122
    assert "rank 0 wanted hardware threads 0-4095 (os_index) and got" in done.stderr


def test_a_mask_of_threads_that_are_not_there_is_refused(tmp_path):
    done = run(BIND, settings(tmp_path, "rank 0 4000"), "--", "true", PMI_RANK="0")
    assert done.returncode == 122
    assert "Invalid argument" in done.stderr


@pytest.mark.parametrize(
    ("argv", "env", "code", "sentence"),
    [
        ([], {}, 120, "usage"),
        (["/nowhere/settings", "--", "true"], {}, 120, "No such file"),
        (["SETTINGS", "true"], {}, 120, "usage"),
        (["SETTINGS", "--", "true"], {}, 121, "no rank in the environment"),
        (["SETTINGS", "--", "true"], {"PMIX_RANK": "7"}, 121, "rank 7 has no mask"),
        (["SETTINGS", "--", "/nowhere/program"], {"PMI_RANK": "0"}, 127, "No such file"),
        (["SETTINGS", "--", "/etc/passwd"], {"PMI_RANK": "0"}, 126, "Permission denied"),
    ],
)
def test_what_can_not_be_done_ends_with_a_sentence_and_its_own_exit_code(tmp_path, argv, env, code, sentence):
    path = settings(tmp_path, "rank 0 0")
    done = run(BIND, *[path if word == "SETTINGS" else word for word in argv], **env)
    assert done.returncode == code
    assert sentence in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_the_program_gets_the_environment_and_its_own_exit_code_stays(tmp_path):
    path = settings(tmp_path, "env COREWISE_DIR=/some where", "env EMPTY=")
    done = run(BIND, path, "--", "bash", "-c", 'echo "$COREWISE_DIR|$EMPTY|$LD_PRELOAD"; exit 7')
    assert (done.returncode, done.stdout) == (7, "/some where||\n")


def test_places_and_memory_follow_each_rank_s_own_mask(mpi, two_cores, tmp_path):
    path = settings(tmp_path, "rank 0 1", "rank 1 0-1", "places cores", "memory domains")
    # The kernel's file about a process says where its pages may be.
    show = (
        'echo "$OMPI_COMM_WORLD_RANK$PMI_RANK $OMP_PLACES $OMP_PROC_BIND '
        "$(awk '{ print $2 }' /proc/self/numa_maps | sort -u)\""
    )
    done = run(mpi.mpirun, "-n", "2", BIND, path, "--", "bash", "-c", show + LASTING)
    if "memory was not bound" in done.stderr:
        pytest.skip(done.stderr.splitlines()[0])
    found = [line.rsplit(" ", 1) for line in sorted(done.stdout.splitlines())]
    assert [line for line, _ in found] == ["0 {1} close", "1 {0},{1} close"], done.stderr
    assert all(policy.startswith("bind") for _, policy in found)


def test_a_variable_of_one_rank_reaches_that_rank_alone(mpi, two_cores, tmp_path):
    path = settings(tmp_path, "rank-env 0 CW_OWN=a", "rank-env 1 CW_OWN=b=c")
    show = 'echo "$OMPI_COMM_WORLD_RANK$PMI_RANK $CW_OWN"'
    done = run(mpi.mpirun, "-n", "2", BIND, path, "--", "bash", "-c", show + LASTING)
    assert sorted(done.stdout.splitlines()) == ["0 a", "1 b=c"], done.stderr
