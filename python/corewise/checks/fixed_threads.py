"""fixed-threads: a variable gives the threads of every rank the same hardware threads, by number."""

from __future__ import annotations

from corewise.checks.check import Check, Finding
from corewise.checks.corrected import without_variables
from corewise.checks.situation import Asked, Situation
from corewise.launchers.openmp import fixed_thread_bindings

_ABSTRACT = ("OMP_PLACES=cores", "OMP_PROC_BIND=close")


def _look(situation: Situation) -> list[Finding]:
    names = fixed_thread_bindings(situation.environment)
    if not names or (situation.asked and situation.most_on_a_node < 2):
        return []
    typed = ", ".join(f"{name}={situation.environment[name]}" for name in names)
    return [
        Finding(
            found=f"{typed} names hardware threads by number (os_index)",
            why="every rank of a host gets the same ones, whatever the launcher binds it to, so that threads "
            "of several ranks share cores",
            do="name places that stay inside a rank's mask",
            command=_corrected(situation.asked, names),
        )
    ]


def _corrected(asked: Asked | None, names: list[str]) -> str:
    if asked is None:
        return f"unset {' '.join(names)}; export {' '.join(_ABSTRACT)}"
    return without_variables(asked, names, _ABSTRACT)


CHECK = Check(
    name="fixed-threads",
    sentence="OMP_PLACES, GOMP_CPU_AFFINITY or KMP_AFFINITY names hardware threads by number",
    source="ompi#7806; OpenMP 5.2, section 21.1.6; GCC's libgomp manual",
    look=_look,
)
