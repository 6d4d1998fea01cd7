"""one-core-for-threads: the threads of a rank share a core, although there is a core for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from corewise.checks.check import Check, Finding
from corewise.checks.corrected import own_cores
from corewise.checks.situation import AskedCommand, AskedProgram, Situation, StartedRank, ranks_text
from corewise.observe.host_cpus import HostCpus


def _look(situation: Situation, asked: AskedCommand) -> Iterator[Finding]:
    for node, host in enumerate(situation.nodes):
        ranks = situation.seen_on(node)
        room = len(host.cores_of(host.affinity)) // len(ranks) if ranks else 0
        for program in asked.programs:
            own = [rank for rank in ranks if asked.program_of(rank.rank) is program]
            if finding := _of_program(asked, program, host, own, room):
                yield finding
                return


def _of_program(
    asked: AskedCommand, program: AskedProgram, host: HostCpus, ranks: Sequence[StartedRank], room: int
) -> Finding | None:
    """The trap in one program on one host; `room` is the number of cores that the host has per rank."""
    n_cores, do = min(program.n_threads, room), "bind each rank to a core for each thread"
    who = f"OMP_NUM_THREADS asks for {program.n_threads} threads"
    short = [rank for rank in ranks if len(host.cores_of(rank.os_pus)) < n_cores]
    if not short and program.file.threads is not None and room > 1:
        n_cores, who = room, f"'{program.name}' starts threads ({program.file.threads})"
        short = [rank for rank in ranks if len(host.cores_of(rank.os_pus)) == 1]
        do = (
            "bind each rank to a core for each thread that computes; one that waits or writes needs none. "
            "check does not start the program: `corewise tune` counts them by their CPU time"
        )
    return _finding(asked, host, short, n_cores, who, do) if short else None


def _finding(
    asked: AskedCommand, host: HostCpus, short: Sequence[StartedRank], n_cores: int, who: str, do: str
) -> Finding:
    has = len(host.cores_of(short[0].os_pus))
    return Finding(
        found=f"{who}, and {ranks_text(short)} {'are' if len(short) > 1 else 'is'} bound to {has} of "
        f"{len(host.cores)} cores of {host.host}",
        why="threads on one core take turns, and a barrier among them waits for time slices",
        do=do,
        command=own_cores(asked, n_cores),
    )


CHECK = Check(
    name="one-core-for-threads",
    sentence="all threads of a rank are bound to its one core",
    source="ompi#12967, ompi#7806, ompi#13009",
    of_command=_look,
)
