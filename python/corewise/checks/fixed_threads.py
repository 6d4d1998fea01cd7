"""fixed-threads: a variable binds the threads of every rank to the same numbered hardware threads."""

from __future__ import annotations

from collections.abc import Iterator

from corewise.checks.check import Check, Finding
from corewise.checks.corrected import bound_to_cores, without_variables
from corewise.checks.situation import AskedCommand, Situation
from corewise.launchers.openmp import fixed_thread_bindings

_ABSTRACT = ("OMP_PLACES=cores", "OMP_PROC_BIND=close")


def _look(situation: Situation, asked: AskedCommand | None = None) -> Iterator[Finding]:
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
        command=_corrected(asked, names),
        otherwise=_bound(situation, asked, names),
    )


def _corrected(asked: AskedCommand | None, names: list[str]) -> str:
    if asked is None:
        return f"unset {' '.join(names)}; export {' '.join(_ABSTRACT)}"
    return without_variables(asked, names, _ABSTRACT)


def _bound(situation: Situation, asked: AskedCommand | None, names: list[str]) -> tuple[str, ...]:
    """The corrected command with separate cores per rank, because equal masks would give equal places."""
    if asked is None:
        return ()
    room = len(situation.here.cores_of(situation.here.affinity)) // situation.most_on_a_node
    n_cores = min(max(program.n_threads for program in asked.programs), room) or 1
    bound = bound_to_cores(asked, n_cores)
    return (without_variables(bound, names, _ABSTRACT),) if bound else ()


CHECK = Check(
    name="fixed-threads",
    sentence="OMP_PLACES, GOMP_CPU_AFFINITY or KMP_AFFINITY names hardware threads by number",
    source="ompi#7806; OpenMP 5.2, section 21.1.6; GCC's libgomp manual",
    of_command=_look,
    of_host=_look,
)
