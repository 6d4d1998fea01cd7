"""The whole probe: the machine of a command's hosts, measurements, and figures of every level."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timezone
from itertools import combinations

from corewise.errors import InputError
from corewise.machines.machine_file import Heading, machine_toml
from corewise.model import Machine
from corewise.observe.conditions import conditions, load_now
from corewise.observe.node_topologies import machine_of
from corewise.observe.preconditions import check_number_of_ranks
from corewise.probe.fitting import Estimate, FittedLevel, NothingMeasured, are_equal, figures_of
from corewise.probe.measuring import MeasuredPasses, measure, probe_application
from corewise.probe.pairs import Pair, ProbePlan, plan_probe
from corewise.start.application import Application
from corewise.start.programs import launcher_version
from corewise.text.escaping import shell_text
from corewise.text.node_list import fold_host_words
from corewise.text.quantities import counted, rate_text, seconds_text

MOST_RANKS = 64  # enough for representatives of every level; more ranks only prolong the start
TURNS_BELOW = 1.5  # times one direction's bandwidth, as for LinkFigures.duplex


@dataclass(frozen=True)
class ProbeResult:
    """`levels` are the measured levels by name; `notes` are sentences on the findings."""

    machine: Machine
    command: list[str]
    date: str
    levels: dict[str, FittedLevel]
    notes: list[str]
    measured: MeasuredPasses
    conditions: dict[str, str]

    def machine_file(self, name: str) -> str:
        """The text of the machine file; levels that weren't measured keep their assumed figures."""
        heading = Heading(
            name=name,
            summary=f"{counted(self.machine.n_nodes, 'node')}, measured on {self.date}",
            source=f"corewise probe -- {shell_text(fold_host_words(self.command))}",
            facts={"measured": [*(f"{what}: {how}" for what, how in self.conditions.items()), *self.notes]},
        )
        return machine_toml(
            self.machine, heading, {name: found.figures for name, found in self.levels.items()}
        )


def probe(
    argv: list[str], family: str | None, limit_s: float, say: Callable[[int, int, int], None]
) -> ProbeResult:
    """Measures every level of the machine of `argv`, a launcher with its options.

    A number of ranks in the command is an upper limit. Calls `say` after each measurement with its pass and
    its number, both from 1, and the number of measurements of a pass. Raises InputError, MissingError,
    ProbeFailed and NothingMeasured.
    """
    application = probe_application(argv, family)
    machine = machine_of(application)
    check_number_of_ranks(application, machine)
    if machine.n_levels == 0:
        raise InputError(
            f"{machine.name} has one core; expected two or more, between which something is measured"
        )
    load = load_now()
    plan = plan_probe(machine, min(application.n_ranks or MOST_RANKS, MOST_RANKS))
    if not plan.measurements:
        raise InputError(f"found {application.n_ranks} rank; expected two or more, or no number of ranks")
    n = len(plan.measurements)
    measured = measure(application, machine, plan, limit_s, lambda i, line: say(i + 1, line + 1, n))
    date = datetime.now(timezone.utc).date().isoformat()
    source = f"measured {date}, {_launcher(application)}, {passes_text(measured.n_passes)}"
    levels = _levels(machine, plan, measured, source)
    return ProbeResult(
        machine=machine,
        command=argv,
        date=date,
        levels=levels,
        notes=[*([load.busy_note] if load.busy_note else []), *_notes(machine, levels)],
        measured=measured,
        conditions={"launcher": _launcher(application), "passes": str(measured.n_passes)} | conditions(load),
    )


def _levels(
    machine: Machine, plan: ProbePlan, measured: MeasuredPasses, source: str
) -> dict[str, FittedLevel]:
    """The levels' figures by name, lowest first, without levels that had too few ranks."""
    levels = {}
    for number, level in enumerate(machine.levels, start=1):
        with suppress(NothingMeasured):
            levels[level.name] = figures_of(number, plan.measurements, measured.samples, source)
    if not levels:
        raise NothingMeasured("no level was measured: the first pass was not finished")
    return levels


def passes_text(n_passes: int) -> str:
    """Such as "1 pass" or "2 passes"."""
    return "1 pass" if n_passes == 1 else f"{n_passes} passes"


def _launcher(application: Application) -> str:
    version = launcher_version(application.command.executable)
    return f"{application.launcher.name} {version} with {application.family}"


def _notes(machine: Machine, levels: dict[str, FittedLevel]) -> list[str]:
    return [
        *(
            f"level {level.name} was not measured, it needs more ranks: its figures are assumed"
            for level in machine.levels
            if level.name not in levels
        ),
        *(
            f"levels {low} and {high} have equal figures as far as their bounds tell: at which of both two "
            "ranks meet doesn't matter"
            for low, high in combinations(levels, 2)
            if are_equal(levels[low].figures, levels[high].figures)
        ),
        *(note for name, found in levels.items() for note in _level_notes(name, found)),
    ]


def _level_notes(name: str, found: FittedLevel) -> list[str]:
    notes = []
    if found.groups:
        groups = ", ".join(_group_text(group) for group in found.groups)
        notes.append(f"pairs of level {name} fall into groups, as if the tree lacked a level: {groups}")
    streams = [load for load in found.figures.loads if load[1] == 1 and not load[2]]
    if len(streams) > 1 and streams[-1][3] > 1.5 * streams[-2][3]:
        notes.append(
            f"the bandwidth of level {name} still grew from {streams[-2][0]} to {streams[-1][0]} pairs: a "
            "link carries at least that much"
        )
    notes += both_ways_notes(name, found)
    if found.figures.shares_bus:
        notes.append(f"links of level {name} share a bus: together they carry less than each of them alone")
    return notes


def both_ways_notes(name: str, found: FittedLevel) -> list[str]:
    """A sentence on how both directions were measured, if that affects the figure."""
    exchanged = found.exchange_bytes_per_s
    if exchanged is None or found.figures.duplex is None:
        return []
    if not found.crossed and not found.figures.duplex:
        return [
            f"both directions of level {name} were measured with two ranks that exchange messages: where "
            "these take turns, as over TCP, a link carries more"
        ]
    one, crossed = (_load_of_one(found, both_ways) for both_ways in (False, True))
    if found.crossed and found.figures.duplex and exchanged < TURNS_BELOW * one:
        return [
            f"two ranks that exchange long messages over level {name} take turns: they get "
            f"{rate_text(exchanged)} together, a pair for each direction {rate_text(crossed)}"
        ]
    return []


def _load_of_one(found: FittedLevel, both_ways: bool) -> float:
    """The rate of one pair, or of one pair in each direction, bytes/s; exists if `duplex` is known."""
    return next(load[3] for load in found.figures.loads if load[:3] == (1, 1, both_ways))


def _group_text(group: list[tuple[Pair, Estimate]]) -> str:
    times_s = [found.time_s for _, found in group]
    first, second = group[0][0]
    return (
        f"{counted(len(group), 'pair')} of {seconds_text(min(times_s))} to {seconds_text(max(times_s))} "
        f"(such as cores {first} and {second})"
    )
