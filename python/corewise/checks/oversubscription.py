"""oversubscription: more threads run on a host than it has hardware threads."""

from __future__ import annotations

from corewise.checks.check import Check, Finding
from corewise.checks.corrected import with_ranks, without_variables
from corewise.checks.situation import Situation
from corewise.text.quantities import counted


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
            why="MPI waits for messages without a pause, so that a rank that waits holds up the one that it "
            "waits for",
            do="start no more than there are hardware threads",
            command=_corrected(situation, n_ranks, n_pus),
        )
    ]


def _corrected(situation: Situation, n_ranks: int, n_pus: int) -> str:
    if n_ranks <= n_pus:
        return without_variables(
            situation.asked, ["OMP_NUM_THREADS"], [f"OMP_NUM_THREADS={n_pus // n_ranks}"]
        )
    n_hosts = len(situation.asked.application.hosts)
    return with_ranks(situation.asked, max(n_pus // situation.n_threads, 1) * n_hosts)


CHECK = Check(
    name="oversubscription",
    sentence="more ranks and threads on a host than it has hardware threads for",
    source="measured here: LAMMPS with 4 ranks on 2 cores took 41.7 s, and 6.3 s where waiting ranks yield",
    look=_look,
)
