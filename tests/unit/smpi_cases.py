"""Recordings built by hand or at random, and a check of the traces that are written from them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np
from corewise.model import Layer
from corewise.simulation.smpi_trace import RecordedEvents

WORLD = 1
_COLUMNS = {
    "rank": np.int32, "thread": np.uint32, "call": np.int32, "peer": np.int32, "tag": np.int64,
    "comm": np.uint64, "bytes": np.uint64, "begin_s": float, "end_s": float, "sends": np.uint8,
    "receives": np.uint8, "collective": np.uint8, "starts": np.uint8, "part": np.uint8, "failed": np.uint8,
    "completed_by": np.int64, "matches": np.int64,
}  # fmt: skip


@dataclass
class Job:
    """Builds a recording call by call. Calls take no time; compute() advances a rank's `now_s`."""

    n_ranks: int
    members: dict[int, list[int]] = field(default_factory=dict)
    rows: list[dict] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.now_s = [0.0] * self.n_ranks
        self.members.setdefault(WORLD, list(range(self.n_ranks)))

    def compute(self, rank: int, seconds: float) -> None:
        self.now_s[rank] += seconds

    def call(self, rank: int, name: str, layer: Layer = Layer.p2p, **columns) -> int:
        """Adds an event. Returns its index in `rows`, by which messages are matched."""
        row = dict.fromkeys(_COLUMNS, 0) | {"peer": -1, "completed_by": -1, "matches": -1, "comm": WORLD}
        now_s = self.now_s[rank]
        row |= {"rank": rank, "name": name, "layer": layer, "begin_s": now_s, "end_s": now_s}
        self.rows.append(row | columns)
        return len(self.rows) - 1

    def message(self, src: int, dst: int, size: int, blocking: bool = True) -> None:
        """A message that is received at once. If it is non-blocking, both sides wait for it at once."""
        i = "" if blocking else "I"
        send = self.call(src, f"MPI_{i}send".replace("_s", "_S"), peer=dst, bytes=size, sends=1)
        receive = self.call(dst, f"MPI_{i}recv".replace("_r", "_R"), peer=src, bytes=size, receives=1)
        self.rows[send]["matches"], self.rows[receive]["matches"] = receive, send
        if not blocking:
            for event, rank in ((send, src), (receive, dst)):
                self.rows[event] |= {"starts": 1, "completed_by": self.call(rank, "MPI_Wait")}

    def collective(self, name: str, size: int = 0, root: int = -1, comm: int = WORLD) -> None:
        for rank in self.members[comm]:
            self.call(rank, name, Layer.coll, collective=1, bytes=size, peer=root, comm=comm)

    def recording(self) -> RecordedEvents:
        """The events sorted by rank, as in an EventLog."""
        order = sorted(range(len(self.rows)), key=lambda i: self.rows[i]["rank"])
        place = {old: new for new, old in enumerate(order)} | {-1: -1}
        calls = list(dict.fromkeys((row["name"], row["layer"]) for row in self.rows))
        rows = [
            self.rows[i] | {"call": calls.index((self.rows[i]["name"], self.rows[i]["layer"]))} for i in order
        ]
        for row in rows:
            row |= {name: place[row[name]] for name in ("completed_by", "matches")}
        columns = {name: np.array([row[name] for row in rows], dtype=kind) for name, kind in _COLUMNS.items()}
        return RecordedEvents("p", columns, calls, self.members, [0.0] * self.n_ranks, list(self.now_s))


def actions(lines: list[list[str]]) -> list[list[str]]:
    """For each rank its actions with their numbers, without the rank at the start of each line."""
    for rank, of_rank in enumerate(lines):
        assert all(line.split()[0] == str(rank) for line in of_rank)
    return [[line.partition(" ")[2] for line in of_rank] for of_rank in lines]


def check_trace(lines: list[list[str]]) -> Counter[str]:
    """Checks that SMPI can replay the trace; returns how often each action occurs.

    Every send has one receive of its tag and size, and every request one wait after it. All ranks have the
    same collectives in the same order.
    """
    counts: Counter[str] = Counter()
    ends: dict[str, Counter] = {"send": Counter(), "recv": Counter()}
    collectives = []
    for rank, of_rank in enumerate(actions(lines)):
        assert (of_rank[0], of_rank[-1]) == ("init", "finalize")
        is_open: Counter[tuple[str, ...]] = Counter()
        collectives.append([])
        for line in of_rank[1:-1]:
            action, *numbers = line.split()
            counts[action] += 1
            if action.lstrip("i") in ends:
                kind, (peer, tag, size) = action.lstrip("i"), numbers
                pair = (str(rank), peer) if kind == "send" else (peer, str(rank))
                ends[kind][(*pair, tag, size)] += 1
                if action[0] == "i":
                    is_open[(*pair, tag)] += 1
                    assert is_open[(*pair, tag)] <= (2 if pair[0] == pair[1] else 1)
            elif action == "wait":
                is_open[tuple(numbers)] -= 1
            elif action != "compute":
                collectives[-1].append(action)
        assert set(is_open.values()) <= {0}
    assert ends["send"] == ends["recv"]
    assert max(ends["send"].values(), default=1) == 1
    assert all(of_rank == collectives[0] for of_rank in collectives)
    return counts
