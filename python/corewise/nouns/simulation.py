"""What `corewise simulate --json` prints, read again: the runs of each placement and their intervals."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from msgspec import structs

from corewise.errors import InputError
from corewise.files.document import read_json
from corewise.files.table import Table, check_format
from corewise.nouns.run import Run, RunKey
from corewise.statistics import Interval

FORMAT = "corewise-simulation"
VERSION = 1
_WHAT = "what `corewise simulate --json` prints"


@dataclass(frozen=True)
class SimulationFile:
    """`intervals` has the interval of each placement's time, s, as its engine states it; `notes` are full
    sentences on what the times hold for, for people."""

    machine: str
    runs: list[Run]
    intervals: dict[RunKey, Interval]
    notes: list[str]

    def named_by_machine(self) -> SimulationFile:
        """The same with the machine in every label: times on other machines are no repeats of these."""
        runs = [structs.replace(run, label=f"{run.label} on {self.machine}") for run in self.runs]
        intervals = {
            key._replace(label=f"{key.label} on {self.machine}"): value
            for key, value in self.intervals.items()
        }
        return SimulationFile(self.machine, runs, intervals, self.notes)


def is_simulation(path: Path) -> bool:
    """A file whose document says that it is a simulation."""
    try:
        return read_json(path, _WHAT).values.get("format") == FORMAT
    except InputError:
        return False


def read_simulation(path: Path) -> SimulationFile:
    """Raises InputError naming file and key."""
    top = read_json(path, _WHAT)
    check_format(top, FORMAT, VERSION)
    runs: list[Run] = []
    intervals: dict[RunKey, Interval] = {}
    for result in top.tables("runs") if top.holds("runs") else [top]:
        repeats = [Run.from_table(table) for table in result.tables("repeats")]
        runs += repeats
        if repeats and result.holds("interval_s"):
            intervals[repeats[0].key] = _interval(result)
    return SimulationFile(top.get("machine", str), runs, intervals, top.texts("notes"))


def _interval(result: Table) -> Interval:
    bounds = result.numbers("interval_s")
    if len(bounds) != 2:
        raise result.error("interval_s", bounds, "two numbers, low and high")
    confidence = result.number("confidence") if result.holds("confidence") else None
    return Interval(bounds[0], result.number("makespan_s"), bounds[1], confidence)
