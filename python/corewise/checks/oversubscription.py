"""oversubscription: more threads run on a host than it has hardware threads."""

from __future__ import annotations

from collections.abc import Iterator

from corewise.checks.check import Check, Finding
from corewise.checks.corrected import as_typed, bound_to_cores, with_ranks, without_variables
from corewise.checks.situation import AskedCommand, Situation
from corewise.text.quantities import counted

_RANKS_WAIT = (
    "MPI waits for messages without a pause, so that a rank that waits holds up the one that it waits for"
)
_THREADS_WAIT = "threads on one hardware thread take turns, and a barrier among them waits for time slices"


def _look(situation: Situation, asked: AskedCommand) -> Iterator[Finding]:
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
        command=_corrected(situation, asked, n_ranks, n_pus, threads[0])
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


def _corrected(
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


CHECK = Check(
    name="oversubscription",
    sentence="more ranks and threads on a host than it has hardware threads for",
    source="measured here: LAMMPS with 4 ranks on 2 cores took 41.7 s, and 6.3 s where waiting ranks yield",
    of_command=_look,
)
