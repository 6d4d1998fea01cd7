"""The folder that ranks of a steered job share memory in, and its clean-up however the job ends."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from corewise.errors import CorewiseError
from corewise.execute.application import Application
from corewise.execute.in_use import hidden_folder
from corewise.execute.start import printed_by
from corewise.execute.this_node import is_this_host

SHARED_FOLDER = "/dev/shm"  # tmpfs: what ranks share is never written to a disk
PREFIX = "corewise-"  # of names in there
CLEAN_UP_S = 20.0  # Hydra waits for ever for a host that can't be reached


@dataclass
class SharedFolder:
    """`path` is the same on every host. `is_clean` is set by whoever knows that every rank reached
    MPI_Finalize, for the last one on a host removes what was shared there."""

    path: str
    is_clean: bool = False


@contextmanager
def shared_folder(application: Application, job: str, directory: Path) -> Iterator[SharedFolder]:
    """A private folder in shared memory, removed at the end; SHARED_FOLDER itself where none can be made:
    then the ranks find that out too, continue unsteered, and say so.

    On several hosts it is SHARED_FOLDER of each, and at the end the files of `job` are removed, unless the
    folder is_clean: on other hosts by a process that the launcher starts, with files in `directory`.
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
    """The job has ended, and nothing here changes how: what fails is a few MB that stay."""
    for path in Path(SHARED_FOLDER).glob(pattern):
        with suppress(OSError):
            path.unlink()
    if all(is_this_host(host) for host in application.host_names):
        return
    find = ["find", SHARED_FOLDER, "-maxdepth", "1", "-name", pattern, "-delete"]
    with suppress(CorewiseError, OSError):
        printed_by(application.plan_on_each_host(find, str(directory / "clean-up")), CLEAN_UP_S)
