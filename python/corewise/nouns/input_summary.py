"""InputSummary: what `corewise show` finds in a profile or a matrix."""

from __future__ import annotations

from typing import ClassVar

from msgspec import UNSET, UnsetType, field

from corewise.nouns.codec import Index, Noun, Number, Seconds
from corewise.nouns.run import SeenDevices


class World(Noun, frozen=True):
    """An MPI_COMM_WORLD of the job. Its ranks are consecutive; all worlds but the first were spawned."""

    first_rank: Index
    n_ranks: Index
    spawned: bool


class NodeRatio(Noun, frozen=True):
    """Inter-node over intra-node traffic. Messages to self are intra-node, as in the paper's Table I.

    `ranks_per_node` is None if nodes hold different numbers of ranks; a ratio is None if nothing is
    intra-node. `assignment` says where the nodes come from.
    """

    ranks_per_node: int | None
    inter_over_intra_bytes: Number | None
    inter_over_intra_messages: Number | None
    n_nodes: int
    assignment: str


class PhaseTotals(Noun, frozen=True, kw_only=True):
    """A phase that occurs `repeat` times.

    Phases of a profile also have a start and an end, counted from the job's start, and the number of their
    communication pattern.
    """

    LEFT_OUT: ClassVar[tuple[str, ...]] = ("begin_s", "end_s", "pattern")

    begin_s: Number | None = None
    end_s: Number | None = None
    pattern: int | None = None
    repeat: int
    bytes: int
    messages: int


class RegionTotals(Noun, frozen=True):
    """What was sent while MPI_Pcontrol had set this level."""

    level: int
    bytes: int
    messages: int


class TopPair(Noun, frozen=True):
    """An ordered pair of ranks; `share` is of all bytes between different ranks, 0 to 1."""

    src: Index
    dst: Index
    bytes: int
    messages: int
    share: Number


class SizeClass(Noun, frozen=True):
    """Messages of `least_bytes` to `most_bytes`, inclusive."""

    least_bytes: int
    most_bytes: int
    messages: int
    bytes: int


class PairSizes(Noun, frozen=True):
    """Messages of a pair in one size class: class k has 2^(k-1) <= bytes < 2^k, sizes of k bits."""

    src: Index
    dst: Index
    size_class: int = field(name="class")
    messages: int
    bytes: int


class CallTotals(Noun, frozen=True, kw_only=True):
    """An MPI call, summed over all ranks; `layer` is left out if it is unknown.

    `bytes` is what the callers send (of collectives, their logical flow), and 0 for calls that only receive
    or wait.
    """

    LEFT_OUT: ClassVar[tuple[str, ...]] = ("layer",)

    call: str
    layer: str = ""
    count: int
    bytes: int
    time_s: Seconds


class CommTotals(Noun, frozen=True):
    """Totals of one communicator; if not `by_identity`, of all communicators with the same members."""

    name: str
    n_ranks: Index
    by_identity: bool
    count: int
    messages: int
    bytes: int


class Wait(Noun, frozen=True):
    """How long a rank waited for another one; `count` is the number of messages, sent or received."""

    waiter: Index
    awaited: Index
    time_s: Seconds
    count: int


class RankTimes(Noun, frozen=True):
    """A rank's time: `app_s` from MPI_Init to MPI_Finalize, `mpi_s` of it inside MPI."""

    rank: Index
    host: str
    app_s: Seconds
    mpi_s: Seconds


class EventTotals(Noun, frozen=True):
    """Events that the files hold, the bytes of these files, and the events that were left out."""

    count: int
    bytes: int
    left_out: int


class InputSummary(Noun, frozen=True, kw_only=True):
    """What `corewise show` finds: totals and tables. A table is empty if the input lacks its data.

    `ranks` are those whose calls were timed, in rank order; `devices` are the GPUs and network cards that
    ranks see. `sizes_by_pair` is None if it has more than tables.MOST_LISTED entries, and left out for a bare
    matrix, whose message sizes are unknown.
    """

    FORMAT: ClassVar[str] = "corewise-input"
    WRITTEN_BY: ClassVar[str] = "corewise show --json"
    LEFT_OUT: ClassVar[tuple[str, ...]] = ("devices", "sizes_by_pair")

    name: str
    kind: str
    layer: str
    n_ranks: Index
    worlds: list[World] = []
    bytes: int
    messages: int
    self_bytes: int
    ratio: NodeRatio | None
    phases: list[PhaseTotals]
    regions: list[RegionTotals] = []
    complete: bool
    top_pairs: list[TopPair]
    sizes: list[SizeClass] = []
    calls: list[CallTotals] = []
    communicators: list[CommTotals] = []
    ranks: list[RankTimes] = []
    waits: list[Wait] = []
    events: EventTotals | None = None
    devices: list[SeenDevices] = []
    faults: list[str]
    sizes_by_pair: list[PairSizes] | None | UnsetType = UNSET
