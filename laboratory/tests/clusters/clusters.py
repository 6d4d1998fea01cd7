"""`corewise lab` for tests: in a separate folder; skipped if this machine can't create a cluster."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

COREWISE = str(Path(sys.executable).with_name("corewise"))
TIMEOUT_S = 100

# For programs of Open MPI 4 under srun that send messages over TCP. 5 to 9 of 40 such jobs hung (4.1.4,
# without corewise), and none of 300 under mpirun. LabFolder.lab() repeats a job that was ended by LIMIT.
LIMIT = ("timeout", "15")
LIMIT_REACHED = 124
TRIES = 10


@dataclass(frozen=True)
class LabFolder:
    """A folder for the temporary files of all commands of a test.

    Its path is short, because it contains sockets.
    """

    path: Path

    @property
    def clusters(self) -> list[str]:
        """The clusters that are left in the folder."""
        own = self.path / f"corewise-lab-{os.getuid()}"
        return sorted(entry.name for entry in own.iterdir() if entry.is_dir()) if own.exists() else []

    def processes(self) -> list[str]:
        """The command lines of processes that name the folder or work in it."""
        found = []
        for path in Path("/proc").glob("[0-9]*"):
            try:
                words = (path / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                place = os.readlink(path / "cwd")
                state = (path / "stat").read_bytes().rpartition(b")")[2].split()[0]
            except OSError:
                continue
            if state != b"Z" and (str(self.path) in words or place.startswith(str(self.path))):
                found.append(words)
        return found

    def start(self, *words: str) -> subprocess.Popen:
        """Starts `corewise lab WORDS` and doesn't wait for it."""
        return subprocess.Popen(
            [COREWISE, "lab", *words],
            env=os.environ | {"TMPDIR": str(self.path)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def lab(
        self,
        *words: str,
        expect: int = 0,
        tries: int = 1,
        leaves: Path | None = None,
        timeout_s: float = TIMEOUT_S,
    ) -> subprocess.CompletedProcess:
        """Runs `corewise lab WORDS`. Skips the test if the command reports that something is missing here.

        A command that ends with LIMIT is started up to `tries` times. Each time the folder `leaves` is
        removed first.
        """
        for _ in range(tries):
            if leaves is not None:
                shutil.rmtree(leaves, ignore_errors=True)
            started = self.start(*words)
            try:
                output, errors = started.communicate(timeout=timeout_s)
            finally:
                started.kill()
            if started.returncode != LIMIT_REACHED:
                break
        if started.returncode == 3 and expect != 3:
            pytest.skip(errors.strip())
        assert started.returncode == expect, errors
        return subprocess.CompletedProcess(words, started.returncode, output, errors)


@contextmanager
def temporary_lab_folder() -> Iterator[LabFolder]:
    """A new folder. Clusters that still run in it at the end are ended."""
    folder = LabFolder(Path(tempfile.mkdtemp(prefix="cwlab-")))
    try:
        yield folder
    finally:
        folder.start("down").communicate(timeout=TIMEOUT_S)
        shutil.rmtree(folder.path, ignore_errors=True)


def hosts(output: str) -> list[str]:
    """The host that each rank printed, in the order of ranks."""
    found = {int(rank): host for rank, host in re.findall(r"rank (\d+) on (\S+)", output)}
    assert sorted(found) == list(range(len(found)))
    return [found[rank] for rank in sorted(found)]
