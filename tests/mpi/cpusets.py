"""Cgroups with cpusets, for tests of processes that may use some hardware threads only."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def cpuset_mount() -> Path | None:
    """The folder where cgroups with cpusets can be created, version 1 or 2. None if that isn't allowed."""
    for mount, name in (
        (Path("/sys/fs/cgroup/cpuset"), "cpuset.cpus"),
        (Path("/sys/fs/cgroup"), "cgroup.procs"),
    ):
        is_version2 = name == "cgroup.procs" and "cpuset" in _text(mount / "cgroup.subtree_control").split()
        if os.access(mount, os.W_OK) and (mount / name).exists() and (is_version2 or name != "cgroup.procs"):
            return mount
    return None


def _text(path: Path) -> str:
    return path.read_text() if path.exists() else ""


@contextmanager
def made_cpuset(cpuset: frozenset[int]) -> Iterator[Path]:
    """Creates a cgroup with these hardware threads, and removes it afterwards."""
    mount = cpuset_mount()
    folder = Path(tempfile.mkdtemp(prefix="corewise-test-", dir=mount))
    try:
        memory = _text(mount / "cpuset.mems") or _text(mount / "cpuset.mems.effective")
        (folder / "cpuset.mems").write_text(memory)
        (folder / "cpuset.cpus").write_text(",".join(map(str, sorted(cpuset))))
        yield folder
    finally:
        _remove(folder)


def _remove(folder: Path) -> None:
    """A cgroup can be removed only after its last process: a launcher's helper may run a little longer."""
    for _ in range(100):
        try:
            return folder.rmdir()
        except OSError:
            time.sleep(0.1)
    raise AssertionError(f"{folder}: processes {_text(folder / 'cgroup.procs')} were left behind")


def entering(cgroup: Path) -> list[str]:
    """The words that run a command inside a cgroup."""
    return ["sh", "-c", f'echo $$ >{cgroup}/cgroup.procs && exec "$@"', "sh"]
