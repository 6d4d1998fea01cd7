"""Section: a steered run as its log tells it, drawn, and every decision with its evidence and outcome."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass

from corewise.nouns.steered_run import Decision, SeenInterval, SteeredLog
from corewise.page import tables
from corewise.plots.steered_run import steered_run_png
from corewise.text.table import TextTable

HEADS = [">time (s)", "<metric", "<action", "<because", "<outcome"]


@dataclass(frozen=True)
class SeenLog:
    """A steering log: what it tells and what was seen (steering/replay.py)."""

    log: SteeredLog
    seen: Sequence[SeenInterval]

    @property
    def title(self) -> str:
        """The section's heading."""
        return f"Steering: {self.log.log}"


@dataclass(frozen=True)
class Context(tables.Context):
    """The decisions as a table, and `picture` in base64: "" where the log has no interval."""

    log: SteeredLog
    picture: str


def context(shown: SeenLog) -> Context:
    """What the template takes."""
    log = shown.log
    png = steered_run_png(shown.title, log.node, shown.seen, log.decisions)
    picture = base64.b64encode(png).decode() if png else ""
    return Context(**vars(tables.context(decisions(shown))), log=log, picture=picture)


def decisions(shown: SeenLog) -> TextTable:
    """Each decision with its evidence and its outcome."""
    log = shown.log
    rows = [
        [f"{each.time_s:.3f}", each.metric, _action(each), each.because, each.outcome]
        for each in log.decisions
    ]
    return TextTable(HEADS, rows, [log.advice] if log.advice else [])


def _action(decision: Decision) -> str:
    return f"{decision.action}, rank {' and '.join(map(str, decision.ranks))}"
