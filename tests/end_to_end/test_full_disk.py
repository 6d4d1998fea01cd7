"""A full disk, for standard output or for profiles: an error of one sentence, no traceback."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

COREWISE = str(Path(sys.executable).with_name("corewise"))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("words", [["topo", "--json"], ["map", "--list"]])
def test_a_full_disk_is_one_sentence(words):
    with open("/dev/full", "w") as full:
        done = subprocess.run([COREWISE, *words], stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert done.stderr == "corewise: No space left on device; expected room and permission to write\n"


RING = """
#include <mpi.h>
int main(int n, char** words) {
  int rank, size, sent = 1, got;
  MPI_Init(&n, &words);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Sendrecv(&sent, 1, MPI_INT, (rank + 1) % size, 0, &got, 1, MPI_INT, (rank + size - 1) % size, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return MPI_Finalize();
}
"""


@pytest.mark.skipif(shutil.which("mpicc.openmpi") is None, reason="no Open MPI here")
@pytest.mark.parametrize("size", ["8k", "24k", "48k"])
def test_a_trace_without_room_fails_and_leaves_no_profile_that_is_taken_for_one(size, tmp_path):
    """The limits leave no room for the header; for the records of all ranks; for all that they record."""
    (tmp_path / "ring.c").write_text(RING)
    subprocess.run(["mpicc.openmpi", "-o", "ring", "ring.c"], cwd=tmp_path, check=True)
    (tmp_path / "full").mkdir()
    launcher = "mpirun.openmpi --allow-run-as-root --oversubscribe -n 4"
    trace = f"{COREWISE} trace -o full/p -- {launcher} ./ring; echo $?; {COREWISE} show full/p; echo $?"
    script = f"mount -t tmpfs -o size={size} none full || exit 77; {trace}"
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=100
    )
    if done.returncode == 77 or "unshare" in done.stderr:
        pytest.skip("no file system may be mounted here")
    codes = [line for line in done.stdout.splitlines() if line.isdigit()]
    assert codes[0] == "1"
    told = ("is full", "record in full/p; what the ranks printed says why", "full/p had no room for")
    assert any(sentence in done.stderr for sentence in told)
    assert codes[1] == "2" or "incomplete" in done.stdout
