"""A steering log, given to the decision function again: what it decided, why, and whether it still does."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from corewise.errors import InputError
from corewise.execute.programs import native
from corewise.files.document import require_regular

PROGRAM = "corewise-steer-replay"
DIFFERS = 1  # its exit code where a recorded decision did not come out again


def replay(log: Path) -> dict:
    """What corewise-steer-replay tells of a log (preload/steer/replay.c), as a document.

    Raises InputError with one sentence for a log that can't be read.
    """
    require_regular(log, "a log of corewise steer")
    done = subprocess.run(
        [native(PROGRAM), str(log)], stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    if done.returncode not in (0, DIFFERS):
        said = done.stderr.decode(errors="replace").strip()
        raise InputError(
            said or f"{log}: {PROGRAM} ended with {done.returncode}; expected a log of corewise steer"
        )
    return json.loads(done.stdout)
