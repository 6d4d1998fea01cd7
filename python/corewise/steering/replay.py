"""Replays a steering log: decisions, reasons, and whether the decision function still decides the same."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import msgspec

from corewise.errors import InputError
from corewise.files.document import require_regular
from corewise.files.table import Table
from corewise.nouns.codec import decoded
from corewise.nouns.steered_run import IntervalSample, SteeredLog
from corewise.start.programs import native
from corewise.text.escaping import escaped

PROGRAM = "corewise-steer-replay"
DIFFERS = 1  # exit code if the replay differs from a recorded decision


def replay(log: Path) -> SteeredLog:
    """The result of corewise-steer-replay for a log (preload/steer/replay.c).

    Raises InputError for a log that can't be read.
    """
    return decoded(SteeredLog, Table(log, "", {"log": str(log)} | json.loads(_told(log))))


def intervals(log: Path) -> list[IntervalSample]:
    """The observations of each interval of a log. Raises as replay() does."""
    return [msgspec.json.decode(line, type=IntervalSample) for line in _told(log, "--intervals").splitlines()]


def _told(log: Path, *options: str) -> bytes:
    """The output of PROGRAM for a log."""
    require_regular(log, "a log of corewise steer")
    done = subprocess.run(
        [native(PROGRAM), *options, str(log)], stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    if done.returncode not in (0, DIFFERS):
        said = escaped(done.stderr.decode(errors="surrogateescape").strip())
        raise InputError(
            said or f"{log}: {PROGRAM} ended with {done.returncode}; expected a log of corewise steer"
        )
    return done.stdout
