"""Steering logs for tests: one that was recorded, and what logs like it would tell."""

from __future__ import annotations

from typing import Any

from corewise.nouns.steered_run import SteeredLog
from corewise.steering.replay import replay
from msgspec import structs
from sources import ROOT

LOG = ROOT / "fixtures" / "steer" / "idleness.steer-log"


def steered_log(**fields: Any) -> SteeredLog:
    """What LOG tells, with other fields."""
    return structs.replace(replay(LOG), **fields)
