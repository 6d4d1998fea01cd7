"""PageData: the data that the script of a page shows; a compressed document inside the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from corewise.nouns.codec import Count, FieldError, Index, Noun, Number

Values = Sequence[str] | Sequence[Number]
# How a table's values are shown and sorted: "rank" and "partner" are ranks, "place" is "node 3, core 5".
Kind = Literal["rank", "partner", "place", "text", "count", "bytes", "seconds", "share"]
Source = Literal["measured", "emulated", "simulated", "estimated", "predicted"]


class PageLevel(Noun, frozen=True):
    """A level of the machine; `link` names the links into it from the level below."""

    name: str
    link: str
    latency_s: Number | None
    bandwidth_bytes_per_s: Number | None
    source: str


class PageDevice(Noun, frozen=True):
    """A GPU or network card of a node; `cores` (logical, on the node) are near it."""

    kind: str
    name: str
    cores: list[Index]


class PageShape(Noun, frozen=True):
    """A node: `groups[k][core]` is the object of level k + 1 that contains a core, numbered on the node.

    `pus[core]` has the OS index of each hardware thread, in logical order; None if there is none.
    """

    groups: list[list[Index]]
    pus: list[list[Index | None]]
    devices: list[PageDevice]


class PageMachine(Noun, frozen=True, kw_only=True):
    """The machine: equal nodes once as `shapes`, and the switches that join the nodes.

    `levels` are the lowest first, `node_level` counts those within a node. `node_order` are the nodes from
    left to right in the tree, empty if that is 0, 1, 2, ... `network[k][i]` is the object of level
    node_level + k + 1 that object i of the level below is in. `hosts` are the nodes' names, empty where they
    are not known.
    """

    name: str
    levels: list[PageLevel]
    node_level: Index
    shapes: list[PageShape]
    shape_of_node: list[Index]
    node_order: list[Index]
    network: list[list[Index]]
    hosts: list[str]


class PageGain(Noun, frozen=True, kw_only=True):
    """1 - t / t_default of a placement: measured, simulated or predicted, with its interval if it has one."""

    source: Source
    expected: Number
    low: Number | None = None
    high: Number | None = None
    confidence: Number | None = None
    n_repeats: Count | None = None


class PageTraffic(Noun, frozen=True):
    """Who sends how much to whom; row i is about `src[i]` and `dst[i]`.

    If `block` is 1, a row is an ordered pair of ranks. Else `src` and `dst` number blocks of `block`
    neighbouring ranks, and `bytes` and `messages` are the maximum over the pairs in them.
    """

    n_ranks: Count
    block: Count
    n_pairs: Index
    total_bytes: int
    total_messages: int
    src: list[Index]
    dst: list[Index]
    bytes: list[int]
    messages: list[int]


class PagePartners(Noun, frozen=True):
    """The partners of each rank with most bytes in both directions together, at most `most` rows a rank."""

    most: Count
    rank: list[Index]
    partner: list[Index]
    bytes: list[int]


class PagePlacement(Noun, frozen=True, kw_only=True):
    """A placement: node and cores (logical, on the node) of each rank, and what crosses each link.

    `link_bytes[level][object]` is what crosses the link from an object up to the level above, both directions
    (level 0 is the core), objects in the order of the tree. `traffic` is present if the page's traffic has
    blocks. Its blocks contain ranks that are neighbours on the machine, ordered by node (from left to right
    in the tree), first core and rank.
    """

    LEFT_OUT: ClassVar[tuple[str, ...]] = ("traffic",)

    name: str
    node: list[Index]
    cores: list[list[Index]]
    link_bytes: Sequence[Sequence[Number]]
    gain: PageGain | None = None
    traffic: PageTraffic | None = None


class PageColumn(Noun, frozen=True):
    """A column of a table; `name` is its heading."""

    name: str
    kind: Kind
    values: Values


class PageTable(Noun, frozen=True, kw_only=True):
    """A table that can be sorted, filtered and downloaded; `name` is also that of its files.

    `title` is its caption. Without a script only the first rows are shown, so put the most important rows
    first.
    """

    name: str
    title: str
    columns: list[PageColumn]

    def __post_init__(self) -> None:
        """Raises FieldError if columns differ in length."""
        for i, column in enumerate(self.columns):
            if len(column.values) != self.n_rows:
                raise FieldError(f"columns[{i}].values", len(column.values), f"{self.n_rows} values")

    @property
    def n_rows(self) -> int:
        return len(self.columns[0].values)


class PagePhase(Noun, frozen=True):
    """A part of the recorded run; phases of one `pattern` have the same communication pattern."""

    begin_s: Number
    end_s: Number
    pattern: Index


class PageTimeline(Noun, frozen=True, kw_only=True):
    """What each rank did when: `rank[i]` was in `calls[call[i]]` from `begins_s[i]` to `ends_s[i]`.

    `waits[i]`: the rank only waited in that call. A message is one entry of `src` to `message_bytes`.
    `left_out` counts the activities and messages that are not shown.
    """

    FORMAT: ClassVar[str] = "corewise-timeline"
    WRITTEN_BY: ClassVar[str] = "corewise tune --from"

    begin_s: Number
    end_s: Number
    phases: list[PagePhase]
    calls: list[str]
    rank: list[Index]
    call: list[Index]
    begins_s: list[Number]
    ends_s: list[Number]
    waits: list[bool]
    src: list[Index]
    dst: list[Index]
    sent_s: list[Number]
    received_s: list[Number]
    message_bytes: list[int]
    left_out: Index = 0

    def __post_init__(self) -> None:
        """Raises FieldError if columns differ in length, or if a call is not in `calls`."""
        of_activities = ("call", "begins_s", "ends_s", "waits")
        of_messages = ("dst", "sent_s", "received_s", "message_bytes")
        for names, n in ((of_activities, len(self.rank)), (of_messages, len(self.src))):
            for name in names:
                if len(getattr(self, name)) != n:
                    raise FieldError(name, len(getattr(self, name)), f"{n} values")
        if self.call and max(self.call) >= len(self.calls):
            raise FieldError("call", max(self.call), f"numbers below {len(self.calls)}, one of calls each")


class PageData(Noun, frozen=True, kw_only=True):
    """Everything that the script of a page shows; the sections of the page say the same in text.

    `placements` are default, best, worst and others, in this order. `files` are texts to download, by file
    name. `partners` is present if `traffic` has blocks.
    """

    FORMAT: ClassVar[str] = "corewise-page"
    WRITTEN_BY: ClassVar[str] = "corewise report"
    LEFT_OUT: ClassVar[tuple[str, ...]] = ("partners", "timeline")

    title: str
    date: str
    machine: PageMachine
    placements: list[PagePlacement]
    traffic: PageTraffic
    partners: PagePartners | None = None
    tables: list[PageTable]
    files: dict[str, str]
    timeline: PageTimeline | None = None

    def __post_init__(self) -> None:
        """Raises FieldError if a placement has another number of ranks than the traffic."""
        for i, placement in enumerate(self.placements):
            if len(placement.node) != self.traffic.n_ranks:
                expected = f"{self.traffic.n_ranks} ranks, those of traffic"
                raise FieldError(f"placements[{i}].node", len(placement.node), expected)
