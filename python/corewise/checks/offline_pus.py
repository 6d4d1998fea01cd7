"""offline-pus: offline hardware threads leave gaps in the numbering."""

from __future__ import annotations

from collections.abc import Iterator

from corewise.checks.check import Check, Finding
from corewise.checks.corrected import hydra_example
from corewise.checks.situation import Situation
from corewise.text.quantities import index_text


def _look(situation: Situation) -> Iterator[Finding]:
    here = situation.here
    if not here.offline:
        return
    yield Finding(
        found=f"hardware threads {index_text(here.offline)} (os_index) are offline",
        why="lists that count to the number of hardware threads name ones that don't run and leave out "
        "the last ones that do",
        do="name only those that run, as below",
        command=hydra_example(here.first_threads(here.affinity)),
    )


CHECK = Check(
    name="offline-pus",
    sentence="hardware threads are switched off, so that numbers have holes",
    source="proc(5), sysfs: /sys/devices/system/cpu/offline",
    of_host=_look,
)
