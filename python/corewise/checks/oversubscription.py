"""oversubscription: more threads run on a host than it has hardware threads."""

from __future__ import annotations

from corewise.checks.check import Check, Finding
from corewise.checks.corrected import as_typed, bound_to_cores, with_ranks, without_variables
from corewise.checks.situation import Situation
from corewise.text.quantities import counted

_RANKS_WAIT = (
    "MPI waits for messages without a pause, so that a rank that waits holds up the one that it waits for"
)
_THREADS_WAIT = "threads on one hardware thread take turns, and a barrier among them waits for time slices"


def _look(situation: Situation) -> list[Finding]:
    asked = situation.asked
    if asked is None or asked.application.oversubscribes:
        return []  # nobody is surprised who asks for it
    n_ranks, n_threads = situation.most_on_a_node, situation.n_threads
    n_pus = min(len(host.affinity) for host in situation.nodes or [situation.here])
    if n_ranks * n_threads <= n_pus:
        return []
    each = f", each with {n_threads} threads (OMP_NUM_THREADS)," if n_threads > 1 else ""
    return [
        Finding(
            found=f"{counted(n_ranks, 'rank')}{each} on a host where "
            f"{counted(n_pus, 'hardware thread')} may be used",
            why=_RANKS_WAIT if n_ranks > n_pus else _THREADS_WAIT,
            do="start no more than there are hardware threads",
            command=_corrected(situation, n_ranks, n_pus),
        )
    ]


def _corrected(situation: Situation, n_ranks: int, n_pus: int) -> str | None:
    """Fewer ranks where these alone are too many, and as many threads and cores for each as there are."""
    asked, n_threads = situation.asked, situation.n_threads
    n_left = n_ranks if n_ranks <= n_pus else max(n_pus // n_threads, 1)
    changed = asked if n_left == n_ranks else with_ranks(asked, n_left * len(asked.application.hosts))
    if changed is None or n_threads == 1:
        return changed and as_typed(changed)
    n_kept = min(n_threads, n_pus // n_left)
    n_cores = min(len(host.cores_of(host.affinity)) for host in situation.nodes or [situation.here]) // n_left
    if n_cores:  # else ranks share cores, each on a hardware thread of its own
        changed = bound_to_cores(changed, min(n_kept, n_cores))
    if n_kept == n_threads:
        return as_typed(changed)
    return without_variables(changed, ["OMP_NUM_THREADS"], [f"OMP_NUM_THREADS={n_kept}"])


CHECK = Check(
    name="oversubscription",
    sentence="more ranks and threads on a host than it has hardware threads for",
    source="measured here: LAMMPS with 4 ranks on 2 cores took 41.7 s, and 6.3 s where waiting ranks yield",
    look=_look,
)
