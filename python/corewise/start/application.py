"""Application: a parsed command with its launcher and hosts, and the plans to start it."""

from __future__ import annotations

import os
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from corewise.errors import InputError
from corewise.files.document import read_text
from corewise.launchers import (
    Command,
    HostsFrom,
    Injection,
    Job,
    Launcher,
    inject_unplaced,
    kept_options,
    number_of_hosts,
    number_of_ranks,
    oversubscribes,
    refuse_choosing_hosts,
    refuse_placing,
    refuse_starting_nothing,
    without_placing,
)
from corewise.launchers.command_semantics import environment_of
from corewise.launchers.device_variables import gpu_options, gpus_of_job
from corewise.launchers.hosts import Host, HostSource, distinct
from corewise.launchers.openmp import fixed_thread_bindings, n_threads_asked
from corewise.launchers.programs import ranks_of_programs
from corewise.launchers.wrapper import variables_of
from corewise.nouns.launch_plan import LaunchPlan
from corewise.nouns.placement import JobProgram, Placement, Ranks
from corewise.start.near import Near
from corewise.start.programs import BINDER, family_of_all, find_launcher, native, output_of, preload_of
from corewise.start.surroundings import parameters_around, parsed
from corewise.start.wanted import Wanted

if TYPE_CHECKING:
    from corewise.model import Machine


def hosts_of(
    command: Command, launcher: Launcher, environment: Mapping[str, str]
) -> tuple[list[Host], HostsFrom]:
    """The distinct hosts and who names them. The i-th host is node i of the machine; by default, this host.

    Raises InputError for hosts that can't be read, MissingError if the batch system doesn't answer.
    """
    allocated = launcher.allocated_hosts(environment)
    if allocated is None and launcher.allocated_by:
        raise InputError(
            f"{command.executable} chooses its nodes when it starts, but corewise needs them before; "
            f"start corewise inside an allocation, as in `{launcher.allocated_by} -N 4 corewise ...`"
        )
    if named := launcher.named_hosts(command):
        return distinct(host for source in named for host in _read(source)), "command"
    if allocated:
        return _read(allocated)[: number_of_hosts(command, launcher.options)], "allocation"
    return [Host("localhost")], "nowhere"


def allocated_hosts(launcher: Launcher, environment: Mapping[str, str]) -> list[Host]:
    """The hosts of the batch system's allocation; empty outside one."""
    source = launcher.allocated_hosts(environment)
    return _read(source) if source else []


def _read(source: HostSource) -> list[Host]:
    if source.command:
        return source.hosts(output_of(list(source.command)))
    if source.path is not None:
        return source.hosts(read_text(Path(source.path), f"a host file, as '{source.origin}' names one"))
    return source.hosts(source.text or "")


ALL_OBSERVERS = "trace,verify"


@dataclass(frozen=True)
class RecordedCalls:
    """What to record of MPI calls: `mode` as in `trace --mode`, and at most `event_bytes` for each rank.

    `spawned`: also record processes that MPI_Comm_spawn starts.
    """

    mode: str = "time"
    event_bytes: int = 64 * 2**20
    spawned: bool = False


TIMED = RecordedCalls()
MODES = ("count", "time", "events")


@dataclass(frozen=True)
class Application:
    """`argv` is the command as typed; `hosts[i]` is node i of the machine; `hosts_from` is who names them.

    `family` is the program's MPI; `n_ranks` is None if the command leaves it to the launcher. For runs under
    a placement, `binder_settings` are further lines of the binder's file, and `near` chooses the devices that
    ranks see. `machine` is the machine of the hosts, None if it was not determined.
    """

    argv: list[str]
    launcher: Launcher
    command: Command
    hosts: list[Host]
    hosts_from: HostsFrom
    family: str
    binder_settings: tuple[str, ...] = ()
    near: Near | None = None
    machine: Machine | None = None

    @property
    def n_ranks(self) -> int | None:
        return number_of_ranks(self.command, self.launcher.options)

    def programs(self, n_ranks: int) -> list[JobProgram]:
        """The programs, each with its ranks (`n_ranks` together) and with its options that don't place.

        Empty if the command leaves the numbers of ranks of several programs to the launcher.
        """
        table, name = self.launcher.options, self.launcher.name
        command, _ = without_placing(self.command, table)
        alone = len(command.programs) == 1
        ranks = [list(range(n_ranks))] if alone else ranks_of_programs(command, table) or []
        rows = zip(ranks, command.programs, kept_options(command, table), strict=False)
        return [JobProgram(Ranks(own), one.app, name, options) for own, one, options in rows]

    @property
    def host_names(self) -> list[str]:
        """The names of the hosts, indexed by node of the machine."""
        return [host.name for host in self.hosts]

    @property
    def oversubscribes(self) -> bool:
        """Whether the command itself lets ranks share a core."""
        return oversubscribes(self.command, self.launcher.options)

    def refuse_placing(self) -> None:
        """Raises InputError if the command maps or binds ranks, because corewise does that."""
        refuse_placing(self.command, self.launcher.options)

    def refuse_unplaceable(self) -> None:
        """Raises InputError if corewise can't place the ranks even without the command's own binding."""
        refuse_choosing_hosts(self.command, self.launcher.options)

    @property
    def own_binding(self) -> list[str]:
        """The parts of the command that map or bind, as text; plans under a placement leave them out."""
        variables = [f"{name}={self.environment[name]}" for name in fixed_thread_bindings(self.environment)]
        variables += [f"{name} = {value}" for name, value in self.site_placing.items()]
        return [*without_placing(self.command, self.launcher.options)[1], *variables]

    @property
    def binds_threads(self) -> bool:
        """Whether a variable binds threads to numbered hardware threads, even outside the ranks' masks."""
        return bool(fixed_thread_bindings(self.environment))

    @property
    def site_placing(self) -> dict[str, str]:
        """The MCA parameters that map or bind; plans under a placement switch them off."""
        neutral = self.launcher.neutral_parameters
        around = parameters_around(self.command.executable, self.launcher, os.environ)
        return {
            name: value
            for name, value in sorted(around.items())
            if name in neutral and value != neutral[name]
        }

    @property
    def environment(self) -> dict[str, str]:
        """The program's environment, as far as this process and the command determine it."""
        return environment_of(self.command, self.launcher.options, os.environ)

    @property
    def n_threads_asked(self) -> int | None:
        """The number of threads in OMP_NUM_THREADS, the maximum over all programs; None if not set."""
        environments = (
            environment_of(self.command, self.launcher.options, os.environ, i) | variables_of(program.app)
            for i, program in enumerate(self.command.programs)
        )
        return max(filter(None, map(n_threads_asked, environments)), default=None)

    def plan_as_is(
        self, directory: str, profile: str, settings: Sequence[str] = (), recorded: RecordedCalls = TIMED
    ) -> LaunchPlan:
        """Starts the user's own command, and records a profile in the folder `profile`.

        `settings` are further options for the launcher.
        """
        return inject_unplaced(
            self.command,
            self._job(self.command, directory, observers(self.family, profile, recorded)),
            settings,
        )

    def plan_steered(
        self, directory: str, profile: str, shared: str, job: str, async_progress: bool
    ) -> LaunchPlan:
        """Starts the user's own command with steering, and verifies the masks (preload/README.md).

        The folder `directory` contains the file `settings` and gets the logs. Ranks share memory in files in
        `shared` that are named after `job`. With `async_progress`, MPI is initialised with
        MPI_THREAD_MULTIPLE.
        """
        injection = observers(self.family, profile, observe="steer,verify")
        steered = {"COREWISE_STEER": directory, "COREWISE_STEER_SHARED": shared, "COREWISE_JOB": job}
        if async_progress:
            steered["COREWISE_STEER_PROGRESS"] = "1"
        injection = replace(injection, env=injection.env | steered)
        return inject_unplaced(self.command, self._job(self.command, directory, injection), ())

    def settings(self, placement: Placement) -> list[str]:
        """The options that a plan of `placement` adds for purposes other than placing."""
        return self.launcher.settings(placement, self._job(self.command, "", Injection(native(BINDER))))

    def plan_placed(
        self, placement: Placement, directory: str, profile: str, observe: str = ALL_OBSERVERS
    ) -> LaunchPlan:
        """Starts the command under a placement and observes it; `directory` and `profile` are absolute paths.

        `directory` is for the plan's files. Raises InputError if the launcher can't express the placement.
        """
        return self._plan(placement, directory, observers(self.family, profile, observe=observe))

    def wanted(self, placement: Placement | None, machine: Machine | None) -> Wanted:
        """The wanted bindings for its runs; without a placement, any cores.

        `machine` is the machine of the hosts, None if it was not determined.
        """
        asked = [*gpu_options(self.command), *filter(None, [gpus_of_job(self.environment)])]
        return Wanted(
            self.host_names,
            placement,
            machine,
            devices=self.near.shown(placement, self.environment) if self.near and placement else (),
            environment=self.environment,
            gpus_asked=", ".join(asked),
        )

    def plan_to_apply(self, placement: Placement, directory: str) -> LaunchPlan:
        """Starts the command under a placement, without observing it."""
        return self._plan(placement, directory, Injection(native(BINDER)))

    def plan_on_each_host(self, program: list[str], directory: str) -> LaunchPlan:
        """Starts another program once on each host, unbound; `directory` is for the plan's files."""
        assert self.launcher.each_host is not None
        unbound, _ = without_placing(self.command, self.launcher.options)
        command = Command(unbound.start, [replace(unbound.programs[0], app=program)])
        return self.launcher.each_host(self._job(command, directory, Injection(native(BINDER))))

    def _plan(self, placement: Placement, directory: str, injection: Injection) -> LaunchPlan:
        unbound, _ = without_placing(self.command, self.launcher.options)
        rank_env = self.near.variables(placement, self.environment) if self.near else ()
        injection = replace(injection, settings=self.binder_settings, rank_env=rank_env)
        return self.launcher.plan(placement, self._job(unbound, directory, injection))

    def _job(self, command: Command, directory: str, injection: Injection) -> Job:
        return Job(
            command,
            self.host_names,
            directory,
            injection,
            self.hosts_from,
            self.family,
            self.environment,
            self.site_placing,
        )


def observers(
    family: str, profile: str, recorded: RecordedCalls = TIMED, observe: str = ALL_OBSERVERS
) -> Injection:
    """The injection that traces and verifies a program; the profile is written to the folder `profile`.

    `observe` names the observers (preload/README.md, COREWISE_OBSERVE).
    """
    env = {
        "COREWISE_DIR": profile,
        "COREWISE_OBSERVE": observe,
        "COREWISE_MODE": recorded.mode,
        "COREWISE_EVENT_BYTES": str(recorded.event_bytes),
        "COREWISE_JOB": uuid.uuid4().hex,
    }
    if recorded.spawned:
        env["COREWISE_SPAWNED"] = "1"
    return Injection(native(BINDER), preload_of(family), env)


def parse_application(given: Sequence[str]) -> Application:
    """Parses a command; raises InputError or MissingError if corewise can't start it."""
    argv = _words(given)
    if not argv:
        raise InputError("found an empty command; expected LAUNCHER ... APP ...")
    launcher = find_launcher(argv[0])
    command = parsed(argv, launcher)
    refuse_starting_nothing(command, launcher.options)
    hosts, hosts_from = hosts_of(command, launcher, os.environ)
    return Application(
        argv=argv,
        launcher=launcher,
        command=command,
        hosts=hosts,
        hosts_from=hosts_from,
        family=family_of_all(command, launcher),
    )


def _words(given: Sequence[str]) -> list[str]:
    """The words of a command, which callers in Python may have given as one text, or with a number."""
    expected = 'expected a list of words, as in ["mpirun", "-n", "8", "./app"]'
    if isinstance(given, str):
        raise InputError(f"found the text {given!r:.60} as command; {expected}")
    for word in given:
        if not isinstance(word, (str, PathLike)):
            raise InputError(f"found {word!r:.60} in a command; {expected}")
    return [os.fspath(word) for word in given]
