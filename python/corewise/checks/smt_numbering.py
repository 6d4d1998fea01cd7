"""smt-numbering: different numbers are hardware threads of the same core."""

from __future__ import annotations

from collections.abc import Iterator

from corewise.checks.check import Check, Finding
from corewise.checks.corrected import hydra_example, own_cores
from corewise.checks.crowding import crowds
from corewise.checks.situation import AskedCommand, Situation
from corewise.text.quantities import index_text

_WHY = (
    "hardware threads of one core share its units, so that two ranks there are slower than on two cores; "
    "Open MPI counts cores, MPICH's and Slurm's lists and OMP_PLACES count hardware threads (os_index)"
)


def _look(situation: Situation, asked: AskedCommand) -> Iterator[Finding]:
    for crowd in crowds(situation):
        if not crowd.on_one_thread:
            yield Finding(
                found=f"{crowd.who}: they have different hardware threads of it",
                why=_WHY,
                do="let the launcher count cores",
                command=own_cores(asked),
            )


def _without_command(situation: Situation) -> Iterator[Finding]:
    here = situation.here
    shared = [core for core in here.cores if len(set(core) & here.affinity) > 1]
    if not shared:
        return
    yield Finding(
        found=f"{len(shared)} of {len(here.cores)} cores have several hardware threads: "
        f"{index_text(shared[0])} (os_index) are one core",
        why=_WHY,
        do="name one hardware thread of each core, as below, or let the launcher count cores",
        command=hydra_example(here.first_threads(here.affinity)),
    )


CHECK = Check(
    name="smt-numbering",
    sentence="numbers that look like cores are hardware threads of one core",
    source="hwloc#610, ompi#13143",
    of_command=_look,
    of_host=_without_command,
)
