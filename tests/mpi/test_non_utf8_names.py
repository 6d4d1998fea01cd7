"""Programs, arguments and folders with names that are not UTF-8: traced, run and tuned with both MPIs."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import mpi_jobs
import pytest
from corewise.nouns.tune_result import TuneResult

COREWISE = str(Path(sys.executable).with_name("corewise"))
NAME = "caf\udce9"  # "café" in Latin-1
SHOWN = r"caf\xe9"


@pytest.fixture
def command(family, compiled, tmp_path) -> list[str]:
    """A launch command in the folder NAME. The program and its argument have the same name."""
    (tmp_path / NAME).mkdir()
    shutil.copy(compiled(family, "reads_input.c"), tmp_path / NAME / NAME)
    flags = ["--oversubscribe"] if family == "openmpi" else []
    return [mpi_jobs.tool(family, "mpirun"), *flags, "-n", "2", f"./{NAME}", NAME]


def corewise(folder: Path, *words: str) -> dict:
    """The JSON document of a command that must succeed. All of its output must be UTF-8."""
    done = subprocess.run(
        [COREWISE, *words],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=110,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    done.stderr.decode()
    return json.loads(done.stdout.decode())


def test_such_a_program_is_tuned_and_the_result_is_valid(command, tmp_path):
    folder = tmp_path / NAME
    document = corewise(folder, "tune", "--json", "--repeats", "1", "-o", f"{NAME}.out", "--", *command)
    assert document["verified"] is True
    assert document["command"][-1] == SHOWN
    page = (folder / f"{NAME}.out/report.html").read_text(encoding="utf-8")
    assert f"$&#39;./{SHOWN}&#39;" in page  # bash syntax, to be copied into a shell
    assert TuneResult.read(folder / f"{NAME}.out").command[-2:] == [f"./{SHOWN}", SHOWN]
