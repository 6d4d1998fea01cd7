"""Threads: bound by number, together on one core, or more than there are hardware threads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from corewise.checks.corrected import as_typed, bound_to_cores, own_cores, with_ranks, without_variables
from corewise.checks.situation import AskedCommand, AskedProgram, Finding, Situation, StartedRank, ranks_text
from corewise.launchers.openmp import fixed_thread_bindings
from corewise.observe.host_cpus import HostCpus
from corewise.text.quantities import counted

_ABSTRACT = ("OMP_PLACES=cores", "OMP_PROC_BIND=close")
_RANKS_WAIT = (
    "MPI waits for messages without a pause, so that a rank that waits holds up the one that it waits for"
)
_THREADS_WAIT = "threads on one hardware thread take turns, and a barrier among them waits for time slices"


def fixed_threads(situation: Situation, asked: AskedCommand | None = None) -> Iterator[Finding]:
    """A variable binds the threads of every rank to the same numbered hardware threads."""
    found = {
        name: f"{name}={environment[name]}"
        for environment in situation.environments
        for name in fixed_thread_bindings(environment)
    }
    if not found or (asked and situation.most_on_a_node < 2):
        return
    names, typed = list(found), ", ".join(found.values())
    yield Finding(
        found=f"{typed} names hardware threads by number (os_index)",
        why="every rank of a host gets the same ones, whatever the launcher binds it to, so that threads of "
        "several ranks share cores",
        do="name places that stay inside a rank's mask",
        command=_with_places(asked, names),
        otherwise=_with_cores_and_places(situation, asked, names),
    )


def _with_places(asked: AskedCommand | None, names: list[str]) -> str:
    if asked is None:
        return f"unset {' '.join(names)}; export {' '.join(_ABSTRACT)}"
    return without_variables(asked, names, _ABSTRACT)


def _with_cores_and_places(
    situation: Situation, asked: AskedCommand | None, names: list[str]
) -> tuple[str, ...]:
    """The corrected command with separate cores per rank, because equal masks would give equal places."""
    if asked is None:
        return ()
    room = len(situation.here.cores_of(situation.here.affinity)) // situation.most_on_a_node
    n_cores = min(max(program.n_threads for program in asked.programs), room) or 1
    bound = bound_to_cores(asked, n_cores)
    return (without_variables(bound, names, _ABSTRACT),) if bound else ()


def one_core_for_threads(situation: Situation, asked: AskedCommand) -> Iterator[Finding]:
    """The threads of a rank share a core, although there is a core for each."""
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
    return _short_of_cores(asked, host, short, n_cores, who, do) if short else None


def _short_of_cores(
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


def oversubscription(situation: Situation, asked: AskedCommand) -> Iterator[Finding]:
    """More threads run on a host than it has hardware threads."""
    if asked.application.oversubscribes:
        return  # on purpose
    if asked.application.launcher.allocated_by and asked.exit_code and not asked.seen:
        return  # Slurm refuses such a step: too-few-slots
    n_pus = min(len(host.affinity) for host in situation.nodes or [situation.here])
    loads = _loads(situation, asked)
    threads = max(loads, key=sum)
    n_ranks = len(threads)
    if sum(threads) <= n_pus:
        return
    if max(threads) == 1:
        each = ""
    elif min(threads) == max(threads):
        each = f", each with {threads[0]} threads (OMP_NUM_THREADS),"
    else:
        each = f" with {sum(threads)} threads in all (OMP_NUM_THREADS)"
    yield Finding(
        found=f"{counted(n_ranks, 'rank')}{each} on a host where "
        f"{counted(n_pus, 'hardware thread')} may be used",
        why=_RANKS_WAIT if n_ranks > n_pus else _THREADS_WAIT,
        do="start no more than there are hardware threads",
        command=_with_fewer(situation, asked, n_ranks, n_pus, threads[0])
        if min(threads) == max(threads)
        else None,
    )


def _loads(situation: Situation, asked: AskedCommand) -> list[list[int]]:
    """[node] the threads of each of its ranks; if no rank was seen, of the node with most ranks."""
    if not situation.seen:
        return [[max(program.n_threads for program in asked.programs)] * situation.most_on_a_node]
    return [
        [asked.program_of(rank.rank).n_threads for rank in situation.seen_on(node)]
        for node in range(len(situation.nodes))
    ]


def _with_fewer(
    situation: Situation, asked: AskedCommand, n_ranks: int, n_pus: int, n_threads: int
) -> str | None:
    """The command with fewer ranks if these alone are too many, and with threads and cores that fit."""
    n_left = n_ranks if n_ranks <= n_pus else max(n_pus // n_threads, 1)
    changed = asked if n_left == n_ranks else with_ranks(asked, n_left * len(asked.application.hosts))
    if changed is None or n_threads == 1:
        return as_typed(changed) if changed else None
    n_kept = min(n_threads, n_pus // n_left)
    n_cores = min(len(host.cores_of(host.affinity)) for host in situation.nodes or [situation.here]) // n_left
    if n_cores:  # else ranks share cores, but not hardware threads
        changed = bound_to_cores(changed, min(n_kept, n_cores)) or changed
    if n_kept == n_threads:
        return as_typed(changed)
    return without_variables(changed, ["OMP_NUM_THREADS"], [f"OMP_NUM_THREADS={n_kept}"])
