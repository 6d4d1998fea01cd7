"""inherited-affinity: the launcher is started with a mask that its ranks leave."""

from __future__ import annotations

from collections.abc import Iterator

from corewise.checks.check import Check, Finding
from corewise.checks.corrected import on_threads
from corewise.checks.situation import AskedCommand, Situation, ranks_text
from corewise.text.quantities import index_text

_WHY = (
    "launchers that bind don't keep to an inherited affinity: they set their own masks, so that ranks run "
    "where nobody wanted them"
)


def _look(situation: Situation, asked: AskedCommand) -> Iterator[Finding]:
    here = situation.here
    mask = here.affinity if asked.mask_before is None else asked.mask_before
    outside = [
        rank for rank in situation.seen if situation.nodes[rank.node] is here and not rank.os_pus <= mask
    ]
    if not outside or not mask:
        return
    escaped = index_text(pu for rank in outside for pu in rank.os_pus - mask)
    run = "run" if len(outside) > 1 else "runs"
    yield Finding(
        found=f"the launcher starts on hardware threads {index_text(mask)} (os_index), and "
        f"{ranks_text(outside)} {run} outside of them, on {escaped}",
        why=_WHY,
        do="name the cores to the launcher itself",
        command=on_threads(asked, here, here.first_threads(mask)),
    )


def _without_command(situation: Situation) -> Iterator[Finding]:
    here = situation.here
    if here.affinity < here.allowed:
        yield Finding(
            found=f"this process may use hardware threads {index_text(here.affinity)} (os_index) of "
            f"{index_text(here.allowed)}: taskset, numactl or a launcher is around it",
            why=_WHY,
            do="start launchers outside of it, or give the shell all it may have",
            command=f"taskset -cp {index_text(here.allowed)} $$",
        )


CHECK = Check(
    name="inherited-affinity",
    sentence="the launcher is started inside a mask (taskset) that its ranks leave",
    source="tried: Open MPI 4.1.4 and 5.0.11 and Hydra 4.0.2 under taskset; hwloc#511",
    of_command=_look,
    of_host=_without_command,
)
