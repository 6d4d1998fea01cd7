"""The comparison of a test suite, on a small suite of our own: programs that behave differently are found."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import installed
from mpis_here import ROOT

pytestmark = pytest.mark.thorough

# Each prints a line on rank 0. `notices` detects corewise's library; `flaky` behaves differently at its
# second start.
PROGRAMS = {
    "calm": 'puts("calm");',
    "fails": "return 3;",
    "flaky": """
      FILE* file = fopen(getenv("STARTS"), "a+");
      fprintf(file, "x");
      puts(ftell(file) == 2 ? "strange" : "calm");
      fclose(file);""",
    "notices": """
      char line[4096];
      int seen = 0;
      FILE* maps = fopen("/proc/self/maps", "r");
      while (fgets(line, sizeof line, maps) != NULL) seen |= strstr(line, "corewise") != NULL;
      puts(seen ? "observed" : "alone");""",
}
FRAME = """
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Finalize();
  if (rank == 0) { %s }
  return 0;
}
"""


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("STARTS", str(tmp_path / "starts"))
    suite = tmp_path / "own"
    suite.mkdir()
    for name, body in PROGRAMS.items():
        (suite / f"{name}.c").write_text(FRAME % body)
    (suite / "broken.c").write_text(FRAME % "nothing of C")
    return suite


def compared(folder: Path, name: str, mode: str) -> dict:
    """The document of a comparison."""
    installed(name)
    argv = [sys.executable, "-m", "suites", str(folder), "--mpi", name, "--modes", mode]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "tests")}
    work = ["--work", str(folder.parent / "work")]
    done = subprocess.run([*argv, *work], env=environment, capture_output=True, text=True, timeout=110)
    found = json.loads(done.stdout)
    assert done.returncode == any(row["verdict"] == "different" for row in found["differences"]), done.stderr
    return found


@pytest.mark.parametrize(("name", "mode"), [("openmpi", "count"), ("mpich", "verify")])
def test_a_program_that_behaves_differently_is_found_and_a_flaky_one_told_apart(folder, name, mode):
    found = compared(folder, name, mode)
    assert found["counts"] == {
        f"own {name} {mode}": {"same": 1, "fails alike": 1, "flaky": 1, "different": 1, "not built": 1}
    }
    verdicts = {one["program"]: (one["verdict"], one["differed"]) for one in found["differences"]}
    assert verdicts == {"flaky.c 2": ("flaky", 1), "notices.c 2": ("different", 4)}
