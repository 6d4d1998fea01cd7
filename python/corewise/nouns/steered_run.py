"""SteeredRun: a run whose ranks changed cores while it ran; each of its logs, decision by decision."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from corewise.nouns.codec import Noun, Number
from corewise.nouns.crowd import Crowd
from corewise.nouns.run import Run
from corewise.text.quantities import counted


class Decision(Noun, frozen=True):
    """One decision, `time_s` after the job's start.

    `swap` is its number, and `undoes` that of the swap that an undo takes back, else 0.
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
    """What the ranks waited of all their time, s."""

    wait_s: Number
    all_s: Number


class Difference(Noun, frozen=True):
    """The first interval whose recorded decisions did not come out again."""

    interval: int
    recorded: str
    again: str


class SteeredLog(Noun, frozen=True, kw_only=True):
    """What the log of one node tells, as `corewise steer explain` shows it.

    It has `intervals` of them from `first_interval` on, of which `compared` have decisions. `wait_before` and
    `wait_after` are parts of the ranks' time before the first swap and after the last, made of `time_before`
    and `time_after`; None if there is none. `settings` are those that were in force. `advice` is a
    sentence on what no swap helps against, None without one.
    """

    FORMAT: ClassVar[str] = "corewise-steered-log"
    SCHEMA: ClassVar[int] = 1
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
    """One rank in an interval: the fields of preload/steer/sample.def, which says what they mean; times in s.

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
    """Likewise one core of the log's node; `irq_s` is negative where it was not counted."""

    core: int
    packets: int
    irq_s: float


class IntervalSample(Noun, frozen=True):
    """An interval of a log: its end, since the job's start, and its length, s."""

    time_s: float
    length_s: float
    ranks: list[RankSample]
    cores: list[CoreSample]


class SteeredRun(Noun, frozen=True, kw_only=True):
    """A steered run: how it ended, its logs, what each tells, and the masks at the end.

    `explained` are the `logs` that can be read, node by node, those of a node in order of time. `misplaced`
    has a sentence for each rank that did not end on a mask that some rank started with, and `unchecked_ranks`
    are those whose mask at the end is not known, for they did not reach MPI_Finalize. `crowd` are ranks that
    have fewer hardware threads than they are, so that none of them can be swapped. `trouble` has a sentence
    for each thing of the run's own that could not be kept or read: how the command ended is in `run`.
    """

    FORMAT: ClassVar[str] = "corewise-steered-run"
    SCHEMA: ClassVar[int] = 1
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
        """Swaps that were taken back."""
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
        """The part of their time that ranks waited before the first swap, or at all without one."""
        return wait_shares(self.explained)[0]

    @property
    def wait_after(self) -> float | None:
        """The part of their time that ranks waited after the last swap."""
        return wait_shares(self.explained)[1]

    @property
    def intervals_dropped(self) -> int:
        """Intervals that were in full logs between the first and the last two of a leader (log_writer.h).

        Numbers of intervals continue in the next log of a leader, and begin at 1 under another. 0 if a log
        can't be read: its intervals would count as dropped.
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
        """Why nothing could be steered; None if ranks have a core each, or were swapped."""
        if self.crowd is None or self.swaps:
            return None
        pus = counted(self.crowd.n_pus, "hardware thread")
        return (
            f"nothing was steered: {self.crowd.n_ranks} ranks share {pus} of host {self.crowd.host}; "
            "expected one for each rank: start fewer ranks, or take more cores"
        )


def wait_shares(logs: Iterable[SteeredLog]) -> tuple[float | None, float | None]:
    """Parts of the ranks' time, of all logs, those of one node in order of time.

    Where swaps were done on some nodes alone, only their ranks count, so that both parts are of the same
    ranks; where none was done, the first part is of the whole time and the second is None. A part is None
    where the ranks have no time either.
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
    """The logs up to that of the first swap; all where none was done."""
    first = next((number for number, log in enumerate(logs) if _swapped(log)), len(logs))
    return logs[: first + 1]


def _times_after(logs: Sequence[SteeredLog]) -> list[WaitTime]:
    """What follows the last swap in its log, and the whole time of the logs after that."""
    last = max(number for number, log in enumerate(logs) if _swapped(log))
    after = logs[last].time_after
    assert after is not None
    return [after, *(log.time_before for log in logs[last + 1 :])]


def _share(times: Iterable[WaitTime]) -> float | None:
    times = list(times)
    all_s = sum(time.all_s for time in times)
    return sum(time.wait_s for time in times) / all_s if all_s > 0 else None
