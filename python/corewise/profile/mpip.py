"""mpiP's reports: text files that say how long and how much each rank sent, and never to whom."""

from __future__ import annotations

import re
from pathlib import Path

from corewise.errors import InputError

_FIRST_LINE = re.compile(rb"@ mpiP\b")
# A report's head has a line for each task; longer ones than this are not looked at for their counts.
_MOST_BYTES = 2**20
_TASK = re.compile(rb"^@ MPI Task Assignment\s*:", re.MULTILINE)


def refuse_mpip(path: Path) -> None:
    """Raises InputError where the file is a report of mpiP (3.x), and says what it holds.

    Its sections are times and sizes by call site and rank, and with its option -p a histogram of
    point-to-point sizes by call, communicator size and message size; none names receivers (source: mpiP 3.5's
    user guide, "mpiP Output").
    """
    with path.open("rb") as file:
        head = file.read(_MOST_BYTES)
    if not _FIRST_LINE.match(head):
        return
    n_tasks = len(_TASK.findall(head))
    of_tasks = f" of {n_tasks} tasks" if n_tasks else ""
    raise InputError(
        f"{path}: a report of mpiP{of_tasks}, which has times and sizes by call site and never who sends "
        "to whom; expected a file with pairs of ranks: record one with corewise trace"
    )
