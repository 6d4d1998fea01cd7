"""Kind `size-classes`: messages in stored traces by the distance between ranks and by size."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass

from corewise.plugin.documents import Table, read_json

from corewise_laboratory.studies.kinds.kind import Kind, Runs, StudyOptions
from corewise_laboratory.studies.rows import Outcome, ResultRow
from corewise_laboratory.studies.stored_inputs import stored_input


@dataclass(frozen=True)
class SizeClassesSpec:
    """Stored documents of `corewise show --json PROFILE`, by the label of their rows."""

    profiles: dict[str, str]

    axes = ("profile", "distance", "group", "inside", "busiest", "size_class")


def _read(table: Table) -> SizeClassesSpec:
    table.refuse_others(("kind", "profiles"))
    profiles = table.table("profiles")
    return SizeClassesSpec({label: profiles.get(label, str) for label in profiles.values})


def _run(runs: Runs, options: StudyOptions) -> Outcome:
    """Rows with the sums over pairs of ranks, for each profile, distance, group and size class.

    `group` is the size (a power of 2) of the smallest aligned group with both ranks. `inside` is 1 if that is
    at most a column of HPL's process grid: 2 of 16 processes, 4 of 32. `busiest` is 1 for pairs of an even
    rank and the rank with which it exchanges most messages.
    """
    rows: list[ResultRow] = []
    for label, name in runs.spec.profiles.items():
        options.tell(f"reading {name}")
        document = read_json(stored_input(name, options.data), "a document of corewise show --json PROFILE")
        rows += _rows(label, document.tables("sizes_by_pair"))
    return Outcome(
        rows=rows,
        decides=True,
        because="as traced here with the program of the paper",
        document={"rows": [row.to_json() for row in rows]},
    )


def _rows(profile: str, entries: list[Table]) -> list[ResultRow]:
    busiest = _busiest(entries)
    sums: dict[tuple[int, int, int, bool], dict[str, float]] = {}
    n_ranks = 1 + max(entry.whole(end) for entry in entries for end in ("src", "dst"))
    for entry in entries:
        src, dst = entry.whole("src"), entry.whole("dst")
        group, is_busiest = 1 << (src ^ dst).bit_length(), frozenset((src, dst)) in busiest
        key = (abs(dst - src), group, entry.whole("class", most=64), is_busiest)
        found = sums.setdefault(key, {"messages": 0, "bytes": 0})
        for column in found:
            found[column] += entry.number(column)
    return [
        ResultRow(
            {
                "profile": profile,
                "distance": str(distance),
                "group": str(group),
                "size_class": str(size_class),
            }
            | {"inside": str(int(8 * group <= n_ranks)), "busiest": str(int(is_busiest))},
            {
                "distance": float(distance),
                "group_size": float(group),
                "least_bytes": float(2 ** (size_class - 1) if size_class else 0),
                **found,
            },
        )
        for (distance, group, size_class, is_busiest), found in sorted(sums.items())
    ]


def _busiest(entries: list[Table]) -> set[frozenset[int]]:
    """The pairs of each even rank and the rank, or equal ranks, with which it exchanges most messages."""
    messages: dict[int, Counter[int]] = defaultdict(Counter)
    for entry in entries:
        src, dst = entry.whole("src"), entry.whole("dst")
        if src != dst:
            for rank, other in ((src, dst), (dst, src)):
                messages[rank][other] += int(entry.number("messages"))
    return {
        frozenset((rank, other))
        for rank, of_rank in messages.items()
        for other, n in of_rank.items()
        if rank % 2 == 0 and n == max(of_rank.values())
    }


KIND = Kind(
    name="size-classes",
    sentence="messages of stored traces by the distance of the two ranks and by size",
    starts=False,
    read=_read,
    run=_run,
    source_of=lambda _: "measured",
)
