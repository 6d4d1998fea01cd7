"""Section: a picture of a steered run, and every decision in its log with evidence and outcome."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from corewise.nouns.steered_run import Decision, IntervalSample, SteeredLog
from corewise.page.picture import picture
from corewise.plots.steered_run import stays, steered_run_figure
from corewise.text.quantities import percent_text
from corewise.text.table import TextTable

HEADS = [">decision", ">time (s)", "<metric", "<action", "<because", "<outcome"]


@dataclass(frozen=True)
class SeenLog:
    """A steering log: its decisions and its observations (steering/replay.py)."""

    log: SteeredLog
    seen: Sequence[IntervalSample]

    @property
    def title(self) -> str:
        """The section's heading."""
        return f"Steering: {self.log.log}"


def shown(seen: SeenLog) -> dict[str, Any]:
    """The picture of a log, None if it has no interval, the same as a table, and the decisions."""
    log, alt = seen.log, "Ranks on their cores over time, with the decisions"
    table = _stays(seen)
    drawn = picture(lambda: steered_run_figure(seen.seen, log.decisions), alt) if table.rows else None
    return {"log": log, "picture": drawn, "stays": table, "table": decisions(seen)}


def decisions(shown: SeenLog) -> TextTable:
    """Each decision with its evidence and its outcome."""
    log = shown.log
    rows = [
        [str(number), f"{each.time_s:.3f}", each.metric, _action(each), each.because, each.outcome]
        for number, each in enumerate(log.decisions, start=1)
    ]
    return TextTable(HEADS, rows, [log.advice] if log.advice else [])


def _stays(shown: SeenLog) -> TextTable:
    rows = [
        [
            str(stay.rank),
            str(stay.core),
            f"{stay.begin_s:.3f}",
            f"{stay.end_s:.3f}",
            percent_text(stay.waited_s / stay.all_s) if stay.all_s else "",
        ]
        for stay in stays(shown.seen)
    ]
    return TextTable([">rank", ">core", ">from (s)", ">to (s)", ">of it waiting"], rows, [])


def _action(decision: Decision) -> str:
    return f"{decision.action}, rank {' and '.join(map(str, decision.ranks))}"
