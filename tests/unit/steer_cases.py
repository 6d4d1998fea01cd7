"""Steering logs for tests: a recorded one, and the results that are read from it."""

from __future__ import annotations

from typing import Any

from corewise.nouns.run import Run
from corewise.nouns.steered_run import SteeredLog, SteeredRun
from corewise.steering.replay import replay
from msgspec import structs
from sources import ROOT

LOG = ROOT / "fixtures" / "steer" / "idleness.steer-log"


def steered_log(**fields: Any) -> SteeredLog:
    """The result of reading LOG, with some fields replaced."""
    return structs.replace(replay(LOG), **fields)


def steered_run(run: Run) -> SteeredRun:
    """A steered run with LOG."""
    return SteeredRun(
        dry_run=False,
        run=run,
        logs=[str(LOG)],
        explained=[steered_log()],
        misplaced=[],
        unchecked_ranks=[],
        trouble=[],
    )
