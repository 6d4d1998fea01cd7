"""SteeredRun: a run whose ranks changed cores while it ran, and its logs with every decision."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from corewise.nouns.codec import Noun, Number
from corewise.nouns.run import Crowd, Run
from corewise.nouns.tables import Tabular, as_columns
from corewise.text.quantities import counted

if TYPE_CHECKING:
    from corewise.text.svg_text import Svg


class Decision(Noun, frozen=True):
    """One decision, `time_s` after the job's start.

    `swap` is the number of the swap; `undoes` is the number of the undone swap, else 0.
    """

    time_s: Number
    metric: str
    confidence: Number
    action: str
    ranks: list[int]
    swap: int
    undoes: int
    because: str
    outcome: str


class WaitTime(Noun, frozen=True):
    """The time that the ranks waited, and all their time, s."""

    wait_s: Number
    all_s: Number


class Difference(Noun, frozen=True):
    """The first interval whose recorded decisions differ from those of the replay."""

    interval: int
    recorded: str
    again: str


class SteeredLog(Noun, frozen=True, kw_only=True):
    """The contents of the log of one node, as `corewise steer explain` shows them.

    The log has `intervals` intervals, numbered from `first_interval` on; the decisions of `compared` of them
    were replayed. `wait_before` and `wait_after` are the fractions of the ranks' time spent waiting before
    the first swap and after the last one, computed from `time_before` and `time_after`; None without such
    time. `settings` are those that were in force. `advice` is a sentence on a problem that no swap can solve,
    None if there is none.
    """

    FORMAT: ClassVar[str] = "corewise-steered-log"
    WRITTEN_BY: ClassVar[str] = "corewise steer explain --json"

    log: str
    node: int
    first_interval: int
    intervals: int
    compared: int
    decisions: list[Decision]
    swaps: int
    rollbacks: int
    own_messages: int
    own_bytes: int
    wait_before: Number | None
    wait_after: Number | None
    time_before: WaitTime
    time_after: WaitTime | None
    settings: dict[str, int]
    differs: Difference | None
    advice: str | None = None


class RankSample(Noun, frozen=True):
    """One rank in an interval: the fields of preload/steer/sample.def, which explains them; times in s.

    `cache_misses`, `unexpected` and `posted` are -1 if they were not counted.
    """

    id: int
    node: int
    core: int
    capability: int
    compute_s: float
    wait_s: float
    transfer_s: float
    calls: int
    unsent_compute_s: float
    unsent_bytes: int
    backlog_bytes: int
    request_age_s: float
    assisted: int
    run_delay_s: float
    cache_misses: int
    unexpected: int
    posted: int


class CoreSample(Noun, frozen=True):
    """One core of the log's node in an interval; `irq_s` is negative if it was not counted."""

    core: int
    packets: int
    irq_s: float


class IntervalSample(Noun, frozen=True):
    """An interval of a log: its end, since the job's start, and its length, s."""

    time_s: float
    length_s: float
    ranks: list[RankSample]
    cores: list[CoreSample]


class SteeredRun(Tabular, Noun, frozen=True, kw_only=True):
    """A steered run: how it ended, its logs and their contents, and problems with the masks at the end.

    `explained` are the `logs` that could be read, node by node, in order of time. `misplaced` has a sentence
    for each rank whose mask at the end is not one that some rank started with. `unchecked_ranks` are the
    ranks that did not reach MPI_Finalize, so that their last mask is unknown. `crowd` are ranks that share
    too few hardware threads to be swapped. `trouble` has a sentence for each file of steering that could not
    be kept or read; how the command ended is in `run`.
    """

    FORMAT: ClassVar[str] = "corewise-steered-run"
    WRITTEN_BY: ClassVar[str] = "corewise steer --json"
    DERIVED: ClassVar[tuple[str, ...]] = (
        "exit_code",
        "wall_s",
        "n_ranks",
        "proposed_swaps",
        "swaps",
        "rollbacks",
        "own_messages",
        "own_bytes",
        "wait_before",
        "wait_after",
        "intervals_dropped",
        "nothing_steered",
    )

    dry_run: bool
    run: Run
    logs: list[str]
    explained: list[SteeredLog]
    misplaced: list[str]
    unchecked_ranks: list[int]
    trouble: list[str]
    crowd: Crowd | None = None

    if TYPE_CHECKING:  # notebook.py adds it

        def plot(self, log: int = 0) -> Svg: ...

    def columns(self) -> dict[str, Any]:
        """A row for each decision, with log and node."""
        names = ("time_s", "metric", "confidence", "action", "ranks", "swap", "undoes", "because", "outcome")
        return as_columns(
            ("log", "node", *names),
            [
                [log.log, log.node, *(getattr(decision, name) for name in names)]
                for log in self.explained
                for decision in log.decisions
            ],
        )

    @property
    def exit_code(self) -> int:
        return self.run.exit_code

    @property
    def wall_s(self) -> float:
        return self.run.wall_s

    @property
    def n_ranks(self) -> int:
        return len(self.run.ranks)

    @property
    def proposed_swaps(self) -> int:
        """Swaps that were decided, done or not."""
        return sum(one.action == "swap" for log in self.explained for one in log.decisions)

    @property
    def swaps(self) -> int:
        return sum(log.swaps for log in self.explained)

    @property
    def rollbacks(self) -> int:
        """Undone swaps."""
        return sum(log.rollbacks for log in self.explained)

    @property
    def own_messages(self) -> int:
        """Messages of steering itself between the nodes."""
        return sum(log.own_messages for log in self.explained)

    @property
    def own_bytes(self) -> int:
        return sum(log.own_bytes for log in self.explained)

    @property
    def wait_before(self) -> float | None:
        """The fraction of their time that ranks waited before the first swap (or at all)."""
        return wait_shares(self.explained)[0]

    @property
    def wait_after(self) -> float | None:
        """The fraction of their time that ranks waited after the last swap."""
        return wait_shares(self.explained)[1]

    @property
    def intervals_dropped(self) -> int:
        """The number of intervals lost because a node's leader keeps only some logs (log_writer.h).

        A leader numbers its intervals across its logs, and another leader begins at 1 again. 0 if a log can't
        be read, because its intervals would count as dropped.
        """
        if len(self.explained) < len(self.logs):
            return 0
        dropped = 0
        next_number: dict[int, int] = {}  # by node
        for log in self.explained:
            dropped += max(log.first_interval - next_number.get(log.node, 1), 0)
            next_number[log.node] = log.first_interval + log.intervals
        return dropped

    @property
    def nothing_steered(self) -> str | None:
        """Why nothing could be steered; None if each rank has a core, or if ranks were swapped."""
        if self.crowd is None or self.swaps:
            return None
        pus = counted(self.crowd.n_pus, "hardware thread")
        return (
            f"nothing was steered: {self.crowd.n_ranks} ranks share {pus} of host {self.crowd.host}; "
            "expected one for each rank: start fewer ranks, or take more cores"
        )


def wait_shares(logs: Iterable[SteeredLog]) -> tuple[float | None, float | None]:
    """The fractions of the ranks' time spent waiting, before the first swap and after the last one.

    `logs` of one node must be in order of time. If only some nodes had swaps, only the ranks of these nodes
    count, so that both fractions are about the same ranks. Without swaps, the first fraction is of the whole
    time and the second is None. A fraction is None if the ranks have no recorded time.
    """
    logs_of: dict[int, list[SteeredLog]] = {}
    for log in logs:
        logs_of.setdefault(log.node, []).append(log)
    swapped = [of_node for of_node in logs_of.values() if any(map(_swapped, of_node))]
    before = [log.time_before for of_node in swapped or logs_of.values() for log in _before(of_node)]
    after = [time for of_node in swapped for time in _times_after(of_node)]
    return _share(before), _share(after)


def _swapped(log: SteeredLog) -> bool:
    return log.time_after is not None


def _before(logs: Sequence[SteeredLog]) -> Sequence[SteeredLog]:
    """The logs up to the one with the first swap; all logs without a swap."""
    first = next((number for number, log in enumerate(logs) if _swapped(log)), len(logs))
    return logs[: first + 1]


def _times_after(logs: Sequence[SteeredLog]) -> list[WaitTime]:
    """The time after the last swap in its log, and the whole time of the later logs."""
    last = max(number for number, log in enumerate(logs) if _swapped(log))
    after = logs[last].time_after
    assert after is not None
    return [after, *(log.time_before for log in logs[last + 1 :])]


def _share(times: Iterable[WaitTime]) -> float | None:
    times = list(times)
    all_s = sum(time.all_s for time in times)
    return sum(time.wait_s for time in times) / all_s if all_s > 0 else None
