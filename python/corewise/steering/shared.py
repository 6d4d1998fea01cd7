"""The folder for shared memory of a steered job, which is cleaned up however the job ends."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from corewise.errors import CorewiseError
from corewise.start.application import Application
from corewise.start.folder import hidden_folder
from corewise.start.launching import printed_by
from corewise.start.this_node import is_this_host

SHARED_FOLDER = "/dev/shm"  # tmpfs, so that shared memory is never written to disk
PREFIX = "corewise-"  # of names in it
CLEAN_UP_S = 20.0  # Hydra waits forever for a host that can't be reached


@dataclass
class SharedFolder:
    """`path` is the same on every host.

    The caller sets `is_clean` if every rank reached MPI_Finalize, because the last rank on each host then
    removes the files."""

    path: str
    is_clean: bool = False


@contextmanager
def shared_folder(application: Application, job: str, directory: Path) -> Iterator[SharedFolder]:
    """A private folder in shared memory, removed at the end.

    If it can't be created, it is SHARED_FOLDER itself; ranks then also fail to share memory, continue without
    steering, and report it. On several hosts it is SHARED_FOLDER of each. At the end, the files of `job` are
    removed unless `is_clean`: on other hosts by a process that the launcher starts, with files in
    `directory`.
    """
    if len(application.hosts) > 1:
        shared = SharedFolder(SHARED_FOLDER)
        try:
            yield shared
        finally:
            if not shared.is_clean:
                _remove_files(application, f"corewise-{job}-*", directory)
        return
    with ExitStack() as stack:
        try:
            folder = str(stack.enter_context(hidden_folder(Path(SHARED_FOLDER), PREFIX)))
        except OSError:
            folder = SHARED_FOLDER
        yield SharedFolder(folder)


def _remove_files(application: Application, pattern: str, directory: Path) -> None:
    """Removes the job's files; ignores errors, because only a few MB would be left."""
    for path in Path(SHARED_FOLDER).glob(pattern):
        with suppress(OSError):
            path.unlink()
    if all(is_this_host(host) for host in application.host_names):
        return
    find = ["find", SHARED_FOLDER, "-maxdepth", "1", "-name", pattern, "-delete"]
    with suppress(CorewiseError, OSError):
        printed_by(application.plan_on_each_host(find, str(directory / "clean-up")), CLEAN_UP_S)
