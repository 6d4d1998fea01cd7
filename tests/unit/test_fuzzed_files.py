"""Damaged files of every format end in a sentence: no traceback, no crash, never 10 s or 2 GB.

CW_FUZZ_FILES=500 makes so many of each format; without it a few are made, always the same ones.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from fuzz_cases import FORMATS, damaged

N_FILES = int(os.environ.get("CW_FUZZ_FILES", "25"))
HERE = Path(__file__).parent

# One thread of linear algebra: each reserves address space, which is limited here.
QUIET = {
    "OPENBLAS_NUM_THREADS": "1",
    "PYTHONPATH": os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")]),
}


@pytest.mark.parametrize("form", FORMATS)
def test_no_damaged_file_is_more_than_a_sentence(form, tmp_path):
    driver = [sys.executable, str(HERE / "fuzz_drive.py"), form, "0", str(N_FILES), str(tmp_path)]
    ended = subprocess.run(
        driver, env=os.environ | QUIET, capture_output=True, text=True, timeout=60 + 10 * N_FILES, check=False
    )
    lines = [json.loads(line) for line in ended.stdout.splitlines()]
    reads = [line["reads"] for line in lines if "reads" in line]
    assert ended.returncode == 0, f"{form} {reads[-1:]}: {ended.stderr[-2000:]}"
    assert reads == list(range(N_FILES))
    assert [line for line in lines if "problem" in line] == []


def test_the_same_number_is_the_same_file_and_most_files_differ():
    for form in FORMATS:
        assert damaged(form, 3) == damaged(form, 3)
        assert len({damaged(form, number) for number in range(20)}) > 10
