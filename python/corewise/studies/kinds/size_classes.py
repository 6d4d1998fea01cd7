"""Kind `size-classes`: messages of stored profiles by pair of ranks and size."""

from __future__ import annotations

from dataclasses import dataclass

from corewise.errors import InputError
from corewise.files.table import Table
from corewise.profile.inputs import read_input
from corewise.profile.tables import sizes_by_pair
from corewise.studies.kinds.kind import Kind, Runs, StudyOptions
from corewise.studies.rows import Outcome, Row
from corewise.studies.stored_inputs import stored_input


@dataclass(frozen=True)
class SizeClassesSpec:
    """Names of stored profiles, by the label of their rows."""

    profiles: dict[str, str]

    axes = ("profile", "distance", "class")


def _read(table: Table) -> SizeClassesSpec:
    table.refuse_others(("kind", "profiles"))
    profiles = table.table("profiles")
    return SizeClassesSpec({label: profiles.get(label, str) for label in profiles.values})


def _run(runs: Runs, options: StudyOptions) -> Outcome:
    """A row for each profile, distance between the two ranks, and size class: the sums over its pairs."""
    rows: list[Row] = []
    for label, name in runs.spec.profiles.items():
        options.tell(f"reading {name}")
        found = read_input(str(stored_input(name, options.data)))
        if found.profile is None:
            raise InputError(f"{name}: holds no sizes of messages; expected a profile")
        rows += _rows(label, sizes_by_pair(found.profile, "p2p") or [])
    return Outcome(
        rows=rows,
        decides=True,
        because="as traced here with the program of the paper",
        document={"rows": [row.labels | row.values for row in rows]},
    )


def _rows(profile: str, entries: list[dict]) -> list[Row]:
    sums: dict[tuple[int, int], dict[str, int]] = {}
    for entry in entries:
        key = (abs(entry["dst"] - entry["src"]), entry["class"])
        found = sums.setdefault(key, {"messages": 0, "bytes": 0})
        for column in found:
            found[column] += entry[column]
    return [
        Row(
            {"profile": profile, "distance": str(distance), "class": str(size_class)},
            {
                "distance": float(distance),
                "least_bytes": float(2 ** (size_class - 1) if size_class else 0),
                **{column: float(value) for column, value in found.items()},
            },
        )
        for (distance, size_class), found in sorted(sums.items())
    ]


KIND = Kind(
    name="size-classes",
    sentence="messages of stored profiles by the distance of the two ranks and by size",
    starts=False,
    read=_read,
    run=_run,
    source_of=lambda _: "measured",
)
