"""Creates clusters of the lab, runs commands in them, and ends them."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import subprocess
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from corewise.clusters.folder import Record, clusters, end, lab_folder
from corewise.clusters.init_process import READY, STAY
from corewise.clusters.kind import ClusterSpec, Kind
from corewise.clusters.nodes import temporary_folder
from corewise.errors import InputError, MissingError
from corewise.interrupts import termination_raises
from corewise.machines.spec import RATE_VARIABLE

_ENDED_WITH_US = ("setpriv", "--pdeathsig", "TERM")
_ENTERED = ("--pid", "--net", "--uts", "--ipc", "--mount")
_INSIDE = 'cd "$1" && shift && exec "$@"'  # nsenter --mount changes the current folder


@dataclass(frozen=True)
class Lab:
    """A running cluster: its folder of files, and the record of its init process."""

    kind: Kind
    folder: Path
    record: Record

    def argv(self, command: list[str], directory: Path | None = None) -> list[str]:
        """The command line that runs a command in the cluster, in `directory` or else the current folder.

        The command gets SIGTERM when its parent process is killed.
        """
        user = ["--user", "--preserve-credentials"] if _needs_user_namespace() else []
        place = os.path.abspath(directory or "")
        enter = ["nsenter", "--target", str(self.record.init_pid), *user, *_ENTERED, "--"]
        return [*_ENDED_WITH_US, *enter, *_ENDED_WITH_US, "sh", "-c", _INSIDE, "sh", place, *command]

    def environment(self) -> dict[str, str]:
        """The variables with which a command's launcher finds the nodes."""
        own = {
            "COREWISE_LAB": str(self.folder),
            "COREWISE_LAB_HOSTS": ",".join(self.record.spec.hosts),
            "TMPDIR": str(temporary_folder(self.folder)),
        }
        rate = self.record.spec.rate_bits_per_s
        own |= {} if rate is None else {RATE_VARIABLE: f"{rate:.0f}"}
        assert self.kind.cluster is not None
        return own | self.kind.cluster.environment(self.folder, self.record.spec)


def up(kind: Kind, spec: ClusterSpec) -> Lab:
    """Creates a permanent cluster; raises InputError if one of this kind is running, and MissingError."""
    kind.check()
    with lab_folder() as folder:
        if found := clusters(folder).get(kind.name):
            raise InputError(
                f"{kind.name} is up already, with {found.spec.n_nodes} nodes; use it with `corewise lab run "
                f"{kind.name} -- COMMAND`, or end it with `corewise lab down {kind.name}`"
            )
        lab, init = _make(kind, spec, folder / kind.name)
        assert init.stdin is not None
        init.stdin.write(f"{STAY}\n")
        init.stdin.close()
    return lab


def found(kind: Kind) -> Lab | None:
    """The running cluster of this kind; None if there is none."""
    with lab_folder() as folder:
        record = clusters(folder).get(kind.name)
        return record if record is None else Lab(kind, folder / kind.name, record)


@contextmanager
def temporary(kind: Kind, spec: ClusterSpec) -> Iterator[Lab]:
    """A cluster that ends with the block or with this process. Raises MissingError."""
    kind.check()
    with termination_raises():
        with lab_folder() as folder:
            lab, init = _make(kind, spec, folder / f"{kind.name}-{secrets.token_hex(4)}")
        try:
            yield lab
        finally:
            assert init.stdin is not None
            init.stdin.close()
            end(lab.folder, lab.record)
            init.wait()


def down(kinds: Collection[str]) -> list[str]:
    """Ends the permanent clusters of these kinds; returns the kinds that were running."""
    with lab_folder() as folder:
        up_now = clusters(folder)
        ended = [kind for kind in up_now if kind in kinds]
        for kind in ended:
            end(folder / kind, up_now[kind])
    return ended


def _make(kind: Kind, spec: ClusterSpec, folder: Path) -> tuple[Lab, subprocess.Popen[Any]]:
    """Starts the init process and waits until it is ready. After an exception, nothing is left."""
    folder.mkdir(mode=0o700)
    init = None
    try:
        with open(folder / "log", "w") as log:
            init = subprocess.Popen(
                [*_new_namespaces(), *_init_command(kind, spec)],
                cwd=folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,
            )
        assert init.stdout is not None
        said = init.stdout.readline().strip()
        if said != READY:
            raise MissingError(_why_not(kind, said, folder / "log"))
        record = Record.of_init_process(kind.name, spec, _only_child(init.pid))
        record.write(folder)
        return Lab(kind, folder, record), init
    except BaseException:
        if init:
            init.kill()
            init.wait()
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _new_namespaces() -> list[str]:
    """The command that creates the namespaces. They end with their first process, which ends with unshare."""
    user = ["--user", "--map-root-user"] if _needs_user_namespace() else []
    return ["unshare", *user, *_ENTERED, "--fork", "--kill-child", "--mount-proc", "--"]


def _needs_user_namespace() -> bool:
    """Whether this process needs a user namespace, in which it is root, to create namespaces."""
    return os.geteuid() != 0


def _init_command(kind: Kind, spec: ClusterSpec) -> list[str]:
    assert kind.cluster is not None
    start = f"{kind.cluster.start.__module__}:{kind.cluster.start.__qualname__}"
    return [sys.executable, "-m", "corewise.clusters.init_process", start, json.dumps(asdict(spec))]


def _why_not(kind: Kind, said: str, log: Path) -> str:
    """The init process's error, or its last line of output."""
    words = said or (log.read_text(errors="replace").strip().splitlines() or ["it said nothing"])[-1]
    hint = (
        "" if os.geteuid() == 0 else "; it needs root, or user namespaces (sysctl user.max_user_namespaces)"
    )
    return f"{kind.name} could not be made here: {words}{hint}"


def _only_child(pid: int) -> int:
    """The child process of `unshare --fork`."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = path.read_bytes().rpartition(b")")[2].split()[1]
        except OSError:
            continue
        if int(parent) == pid:
            return int(path.parent.name)
    raise MissingError("the init process of the cluster ended at once; try again")
