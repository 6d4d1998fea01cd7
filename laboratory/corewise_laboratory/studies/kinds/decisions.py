"""Kind `decisions`: decisions of steering on artificial observations of a node, computed."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from corewise.plugin.documents import Table
from corewise.plugin.execution import LOG_FIRST_LINE, replay
from corewise.plugin.figures import TextTable

from corewise_laboratory.studies.kinds.kind import Kind, Runs, StudyOptions
from corewise_laboratory.studies.rows import Outcome, ResultRow

INTERVAL_NS = 50_000_000
N_INTERVALS = 8  # two windows, in case the first isn't enough for a decision
CALLS = 100
# 30 % of an interval, with 700 ns per packet (preload/steer/settings.def).
PACKETS = 21_400


@dataclass(frozen=True)
class DecisionsSpec:
    """`cores` have the fields of "core" lines in a steering log; the first processes the node's packets.

    Rank i is on core i. `waits` has fractions of time by name: there is a row for each pair of them, for
    ranks 0 and 1. All other ranks wait `others`.
    """

    cores: list[str]
    waits: dict[str, float]
    others: float

    axes = ("protocol_core", "elsewhere")


def _read(table: Table) -> DecisionsSpec:
    table.refuse_others(("kind", "cores", "waits", "others"))
    cores, waits = table.texts("cores"), table.table("waits")
    if len(cores) < 2:
        raise table.error("cores", cores, "two cores or more")
    return DecisionsSpec(cores, {name: waits.number(name) for name in waits.values}, table.number("others"))


def _run(runs: Runs, options: StudyOptions) -> Outcome:
    """A row for each pair of waits, with `swaps`, and the ranks that come to core 0 and leave it, or -1."""
    options.tell("deciding on made observations")
    spec: DecisionsSpec = runs.spec
    rows = [_row(spec, on_first, on_second) for on_first, on_second in product(spec.waits, repeat=2)]
    heads = ["<waits on the packets' core", "<waits elsewhere", "<decision"]
    cells = [[*row.labels.values(), "swap" if row.values["swaps"] else "none"] for row in rows]
    return Outcome(
        rows=rows,
        decides=True,
        because="as steering's decision function answers to made observations of such a node",
        tables={"Decisions (computed)": TextTable(heads, cells, [])},
        document={"rows": [row.to_json() for row in rows]},
    )


def _row(spec: DecisionsSpec, on_first: str, on_second: str) -> ResultRow:
    waits = [spec.waits[on_first], spec.waits[on_second], *[spec.others] * (len(spec.cores) - 2)]
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "made.steer-log"
        log.write_text(made_log(spec.cores, waits))
        decisions = replay(log).decisions
    swaps = [decision.ranks for decision in decisions if decision.action == "swap"]
    comes, leaves = swaps[0] if swaps else (-1, -1)
    values = {"swaps": float(len(swaps)), "comes": float(comes), "leaves": float(leaves)}
    return ResultRow({"protocol_core": on_first, "elsewhere": on_second}, values)


def made_log(cores: list[str], waits: list[float]) -> str:
    """A steering log. Rank i on core i waits the fraction `waits[i]` of its time, and computes otherwise.

    Core 0 processes packets for 30 % of its time."""
    lines = [LOG_FIRST_LINE, *(f"core id={number} {fields}" for number, fields in enumerate(cores))]
    for number in range(1, N_INTERVALS + 1):
        lines.append(f"tick number={number} time_ns={number * INTERVAL_NS} length_ns={INTERVAL_NS}")
        for rank, wait in enumerate(waits):
            waited = round(wait * INTERVAL_NS)
            lines.append(
                f"rank id={rank} core={rank} compute_ns={INTERVAL_NS - waited} wait_ns={waited} calls={CALLS}"
            )
        lines += [f"load core=0 packets={PACKETS}", "decide"]
    return "\n".join(lines) + "\n"


KIND = Kind(
    name="decisions",
    sentence="what steering's decision function answers to made observations of one node",
    starts=False,
    read=_read,
    run=_run,
    source_of=lambda _: "computed",
)
