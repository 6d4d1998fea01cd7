"""Starts the program that reads damaged files in a separate process, and evaluates its output."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

N_FILES = int(os.environ.get("CW_FUZZ_FILES", "25"))
HERE = Path(__file__).parent

# One thread for linear algebra: each thread reserves address space, which is limited here.
QUIET = {
    "OPENBLAS_NUM_THREADS": "1",
    "PYTHONPATH": os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")]),
}


def assert_only_sentences(driver: Path, form: str, folder: Path) -> None:
    """Fails if a damaged file causes more than an error of one sentence.

    `driver` is fuzz_drive.py, or a program that extends it.
    """
    words = [sys.executable, str(driver), form, "0", str(N_FILES), str(folder)]
    ended = subprocess.run(
        words, env=os.environ | QUIET, capture_output=True, text=True, timeout=60 + 10 * N_FILES, check=False
    )
    lines = [json.loads(line) for line in ended.stdout.splitlines()]
    reads = [line["reads"] for line in lines if "reads" in line]
    assert ended.returncode == 0, f"{form} {reads[-1:]}: {ended.stderr[-2000:]}"
    assert reads == list(range(N_FILES))
    assert [line for line in lines if "problem" in line] == []
