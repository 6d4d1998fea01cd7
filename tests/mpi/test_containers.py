"""Ranks in containers: Charliecloud's ch-run starts them in their own namespaces."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import mpi_jobs
import pytest
from conftest import installed
from corewise.model import Profile

OF_HOST = ("/bin", "/etc", "/lib", "/lib64", "/usr")
FILES = ("group", "hosts", "nsswitch.conf", "passwd", "resolv.conf")  # files that ch-run replaces
N_RANKS = 2
_starts = count()


@dataclass(frozen=True)
class Container:
    """An image of empty folders.

    The host's programs and libraries are mounted in it, but no folder of corewise.
    """

    image: Path

    @classmethod
    def made_in(cls, folder: Path) -> Container:
        """Creates the image; skips the test if ch-run can't start a container here."""
        if shutil.which("ch-run") is None:
            pytest.skip("ch-run was not found (scripts/setup --test)")
        for name in (*OF_HOST, "/dev", "/home", "/proc", "/root", "/sys", "/tmp", str(mpi_jobs.NATIVE)):
            (folder / name[1:]).mkdir(parents=True)
        for name in FILES:
            (folder / "etc" / name).touch()
        made = cls(folder)
        tried = subprocess.run(
            [*made.command(n_ranks=1), "true"], env=ENVIRONMENT, capture_output=True, text=True, timeout=60
        )
        if tried.returncode != 0:
            pytest.skip(f"no container may be made here: {tried.stderr.strip()}")
        return made

    def command(self, *folders: Path, n_ranks: int = N_RANKS) -> list[str]:
        """All ranks join the namespaces of one container, because MPIs that use shared memory need that."""
        bound = [f"--bind={name}:{name}" for name in (*OF_HOST, *folders)]
        joined = [f"--join-ct={n_ranks}", f"--join-tag=corewise-{os.getpid()}-{next(_starts)}"]
        return ["ch-run", *joined, *bound, str(self.image), "--"]


ENVIRONMENT = {"USER": "root", **os.environ, **mpi_jobs.ENVIRONMENT}


def traced(mpi: str, container: list[str], program: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    launcher = [mpi_jobs.tool(mpi, "mpirun"), "-n", str(N_RANKS)]
    words = [sys.executable, "-m", "corewise", "trace", "-o", "profile", "--", *launcher]
    return subprocess.run(
        [*words, *container, str(program)],
        cwd=folder,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=100,
    )


@pytest.mark.parametrize("mpi", mpi_jobs.FAMILIES)
def test_ranks_in_containers_are_traced_if_they_see_the_library(mpi, compiled, tmp_path):
    installed(mpi)
    container = Container.made_in(tmp_path / "image")
    program = compiled(mpi, "ring.c")
    found = traced(mpi, container.command(mpi_jobs.NATIVE), program, tmp_path)
    assert found.returncode == 0, found.stderr
    assert Profile.read(str(tmp_path / "profile")).complete


def test_a_container_without_the_library_is_named_with_the_option_that_shows_it(compiled, tmp_path):
    installed("openmpi")
    container = Container.made_in(tmp_path / "image")
    found = traced("openmpi", container.command(), compiled("openmpi", "ring.c"), tmp_path)
    assert found.returncode == 1
    assert found.stderr.splitlines()[-1] == (
        "corewise: no rank of 'ch-run' reported: 'ch-run' starts a container, and its program is recorded "
        "only if the container has the preload library and the environment of the ranks; add to 'ch-run':  "
        f"--bind {mpi_jobs.NATIVE}:{mpi_jobs.NATIVE}"
    )
