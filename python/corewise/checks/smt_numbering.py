"""smt-numbering: two numbers of hardware threads are one core."""

from __future__ import annotations

from corewise.checks.check import Check, Finding
from corewise.checks.corrected import own_cores
from corewise.checks.crowding import crowds
from corewise.checks.situation import Situation
from corewise.execute.host_cpus import HostCpus
from corewise.text.quantities import index_text

_WHY = (
    "hardware threads of one core share its units, so that two ranks there are slower than on two cores; "
    "Open MPI counts cores, MPICH's and Slurm's lists and OMP_PLACES count hardware threads (os_index)"
)


def _look(situation: Situation) -> list[Finding]:
    if situation.asked is None:
        return _without_command(situation.here)
    return [
        Finding(
            found=f"{crowd.who}: they have different hardware threads of it",
            why=_WHY,
            do="let the launcher count cores",
            command=own_cores(situation.asked),
        )
        for crowd in crowds(situation)
        if not crowd.on_one_thread
    ]


def _without_command(here: HostCpus) -> list[Finding]:
    shared = [core for core in here.cores if len(set(core) & here.affinity) > 1]
    if not shared:
        return []
    first = here.first_threads(here.affinity)
    return [
        Finding(
            found=f"{len(shared)} of {len(here.cores)} cores have several hardware threads: "
            f"{index_text(shared[0])} (os_index) are one core",
            why=_WHY,
            do="name one hardware thread of each core, as below, or let the launcher count cores",
            command=f"mpiexec -n {len(first)} -bind-to user:{','.join(map(str, first))} APP",
        )
    ]


CHECK = Check(
    name="smt-numbering",
    sentence="numbers that look like cores are hardware threads of one core",
    source="hwloc#610, ompi#13143",
    look=_look,
)
