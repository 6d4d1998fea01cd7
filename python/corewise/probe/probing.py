"""The whole probe: the machine of a command's hosts, measurements, and figures of every level."""

from __future__ import annotations

import os
import re
import select
import subprocess
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from itertools import combinations
from pathlib import Path

from corewise.errors import InputError, MissingError, RunError
from corewise.launchers import Launcher
from corewise.machines.machine_file import Heading, machine_toml
from corewise.model import Assignment, Machine
from corewise.nouns.placement import Placement
from corewise.nouns.run import Run
from corewise.observe.conditions import conditions, load_now
from corewise.observe.node_topologies import machine_of
from corewise.observe.preconditions import HostsKnown, check_number_of_ranks, check_placement
from corewise.observe.runs import run_observed
from corewise.probe.fitting import Estimate, FittedLevel, NothingMeasured, Samples, are_equal, figures_of
from corewise.probe.pairs import Pair, ProbePlan, plan_probe
from corewise.start.application import Application, parse_application
from corewise.start.folder import working_directory
from corewise.start.programs import find_launcher, launcher_version, native
from corewise.start.streams import Streams
from corewise.start.wanted import Wanted
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


PROGRAM = "link-probe"
FAMILIES = ("openmpi", "mpich")  # MPI families for which link-probe is built
MOST_PASSES = 10
_MARGIN_S = 300.0  # time beyond the limit for start, first pass and end


class ProbeFailed(RunError):
    """link-probe failed, or a rank ran elsewhere; exit code 1."""


@dataclass(frozen=True)
class MeasuredPasses:
    """`samples[i]` are the passes of measurement i; `run` has the verified bindings."""

    samples: Samples
    n_passes: int
    run: Run


def probe_application(argv: list[str], family: str | None) -> Application:
    """The user's command `LAUNCHER ...` with link-probe as its program.

    `family` is the MPI to measure with, see probe_program(). Raises InputError if the command has a program,
    or maps or binds ranks; MissingError.
    """
    application = parse_application([*argv, probe_program(find_launcher(argv[0]), family)])
    if len(application.command.programs) > 1 or len(application.command.app) > 1:
        raise InputError(
            f"'{application.command.app[0]}' is a program; probe starts its own: expected only the launcher "
            "and its options"
        )
    application.refuse_placing()
    return application


def probe_program(launcher: Launcher, family: str | None = None) -> str:
    """The path of link-probe for `family`, or for the launcher's first family for which it was built.

    Raises InputError for a family that the launcher doesn't start, MissingError if it wasn't built.
    """
    if family and family not in launcher.families:
        raise InputError(
            f"{launcher.name} starts programs of {', '.join(launcher.families)}; found --mpi {family}"
        )
    for name in [family] if family else [name for name in FAMILIES if name in launcher.families]:
        with suppress(MissingError):
            return native(f"probe-{name}/{PROGRAM}")
    raise MissingError(
        f"{PROGRAM} for {family or launcher.name} is not installed: it links MPI, so wheels leave it out; "
        "install corewise from its source where this MPI has its compiler wrapper"
    )


def measure(
    application: Application,
    machine: Machine,
    plan: ProbePlan,
    limit_s: float,
    say: Callable[[int, int], None],
) -> MeasuredPasses:
    """Measures in as many passes as fit into `limit_s`; `machine` is that of the command's hosts.

    Calls `say` with pass and measurement, both from 0, after each measurement. Raises ProbeFailed.
    """
    placement = Placement.of(Assignment.from_cores(plan.cores), machine)
    placed = _without_ranks(application)
    check_placement(placement, placed, HostsKnown(placed.host_names, machine))
    with working_directory() as folder:
        (folder / "plan").write_text(plan.text())
        arguments = [str(folder / "plan"), str(MOST_PASSES), f"{limit_s:g}"]
        started = _with_arguments(placed, arguments)
        profile = folder / "profile"
        launch = started.plan_placed(placement, str(folder), str(profile), observe="verify")
        rows = _Rows(say)
        with rows.streams(folder / "messages") as streams:
            wanted = Wanted(application.host_names, placement)
            run = run_observed(launch, "probe", profile, wanted, streams, limit_s + _MARGIN_S)
        _check(run, rows, (folder / "messages").read_text(errors="replace"))
    return MeasuredPasses(rows.samples, rows.n_passes, run)


def _without_ranks(application: Application) -> Application:
    """Removes the number of ranks, which the plan determines."""
    names = application.launcher.options.n_ranks
    command = application.command.without(lambda option: option.name in names)
    return replace(application, command=command)


def _with_arguments(application: Application, arguments: list[str]) -> Application:
    program = application.command.programs[0]
    command = replace(application.command, programs=[replace(program, app=[*program.app, *arguments])])
    return replace(application, command=command)


def _check(run: Run, rows: _Rows, printed: str) -> None:
    if run.exit_code != 0:
        words = [line.strip() for line in printed.splitlines() if line.strip()]
        own = [line for line in words if line.startswith(f"{PROGRAM}: ")]
        said = (own or words or ["it said nothing"])[-1 if not own else 0]
        raise ProbeFailed(f"{PROGRAM} ended with exit code {run.exit_code}: {said}")
    wrong = next((rank for rank in run.ranks if not rank.ok), None)
    if wrong is not None:
        raise ProbeFailed(
            f"rank {wrong.rank} ran on {wrong.host or 'an unknown host'}, hardware threads "
            f"{wrong.os_pus_seen}; expected {wrong.host_wanted}, {wrong.os_pus_wanted}: nothing is known of "
            "these cores"
        )
    if not rows.samples:
        raise ProbeFailed(f"{PROGRAM} printed no measurement; does the launcher pass on what rank 0 prints?")


class _Rows:
    """The relay of link-probe's output: collects samples from its rows, and ignores other lines."""

    def __init__(self, say: Callable[[int, int], None]) -> None:
        self.samples: dict[int, list[list[float]]] = defaultdict(list)
        self.n_passes = 0
        self._say, self._rest = say, b""

    @contextmanager
    def streams(self, messages: Path) -> Iterator[Streams]:
        """Streams with standard output to this relay, and standard error to the file `messages`."""
        self._pipe, into = os.pipe()
        os.set_blocking(self._pipe, False)
        with messages.open("wb") as errors:
            try:
                yield Streams(subprocess.DEVNULL, into, errors, (self,))
            finally:
                os.close(into)
                while self._take():
                    pass
                os.close(self._pipe)

    def waits_for(self) -> tuple[int, int]:
        """See Relay."""
        return self._pipe, select.POLLIN

    def move(self) -> None:
        """See Relay."""
        self._take()

    def _take(self) -> bool:
        try:
            chunk = os.read(self._pipe, 1 << 16)
        except BlockingIOError:
            return False
        self._rest += chunk
        *lines, self._rest = self._rest.split(b"\n")
        for line in lines:
            self._add(line)
        return bool(chunk)

    def _add(self, line: bytes) -> None:
        found = re.fullmatch(rb"(\d+),(\d+),([0-9.e+ -]+)", line.strip())
        if found:
            number, measurement = int(found[1]), int(found[2])
            self.samples[measurement].append([float(word) for word in found[3].split()])
            self.n_passes = max(self.n_passes, number + 1)
            self._say(number, measurement)
