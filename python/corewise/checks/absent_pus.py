"""absent-pus: a list names hardware threads that nobody may use here."""

from __future__ import annotations

from corewise.checks.check import Check, Finding
from corewise.checks.corrected import on_threads, own_cores
from corewise.checks.number_lists import NumberList, number_lists
from corewise.checks.situation import Situation
from corewise.execute.host_cpus import HostCpus
from corewise.text.quantities import index_text


def _look(situation: Situation) -> list[Finding]:
    if situation.asked is None:
        return []
    lists = number_lists(situation.asked)
    return [
        _finding(situation, host, names)
        for host in (situation.nodes or [situation.here])[:1]
        for names in lists
        if names.os_pus - host.allowed
    ]


def _finding(situation: Situation, host: HostCpus, names: NumberList) -> Finding:
    absent = names.os_pus - host.allowed
    kind = (
        "offline" if absent & host.offline else "outside the cpuset" if absent & host.online else "not there"
    )
    usable = host.first_threads(host.allowed)
    n_ranks = situation.most_on_a_node
    if n_ranks <= len(usable):
        command = on_threads(situation.asked, host, usable[:n_ranks])
    else:
        command = own_cores(situation.asked)
    return Finding(
        found=f"'{names.typed}' names hardware threads {index_text(absent)} (os_index), which are {kind} on "
        f"{host.host} ({index_text(host.allowed)} may be used)",
        why="MPICH 4 starts the rank all the same, on every hardware thread there is; in a cpuset the kernel "
        "narrows the mask to what is left, silently",
        do="count only hardware threads that may be used; Open MPI's numbers, in contrast, count them from 0",
        command=command,
    )


CHECK = Check(
    name="absent-pus",
    sentence="a list names hardware threads outside the cpuset, offline ones or none at all",
    source="tried: Hydra 4.0.2 with user:0,5 on two cores bound rank 1 to 0-1; ompi#9647",
    look=_look,
)
