"""Ranks with fewer cores than their command asks for, or with other cores than their list has."""

from __future__ import annotations

from collections.abc import Iterator

from corewise.checks.corrected import by_rankfile, own_cores
from corewise.checks.lists import launcher_lists
from corewise.checks.situation import AskedCommand, Finding, Situation, StartedRank, ranks_text
from corewise.launchers.binding import CoreCount, CoreList
from corewise.observe.host_cpus import HostCpus
from corewise.text.quantities import counted, index_text

MOST_LINES = 16  # in a rankfile of a corrected command


def cores_not_given(situation: Situation, asked: AskedCommand) -> list[Finding]:
    """A rank has fewer cores than its command asks for, or other cores than its list names."""
    if not situation.seen:
        return []
    return [*_too_few(situation, asked)][:1] or [*_others(situation, asked)][:1]


def _given(wanted: CoreCount, host: HostCpus, rank: StartedRank) -> int:
    """How many of the wanted cores or hardware threads the rank has."""
    return len(rank.os_pus if wanted.of_threads else host.cores_of(rank.os_pus))


def cores_asked(asked: AskedCommand) -> int | None:
    """The most cores per rank that options or variables of a program ask for; None without any."""
    counts = [_asked_for(asked, number) for number in range(len(asked.programs))]
    return max((count.n for count in counts if count), default=None)


def _asked_for(asked: AskedCommand, number: int) -> CoreCount | None:
    """The cores that options or variables ask for each rank of a program."""
    application = asked.application
    read, around = application.launcher.binding.read_cores, asked.programs[number].environment
    return read(application.command, number, around, asked.read_parameters)


def _too_few(situation: Situation, asked: AskedCommand) -> Iterator[Finding]:
    for number in range(len(asked.programs)):
        wanted = _asked_for(asked, number)
        if wanted is None:
            continue
        for node, host in enumerate(situation.nodes):
            ranks = [one for one in situation.seen_on(node) if _runs(asked, number, one)]
            short = [one for one in ranks if _given(wanted, host, one) < wanted.n]
            if short:
                has = _given(wanted, host, short[0])
                what = "hardware thread" if wanted.of_threads else "core"
                yield Finding(
                    found=f"'{wanted.typed}' asks for {counted(wanted.n, what)} a rank, and "
                    f"{ranks_text(short)} {'have' if len(short) > 1 else 'has'} {has} on {host.host}",
                    why="another option or the launcher's default decides, and leaves a rank fewer: its "
                    "threads share what it has",
                    do="bind each rank to that many cores",
                    command=own_cores(asked, wanted.n),
                )


def _runs(asked: AskedCommand, number: int, rank: StartedRank) -> bool:
    return asked.program_of(rank.rank) is asked.programs[number]


def _others(situation: Situation, asked: AskedCommand) -> Iterator[Finding]:
    for names in launcher_lists(asked):
        for node, host in enumerate(situation.nodes):
            usable = [core for core in host.cores if host.allowed & set(core)]
            for local_rank, rank in enumerate(situation.seen_on(node)):
                if not _holds_for(asked, names, rank):
                    continue
                wanted = names.wanted(local_rank)
                if names.of_threads:
                    seen = rank.os_pus
                else:
                    seen = frozenset(i for i, core in enumerate(usable) if rank.os_pus & set(core))
                if not seen <= wanted:
                    yield _other(asked, situation, names, rank, seen)


def _holds_for(asked: AskedCommand, names: CoreList, rank: StartedRank) -> bool:
    return names.program is None or _runs(asked, names.program, rank)


def _other(
    asked: AskedCommand, situation: Situation, names: CoreList, rank: StartedRank, seen: frozenset[int]
) -> Finding:
    what = "hardware threads" if names.of_threads else "cores"
    kind = "os_index" if names.of_threads else "logical"
    host = situation.nodes[rank.node].host
    by_mpirun = bool(asked.application.launcher.binding.rankfile)
    lines = (
        _rankfile(asked, situation) if by_mpirun and (names.counts_ranks or len(asked.programs) > 1) else ()
    )
    return Finding(
        found=f"'{names.typed}' names {what} for rank {rank.rank} that it doesn't have: it runs on "
        f"{index_text(seen)} ({kind}) of {host}",
        why="mpirun takes one list for the whole job, whatever program it is before, and deals its cores "
        "out in its own order"
        if by_mpirun
        else "another option, a variable or the batch system's settings bind the ranks, and the list doesn't",
        do=f"write the list as a rankfile: {lines[0]}, and so on"
        if lines
        else "name each rank's cores in a placement: `corewise run --placement` binds and verifies them",
        command=by_rankfile(asked) if 0 < len(lines) <= MOST_LINES else None,
        rankfile=lines,
    )


def _rankfile(asked: AskedCommand, situation: Situation) -> tuple[str, ...]:
    """The lines of a rankfile with the meaning of the lists."""
    lines = []
    locals_seen: dict[int, int] = {}
    for rank in situation.seen:
        local = locals_seen[rank.node] = locals_seen.get(rank.node, -1) + 1
        for names in launcher_lists(asked):
            if _holds_for(asked, names, rank):
                host = situation.nodes[rank.node].host
                lines.append(f"rank {rank.rank}={host} slot={index_text(names.wanted(local))}")
                break
    return tuple(lines)
