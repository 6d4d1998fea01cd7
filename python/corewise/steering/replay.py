"""A steering log, given to the decision function again: what it decided, why, and whether it still does."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from corewise.errors import InputError
from corewise.execute.programs import native
from corewise.files.document import require_regular
from corewise.files.steer_seen import SeenInterval, SeenRank
from corewise.files.steer_story import Story
from corewise.steering.advice import flow_steering_advice
from corewise.text.any_bytes import escaped

PROGRAM = "corewise-steer-replay"
DIFFERS = 1  # its exit code where a recorded decision did not come out again


def replay(log: Path) -> Story:
    """What corewise-steer-replay tells of a log (preload/steer/replay.c), as a document.

    Raises InputError with one sentence for a log that can't be read.
    """
    story: Story = json.loads(_told(log))
    return story


def explained(log: Path) -> tuple[Story, list[SeenInterval]]:
    """A log's story with its advice, and what was seen. Raises what replay() raises."""
    story, seen = replay(log), intervals(log)
    story["advice"] = flow_steering_advice(story, seen)
    return story, seen


def intervals(log: Path) -> list[SeenInterval]:
    """What was seen in each interval of a log. Raises what replay() raises."""
    found = [json.loads(line) for line in _told(log, "--intervals").splitlines()]
    return [
        SeenInterval(
            each["time_s"],
            each["length_s"],
            [SeenRank(**rank) for rank in each["ranks"]],
            {int(core): n for core, n in each["packets"].items()},
        )
        for each in found
    ]


def _told(log: Path, *options: str) -> bytes:
    """What PROGRAM prints of a log."""
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
