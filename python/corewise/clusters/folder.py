"""The folder of all clusters of the lab, and the record of each cluster; removes dead clusters."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from corewise.clusters.kind import ClusterSpec
from corewise.errors import InputError, MissingError

_RECORD = "cluster.json"
_END_S = 10.0  # time limit for the kernel to end a cluster's processes


@dataclass(frozen=True)
class Record:
    """A cluster: its kind, and PID (outside the namespaces) and start time of its init process.

    The start time (clock ticks since boot) distinguishes the process from later ones with the same PID.
    """

    kind: str
    spec: ClusterSpec
    init_pid: int
    init_start: int

    @property
    def alive(self) -> bool:
        return _start_of(self.init_pid) == self.init_start

    def write(self, folder: Path) -> None:
        """Writes the record to the cluster's folder."""
        (folder / _RECORD).write_text(json.dumps(asdict(self)) + "\n")

    @classmethod
    def of_init_process(cls, kind: str, spec: ClusterSpec, init_pid: int) -> Record:
        """The record of a running init process."""
        return cls(kind, spec, init_pid, _start_of(init_pid) or 0)

    @classmethod
    def read(cls, folder: Path) -> Record | None:
        """The record in a cluster's folder; None if it is missing or incomplete."""
        try:
            values = json.loads((folder / _RECORD).read_text())
            return cls(**values | {"spec": ClusterSpec(**values["spec"])})
        except (OSError, ValueError, TypeError, KeyError):
            return None


@contextmanager
def lab_folder() -> Iterator[Path]:
    """The user's private folder of all clusters, locked for one command at a time.

    Removes dead clusters first. Raises InputError if the name is taken by something else.
    """
    folder = Path(tempfile.gettempdir()) / f"corewise-lab-{os.getuid()}"
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise InputError(
            f"{folder} is there and is no folder that only you can enter; remove it, or set TMPDIR to a "
            "folder of your own"
        )
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        _remove_dead(folder)
        yield folder


def clusters(folder: Path) -> dict[str, Record]:
    """The running clusters, by the name of their folder."""
    found = {path.name: Record.read(path) for path in sorted(folder.iterdir()) if path.is_dir()}
    return {name: record for name, record in found.items() if record is not None}


def end(folder: Path, record: Record) -> None:
    """Ends a cluster and removes its files.

    Kills the init process, after which the kernel ends all others. Raises MissingError if it doesn't end.
    """
    if record.alive:
        with suppress(ProcessLookupError):
            os.kill(record.init_pid, signal.SIGKILL)
    deadline = time.monotonic() + _END_S
    while record.alive:
        if time.monotonic() > deadline:
            raise MissingError(
                f"process {record.init_pid}, which keeps {folder}, could not be ended; try again"
            )
        time.sleep(0.01)
    shutil.rmtree(folder, ignore_errors=True)


def _remove_dead(folder: Path) -> None:
    """Removes the folders of clusters whose init process has ended."""
    for path in folder.iterdir():
        record = Record.read(path) if path.is_dir() else None
        if path.is_dir() and not (record and record.alive):
            shutil.rmtree(path, ignore_errors=True)


def _start_of(pid: int) -> int | None:
    """Start time of a process in ticks since boot; None if it isn't running (/proc/PID/stat, proc(5))."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return None
    return None if fields[0] in (b"Z", b"X") else int(fields[19])
