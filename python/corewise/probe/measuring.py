"""Runs link-probe under the user's launcher, on verified cores, and reads its output."""

from __future__ import annotations

import os
import re
import select
import subprocess
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from corewise.errors import InputError, MissingError, RunError
from corewise.launchers import Launcher
from corewise.model import Assignment, Machine
from corewise.nouns.placement import Placement
from corewise.nouns.run import Run
from corewise.observe.hosts_known import HostsKnown
from corewise.observe.preconditions import check_placement
from corewise.observe.runs import run_observed
from corewise.probe.fitting import Samples
from corewise.probe.pairs import ProbePlan
from corewise.start.application import Application, parse_application
from corewise.start.folder import working_directory
from corewise.start.programs import find_launcher, native
from corewise.start.streams import Streams
from corewise.start.wanted import Wanted

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
