"""nested-cpuset: cgroups inside each other leave different hardware threads."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from corewise.checks.check import Check, Finding
from corewise.checks.situation import Situation
from corewise.text.quantities import index_text


def _look(situation: Situation) -> Iterator[Finding]:
    sets = situation.here.cpusets
    narrowed = [inner for outer, inner in pairwise(sets) if inner.os_pus < outer.os_pus]
    if len(narrowed) < 2:
        return
    chain = ", ".join(f"{cpuset.path} {index_text(cpuset.os_pus)}" for cpuset in narrowed)
    yield Finding(
        found=f"cpusets are nested: {chain} (os_index)",
        why="numbers that hold in the outer one (the job's) are outside the inner one (the step's or the "
        "container's), and a mask that reaches outside is narrowed silently",
        do="start the command from the outer one, or take numbers from the innermost: below, what it has",
        command=f"taskset -cp $$  # {index_text(narrowed[-1].os_pus)}",
    )


CHECK = Check(
    name="nested-cpuset",
    sentence="a cpuset inside another one is narrower still",
    source="tried; mpibind#33, ompi#7157",
    of_host=_look,
)
