"""absent-pus: a list contains hardware threads that can't be used on this host."""

from __future__ import annotations

import re

from corewise.checks.check import Check, Finding
from corewise.checks.corrected import on_threads, own_cores, rebuilt
from corewise.checks.number_lists import number_lists
from corewise.checks.situation import AskedCommand, Situation
from corewise.launchers.binding import CoreList, entry_of_mask
from corewise.observe.host_cpus import HostCpus
from corewise.text.quantities import index_text

# What happens to a number that can't be used (tried), unless the launcher's Binding says something else.
_WHY = "the kernel narrows the mask to what is left, silently, or the wrapper ends with an error"


def _look(situation: Situation, asked: AskedCommand) -> list[Finding]:
    host = (situation.nodes or [situation.here])[0]
    usable = host.allowed
    in_step = asked.application.launcher.binding.usable_mask
    if in_step and (step := re.search(in_step, asked.printed)):
        usable &= entry_of_mask(step[1])
    lists = number_lists(asked)
    return [_finding(situation, asked, host, usable, names) for names in lists if names.indices - usable]


def _finding(
    situation: Situation, asked: AskedCommand, host: HostCpus, usable: frozenset[int], names: CoreList
) -> Finding:
    absent = names.indices - usable
    kind = (
        "outside the job's step"
        if absent <= host.allowed
        else "offline"
        if absent & host.offline
        else "outside the cpuset"
        if absent & host.online
        else "not there"
    )
    first = host.first_threads(usable)
    n_ranks = situation.most_on_a_node
    fits = n_ranks <= len(first)
    return Finding(
        found=f"'{names.typed}' names hardware threads {index_text(absent)} (os_index), which are {kind} on "
        f"{host.host} ({index_text(usable)} may be used)",
        why=(names.counts_ranks and asked.application.launcher.binding.absent_pus) or _WHY,
        do="count only hardware threads that may be used; Open MPI's numbers, in contrast, count them from 0",
        command=on_threads(asked, host, first[:n_ranks], names.kind) if fits else own_cores(asked),
        otherwise=(rebuilt(asked),),
    )


CHECK = Check(
    name="absent-pus",
    sentence="a list names hardware threads outside the cpuset, offline ones or none at all",
    source="tried: Hydra 4.0.2 with user:0,5 on two cores bound rank 1 to 0-1; ompi#9647",
    of_command=_look,
    explains=frozenset({"cores-not-given", "launcher-refuses"}),
)
