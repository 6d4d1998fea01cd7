"""Every file of examples/ runs and prints something. Exit code 3 means that a requirement is missing.

CTest runs the compiled examples in the subfolders.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
MPI_PROGRAM = """
command -v mpicc mpirun >/dev/null || { echo "mpicc or mpirun is not installed" >&2; exit 3; }
mpicc -O2 -o program "$0" && mpirun -n 2 ./program
"""
NOTEBOOK = """
import json, sys
for cell in json.load(open(sys.argv[1]))["cells"]:
    if cell["cell_type"] == "code":
        exec("".join(cell["source"]))
"""
STARTED_BY = {
    ".c": ["bash", "-c", MPI_PROGRAM],
    ".in": ["lmp", "-log", "none", "-in"],
    ".ipynb": [sys.executable, "-c", NOTEBOOK],
    ".py": [sys.executable],
    ".sh": ["bash"],
    ".toml": [str(Path(sys.executable).with_name("corewise")), "sweep"],
}
ROOT_MAY_START = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}  # Open MPI


@pytest.mark.parametrize("path", sorted(filter(Path.is_file, EXAMPLES.iterdir())), ids=lambda path: path.name)
def test_the_example_runs(path, tmp_path):
    command = [*STARTED_BY[path.suffix], str(path)]
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    search_path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=100,
        cwd=tmp_path,
        env=os.environ | {"PATH": search_path} | ROOT_MAY_START,
    )
    if done.returncode == 3:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
