"""What a launcher is to corewise: its option table and a pure function from a placement to a LaunchPlan."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from corewise.errors import InputError
from corewise.launchers.binding import Binding
from corewise.launchers.command import Command, Option
from corewise.launchers.hosts import AllocationReader, Host, HostSource, check_host_name, host_file, host_list
from corewise.launchers.openmp import fixed_thread_bindings
from corewise.launchers.options import OptionTable
from corewise.launchers.programs import written
from corewise.nouns.launch_plan import LaunchPlan
from corewise.nouns.placement import PlacementFile
from corewise.text.quantities import index_text


@dataclass(frozen=True)
class Injection:
    """What the application alone gets, by way of the binder: never the launcher or its daemons.

    `settings` are further lines of the binder's file (FORMATS.md, "Binder settings"); `rank_env` are
    variables of each rank, indexed by rank, or none at all.
    """

    binder: str
    preload: str | None = None
    env: dict[str, str] = field(default_factory=dict)
    settings: tuple[str, ...] = ()
    rank_env: tuple[Mapping[str, str], ...] = ()


# Who says the hosts: the command that is started, the user to corewise, the environment of an allocation (the
# launcher finds those by itself), or nobody: then this host alone is used.
HostsFrom = Literal["command", "user", "allocation", "nowhere"]

RELATIVE_HOST = r"\+n[0-9]+"  # Open MPI's node 0, 1, ... of an allocation that isn't known yet


@dataclass(frozen=True)
class Job:
    """What to start and where: everything a plan needs in addition to the placement.

    `hosts[i]` is the name of the machine's node i. `directory` is where the plan's files will lie, seen by
    every node. `family` is the MPI family of the program, None if the program is not known; `environment`
    is what the launcher starts it with, as far as that is known, and `parameters` are the MCA parameters that
    variables and files set around the command. Raises InputError for a name that no host can have.
    """

    command: Command
    hosts: list[str]
    directory: str
    injection: Injection
    hosts_from: HostsFrom = "nowhere"
    family: str | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in self.hosts:
            if not re.fullmatch(RELATIVE_HOST, name):
                check_host_name(name)


Plan = Callable[[PlacementFile, Job], LaunchPlan]
EachHost = Callable[[Job], LaunchPlan]
Settings = Callable[[PlacementFile, Job], list[str]]


@dataclass(frozen=True)
class PmiChoice:
    """Where users choose the process manager interface (PMI) that a launcher gives to programs.

    By its option `--OPTION=NAME`, by a variable, else by what `default` (a regular expression) finds in the
    output of a command.
    """

    option: str
    variable: str
    command: tuple[str, ...]
    default: str


@dataclass(frozen=True)
class Launcher:
    """One launcher. `version` is a regular expression for what `EXECUTABLE --version` prints.

    Without a version it is exported only: plans follow its documentation, and nothing has run under it. Its
    table of options is then empty, or that of the launcher whose program it starts. `families` are the MPI families (keys of MPI_LIBRARIES) whose programs it
    starts: a program says by the library that it loads which of them it is of. `settings` are the options of
    a plan that place nothing: what is compared with runs of the placement needs them too. `each_host` starts
    the job's program, which need not use MPI, once on each of its hosts and unbound; None where the launcher
    is exported only. `read_host_list` and `read_host_file` parse what the options of these groups name.
    `allocations` say in which environments the launcher finds hosts by itself, in its order; `allocated_by`
    is the command that makes an allocation, if the launcher starts nothing outside one. `any_host` names node
    i of an allocation that is not known yet; None where the launcher can't. `parameter_project` is the one
    whose variables and files of MCA parameters it reads (parameters.py); a plan sets those of
    `neutral_parameters` to values that place nothing. `executables` are the names of its program, without
    suffixes such as .openmpi; `export` writes the first. `package` is what to install where it is missing.
    """

    name: str
    sentence: str
    families: tuple[str, ...]
    plan: Plan
    version: str | None = None
    options: OptionTable = OptionTable({})
    settings: Settings = lambda placement, job: []
    each_host: EachHost | None = None
    read_host_list: Callable[[str], list[Host]] = host_list
    read_host_file: Callable[[str], list[Host]] = host_file
    allocations: tuple[AllocationReader, ...] = ()
    allocated_by: str | None = None
    any_host: str | None = None
    parameter_project: str | None = None
    neutral_parameters: Mapping[str, str] = field(default_factory=dict)
    executables: tuple[str, ...] = ("mpirun", "mpiexec")
    package: str = ""
    # What follows may be left out; some commands then propose less. Options are separated by spaces.
    binding: Binding = Binding()  # how the launcher binds by itself
    hosts_option: str = ""  # the option that takes n1:2,n2
    hosts_in_order: str = ""  # options that start rank i, unbound, on the host in line i of the file {path}
    sets_variable: str = ""  # the option that takes NAME=VALUE, for ranks on all hosts
    sets_variable_of_one: bool = False  # it holds for one program of the command
    shares_cores: str = ""  # the option that lets ranks share a core
    as_root: str = ""  # the option that lets root start ranks
    too_few_slots: str = ""  # what it prints if it has fewer slots than ranks, a regular expression
    pmi: PmiChoice | None = None  # where users say what connects the ranks

    @property
    def start(self) -> list[str]:
        """The words that start it: its program, and its subcommand if it has one."""
        return [self.executables[0], *([self.options.subcommand] if self.options.subcommand else [])]

    @property
    def standing(self) -> str:
        """Whether what is written for it has been run and verified."""
        return "run and verified here" if self.version else "exported, not run here"

    def named_hosts(self, command: Command) -> list[HostSource]:
        """Where the command itself names hosts, in order; raises InputError if it does so in two ways.

        Open MPI takes a list as a choice from the file, Hydra refuses a second way.
        """
        sources, ways = [], set()
        for option in command.options:
            if option.name in self.options.host_list:
                sources.append(HostSource(option.text, self.read_host_list, text=option.values[0]))
                ways.add("list")
            elif (path := self._host_file(option)) is not None:
                sources.append(HostSource(option.text, self.read_host_file, path=path))
                ways.add(path)
        if len(ways) > 1:
            typed = " and ".join(f"'{source.origin}'" for source in sources[:2])
            raise InputError(f"{typed} both name hosts; expected one list or one file")
        return sources

    def _host_file(self, option: Option) -> str | None:
        """The path of the host file that an option names, by itself or as a parameter; None for others."""
        table = self.options
        if option.name in table.parameter and option.values[0] in table.host_file_parameters:
            return option.values[1]
        return option.values[0] if option.name in table.host_file else None

    def allocated_hosts(self, environment: Mapping[str, str]) -> HostSource | None:
        """Where a batch system says hosts that the launcher uses by itself; None outside an allocation."""
        found = (reader(environment) for reader in self.allocations)
        return next((source for source in found if source is not None), None)


def inject(
    job: Job,
    masks: list[list[int]] | None = None,
    binds: bool = False,
    rank_of: Sequence[int] | None = None,
) -> tuple[list[str], dict[str, str]]:
    """The binder's words before the application, and its settings file; `masks`: [rank] os_index lists.

    Process i of the launcher becomes rank i, or `rank_of[i]` where the program's MPI renumbers them later.
    `binds` says that the launcher leaves the cores to the binder. Where it doesn't and there is nothing to
    inject, both are empty; where there is, the masks go along: a launcher that counts cores by itself counts
    those outside an inherited affinity too (Open MPI under taskset). With masks, variables that bind threads
    past them are taken away (see fixed_thread_bindings()). Raises InputError for an environment that the
    file can't hold.
    """
    injection = job.injection
    unset = fixed_thread_bindings(job.environment) if masks is not None else []
    if not (binds or unset or replace(injection, binder="") != Injection("")):
        return [], {}
    path = f"{job.directory}/bind.txt"
    lines = ["corewise-bind 1", *(f"unset {name}" for name in unset)]
    for name, value in injection.env.items():
        if "\n" in value:
            raise InputError(f"{name} holds a line break, which the binder's settings can't say")
        lines.append(f"env {name}={value}")
    if injection.preload:
        if set(" :") & set(injection.preload):
            raise InputError(f"LD_PRELOAD can't hold '{injection.preload}': a path with a space or a colon")
        lines.append(f"preload {injection.preload}")
    if masks:
        order = rank_of or range(len(masks))
        lines += [f"rank {process} {index_text(masks[rank])}" for process, rank in enumerate(order)]
    for process, rank in enumerate(rank_of or range(len(injection.rank_env))):
        own = injection.rank_env[rank] if injection.rank_env else {}
        lines += [f"rank-env {process} {name}={value}" for name, value in own.items()]
    lines += injection.settings
    return [injection.binder, path, "--"], {path: "\n".join(lines) + "\n"}


def masks_of(placement: PlacementFile) -> list[list[int]]:
    """[rank] os_index lists; raises InputError for a placement without any."""
    if placement.os_pus is None:
        raise InputError("the placement has no OS indices (a bare tree?), by which ranks are bound")
    return placement.os_pus


def host_of(placement: PlacementFile, job: Job, rank: int) -> str:
    """Raises InputError if the placement uses more nodes than there are hosts."""
    node = placement.node[rank]
    if node >= len(job.hosts):
        raise InputError(
            f"rank {rank} is placed on node {node}, but the allocation has {len(job.hosts)} distinct "
            f"host{'s' if len(job.hosts) != 1 else ''} ({', '.join(job.hosts[:4])}); "
            "name as many hosts as the placement has nodes"
        )
    return job.hosts[node]


def inject_unplaced(command: Command, job: Job, settings: Sequence[str] = ()) -> LaunchPlan:
    """The user's command unchanged, with the binder before each of its programs: what `trace` starts.

    `settings` are further options of each of its programs.
    """
    before_app, files = inject(job)
    options = [[*program.options_without(), *settings] for program in command.programs]
    argv, listed = written(command, options, before_app, job.directory)
    return LaunchPlan(argv, {}, files | listed)
