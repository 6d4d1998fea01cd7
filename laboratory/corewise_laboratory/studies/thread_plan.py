"""ThreadPlan: the places of the threads of a runtime's process, as the affinity library plans them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corewise.model import plan_threads
from corewise.plugin.documents import index_text, indices_of


@dataclass(frozen=True)
class PlannedThread:
    """A thread, with hardware threads by OS index; logical indices are None if it may use several objects."""

    role: str
    index: int
    os_pus: frozenset[int]
    core: int | None
    l3: int | None
    numa: int | None
    package: int | None


@dataclass(frozen=True)
class NetworkCard:
    """A network card, and the smallest object around it with CPUs (OS indices) of the process."""

    name: str
    near: str
    os_pus: frozenset[int]


@dataclass(frozen=True)
class ThreadPlan:
    """Threads ordered by role; `os_pus` (OS indices) and `n_cores` are those of the process's mask."""

    policy: str
    os_pus: frozenset[int]
    n_cores: int
    card: NetworkCard | None
    threads: list[PlannedThread]

    def role(self, name: str) -> list[PlannedThread]:
        """The threads of a role, in order."""
        return [thread for thread in self.threads if thread.role == name]


def thread_plan(policy: str, xml_path: Path, os_pus: frozenset[int] | None = None) -> ThreadPlan:
    """The plan for a process with the default numbers of threads, on a machine in hwloc XML.

    `os_pus` None means all CPUs. Raises InputError if the library refuses.
    """
    mask = "" if os_pus is None else f";mask={index_text(os_pus)}"
    return _from_json(json.loads(plan_threads(f"policy={policy}{mask}", str(xml_path))))


def _from_json(document: dict[str, Any]) -> ThreadPlan:
    near = document["near"]
    return ThreadPlan(
        policy=document["policy"],
        os_pus=indices_of(document["mask"]),
        n_cores=document["n_cores"],
        card=near and NetworkCard(document["device"], near["type"], indices_of(near["cpuset"])),
        threads=[
            PlannedThread(
                thread["role"],
                thread["index"],
                indices_of(thread["cpuset"]),
                *(thread[level] for level in ("core", "l3", "numa", "package")),
            )
            for thread in document["threads"]
        ],
    )
