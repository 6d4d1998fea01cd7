"""Runs from stored documents: messages of traces by distance and size, and link figures of machines."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Any, ClassVar

import corewise
from corewise.model import LinkFigures

from corewise_laboratory.studies.rows import Row, Rows
from corewise_laboratory.studies.study import Options, Outcome, Runs, row_of, stored_input


@dataclass(frozen=True, kw_only=True)
class SizeClasses(Runs):
    """Messages of traces by the distance of the two ranks and by size.

    `profiles` are stored documents of `corewise show --json PROFILE`, by the label of their rows.
    """

    profiles: dict[str, str]
    source: ClassVar[str] = "measured"
    columns: ClassVar[tuple[str, ...]] = ("messages", "bytes", "least_bytes")

    def run(self, options: Options) -> Outcome:
        """Rows with the sums over pairs of ranks, for each profile, distance, group and size class.

        `group` is the size (a power of 2) of the smallest aligned group with both ranks. `inside` is 1 if
        that is at most a column of HPL's process grid: 2 of 16 processes, 4 of 32. `busiest` is 1 for pairs
        of an even rank and the rank with which it exchanges most messages.
        """
        rows: list[Row] = []
        for label, name in self.profiles.items():
            document = json.loads(stored_input(name, options.data).read_text(encoding="utf-8"))
            rows += _size_rows(label, document["sizes_by_pair"])
        return Outcome(Rows(rows), "as traced here with the program of the paper")


def _size_rows(profile: str, entries: list[dict[str, Any]]) -> list[Row]:
    busiest = _busiest(entries)
    sums: dict[tuple[int, int, int, bool], Counter[str]] = defaultdict(Counter)
    n_ranks = 1 + max(max(entry["src"], entry["dst"]) for entry in entries)
    for entry in entries:
        src, dst = entry["src"], entry["dst"]
        group = 1 << (src ^ dst).bit_length()
        key = (abs(dst - src), group, entry["class"], frozenset((src, dst)) in busiest)
        sums[key].update({column: entry[column] for column in ("messages", "bytes")})
    return [
        row_of(
            {
                "profile": profile,
                "distance": str(distance),
                "group": str(group),
                "size_class": str(size_class),
                "inside": str(int(8 * group <= n_ranks)),
                "busiest": str(int(is_busiest)),
            },
            least_bytes=float(2 ** (size_class - 1) if size_class else 0),
            **{column: float(total) for column, total in found.items()},
        )
        for (distance, group, size_class, is_busiest), found in sorted(sums.items())
    ]


def _busiest(entries: list[dict[str, Any]]) -> set[frozenset[int]]:
    """The pairs of each even rank and the rank, or equal ranks, with which it exchanges most messages."""
    messages: dict[int, Counter[int]] = defaultdict(Counter)
    for entry in entries:
        src, dst = entry["src"], entry["dst"]
        if src != dst:
            messages[src][dst] += entry["messages"]
            messages[dst][src] += entry["messages"]
    return {
        frozenset((rank, other))
        for rank, of_rank in messages.items()
        for other, n in of_rank.items()
        if rank % 2 == 0 and n == max(of_rank.values())
    }


@dataclass(frozen=True, kw_only=True)
class Links(Runs):
    """The time of a message by size on links: (machine, level) by label, from the machine files.

    `sizes` (bytes) are for machine files without a curve.
    """

    links: dict[str, tuple[str, str]]
    sizes: list[int]

    def run(self, options: Options) -> Outcome:
        """The file's curve, else times by latency and bandwidth for the given sizes."""
        rows, notes = [], []
        for link, (machine, name) in self.links.items():
            level = next(level for level in corewise.machine(machine).levels if name in level.names)
            figures = level.link
            notes.append(f"{link}: {figures.source}.")
            points = figures.curve or [(size, *_message_s(figures, size)) for size in self.sizes]
            rows += [
                row_of({"link": link, "size": str(size)}, t=t, low=low, high=high)
                for size, t, low, high in points
            ]
        return Outcome(Rows(rows), "from the machine file's latency and bandwidth", notes=notes)


def _message_s(figures: LinkFigures, size: int) -> tuple[float, float, float]:
    time_s = figures.latency_s + size / figures.bandwidth_bytes_per_s
    return time_s, time_s, time_s
