"""Steering logs for tests: a recorded one, and the results that are read from it."""

from __future__ import annotations

from typing import Any

from corewise.nouns.steered_run import SteeredLog
from corewise.steering.replay import replay
from msgspec import structs
from sources import ROOT

LOG = ROOT / "fixtures" / "steer" / "idleness.steer-log"


def steered_log(**fields: Any) -> SteeredLog:
    """The result of reading LOG, with some fields replaced."""
    return structs.replace(replay(LOG), **fields)
