"""cgroup-cpuset: a cgroup allows only some of the host's hardware threads."""

from __future__ import annotations

from collections.abc import Iterator

from corewise.checks.check import Check, Finding
from corewise.checks.corrected import hydra_example
from corewise.checks.situation import Situation
from corewise.text.quantities import index_text


def _look(situation: Situation) -> Iterator[Finding]:
    here = situation.here
    if here.allowed >= here.online:
        return
    yield Finding(
        found=f"the cgroup leaves hardware threads {index_text(here.allowed)} (os_index) of "
        f"{index_text(here.online)}",
        why="Open MPI counts cores inside the cgroup, and MPICH's and Slurm's lists are of os_index, so "
        "that the same number means another core; the kernel silently narrows masks that reach outside",
        do="name cores to Open MPI from 0 on, and hardware threads to the others as below",
        command=hydra_example(here.first_threads(here.allowed)),
    )


CHECK = Check(
    name="cgroup-cpuset",
    sentence="a container or batch system leaves some of the host's hardware threads alone",
    source="ompi#7157, ompi#9647; tried: in cpuset {1} sched_setaffinity({0,1}) succeeds and yields {1}",
    of_host=_look,
)
