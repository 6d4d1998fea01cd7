"""Section: a steered run as its log tells it, drawn, and every decision with its evidence and outcome."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from corewise.files.steer_seen import SeenInterval
from corewise.files.steer_story import Decision, Story
from corewise.page import tables
from corewise.plots.steered_run import steered_run_png

HEADS = [">time (s)", "<metric", "<action", "<because", "<outcome"]


@dataclass(frozen=True)
class SteeredLog:
    """A steering log: its name, its story (steering/replay.py, replay()) and what was seen."""

    name: str
    story: Story
    seen: Sequence[SeenInterval]

    @property
    def title(self) -> str:
        """The section's heading."""
        return f"Steering: {self.name}"


def context(log: SteeredLog) -> dict[str, Any]:
    """What the template takes; `picture` is "" where the log has no interval."""
    story = log.story
    png = steered_run_png(log.title, story["node"], log.seen, story["decisions"])
    rows = [
        [f"{each['time_s']:.3f}", each["metric"], _action(each), each["because"], each["outcome"]]
        for each in story["decisions"]
    ]
    table = tables.TextTable(HEADS, rows, [advice] if (advice := story.get("advice")) else [])
    return tables.context(table) | {
        "name": log.name,
        "node": story["node"],
        "n_intervals": story["intervals"],
        "swaps": story["swaps"],
        "rollbacks": story["rollbacks"],
        "picture": base64.b64encode(png).decode() if png else "",
    }


def _action(decision: Decision) -> str:
    return f"{decision['action']}, rank {' and '.join(map(str, decision['ranks']))}"
