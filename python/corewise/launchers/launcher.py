"""Base of all launchers: an option table, and a pure function from a placement to a LaunchPlan."""

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
from corewise.launchers.options import NEUTRAL, OptionTable
from corewise.launchers.programs import written
from corewise.nouns.launch_plan import LaunchPlan
from corewise.nouns.placement import Placement
from corewise.text.quantities import index_text


@dataclass(frozen=True)
class Injection:
    """What the binder gives to the application only, not to the launcher or its daemons.

    `settings` are further lines of the binder's file (FORMATS.md, "Binder settings"); `rank_env` has
    variables for each rank, or is empty.
    """

    binder: str
    preload: str | None = None
    env: dict[str, str] = field(default_factory=dict)
    settings: tuple[str, ...] = ()
    rank_env: tuple[Mapping[str, str], ...] = ()


# Who names the hosts: the command itself, the user of corewise, an allocation (where the launcher finds them
# by itself), or nobody, which means this host only.
HostsFrom = Literal["command", "user", "allocation", "nowhere"]

RELATIVE_HOST = r"\+n[0-9]+"  # Open MPI's names for nodes 0, 1, ... of an unknown allocation


@dataclass(frozen=True)
class Job:
    """What to start and where: everything that a plan needs in addition to the placement.

    `hosts[i]` is the name of the machine's node i. `directory` is where the plan's files will be; every node
    must see it. `family` is the MPI family of the program, None if unknown. `environment` is the program's
    environment, as far as known. `parameters` are the MCA parameters that variables and files set.
    Raises InputError for an invalid host name.
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


Plan = Callable[[Placement, Job], LaunchPlan]
EachHost = Callable[[Job], LaunchPlan]
Settings = Callable[[Placement, Job], list[str]]


@dataclass(frozen=True)
class PmiChoice:
    """How users choose the process management interface (PMI) between a launcher and programs.

    By `--OPTION=NAME`, by `variable`, else the regular expression `default` finds it in the output of
    `command`.
    """

    option: str
    variable: str
    command: tuple[str, ...]
    default: str


@dataclass(frozen=True)
class RefusedPath:
    """`versions` of a launcher that refuse a rankfile if its path contains `character`."""

    character: str
    versions: tuple[str, ...]


@dataclass(frozen=True)
class Launcher:
    """One launcher. `version` is a regular expression for the output of `EXECUTABLE --version`.

    A launcher without `version` is exported only: corewise writes plans by its documentation, and its option
    table is empty or that of the launcher whose program it starts.

    * `families`: the MPI families (keys of MPI_LIBRARIES) whose programs it starts. A program's family is
      known by the library that it loads.
    * `settings`: the options of a plan that don't place. Runs that are compared with the placement need them
      too.
    * `each_host`: starts the program, which need not use MPI, once on each host and unbound; None if exported
      only.
    * `read_host_list`, `read_host_file`: parse the values of the options in these groups of `options`.
    * `allocations`: where the launcher finds hosts by itself, in its order.
    * `allocated_by`: the command that makes an allocation, if the launcher needs one.
    * `any_host`: the name of node i of an allocation that is not known yet, None if there is none.
    * `parameter_project`: the project whose MCA parameters it reads (options.py).
    * `executables`: names of its program without suffixes such as .openmpi. `export` writes the first.
    * `package`: what to install if it is missing.
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
    executables: tuple[str, ...] = ("mpirun", "mpiexec")
    package: str = ""
    # Optional: without these, some commands propose less. Options are separated by spaces.
    binding: Binding = Binding()  # the launcher's own binding
    hosts_option: str = ""  # the option that takes n1:2,n2
    hosts_in_order: str = ""  # options that start rank i, unbound, on the host in line i of the file {path}
    sets_variable: str = ""  # the option that takes NAME=VALUE, for ranks on all hosts
    sets_variable_of_one: bool = False  # the option is for one program of the command
    shares_cores: str = ""  # the option that lets ranks share a core
    as_root: str = ""  # the option that lets root start ranks
    too_few_slots: str = ""  # regular expression for its error if there are fewer slots than ranks
    pmi: PmiChoice | None = None  # how users choose the PMI
    refused_path: RefusedPath | None = None

    @property
    def start(self) -> list[str]:
        """Its executable, and its subcommand if it has one."""
        return [self.executables[0], *([self.options.subcommand] if self.options.subcommand else [])]

    @property
    def neutral_parameters(self) -> Mapping[str, str]:
        """The MCA parameters that its plans set to values that don't place."""
        return NEUTRAL.get(self.parameter_project or "", {})

    @property
    def standing(self) -> str:
        """Whether its plans have been run and verified, in words."""
        return "run and verified here" if self.version else "exported, not run here"

    def refused(self, path: str | None = None, version: str | None = None) -> str:
        """The beginning of a note if a rankfile with this path is refused; else "".

        None: any path or any version. Jobs that corewise starts need no note (start.py passes a link).
        """
        rule = self.refused_path
        if rule is None or (path is not None and rule.character not in path):
            return ""
        versions = [one for one in rule.versions if version in (None, one)]
        who = f"{self.package} {' and '.join(versions)} refuse{'' if len(versions) > 1 else 's'}"
        return f"{who} a rankfile with '{rule.character}' in its path" if versions else ""

    def named_hosts(self, command: Command) -> list[HostSource]:
        """The lists of hosts in the command; raises InputError for two kinds or two files.

        Given both, Open MPI uses the list to choose from the file, and Hydra refuses the second one.
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
        """The path of the host file in an option or an MCA parameter; None for other options."""
        table = self.options
        if option.name in table.parameter and option.values[0] in table.host_file_parameters:
            return option.values[1]
        return option.values[0] if option.name in table.host_file else None

    def allocated_hosts(self, environment: Mapping[str, str]) -> HostSource | None:
        """The hosts of a batch system that the launcher uses by itself; None outside an allocation."""
        found = (reader(environment) for reader in self.allocations)
        return next((source for source in found if source is not None), None)


def inject(
    job: Job, masks: list[list[int]] | None = None, binds: bool = False, rank_of: Sequence[int] | None = None
) -> tuple[list[str], dict[str, str]]:
    """The binder's words before the application, and its file {path: text}; `masks`: [rank] os_index lists.

    Process i of the launcher becomes rank i, or `rank_of[i]` if the program's MPI renumbers ranks later.
    `binds`: the launcher leaves binding to the binder. If it doesn't, and there is nothing to inject, both
    results are empty. If there is something to inject, the binder also gets the masks, because Open MPI under
    taskset numbers cores without regard to the inherited affinity. With masks, variables that bind threads
    outside of them are unset (see fixed_thread_bindings()). Raises InputError for values that the file can't
    contain.
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


def masks_of(placement: Placement) -> list[list[int]]:
    """[rank] os_index lists; raises InputError if the placement has none."""
    if placement.os_pus is None:
        raise InputError("the placement has no OS indices (a bare tree?), by which ranks are bound")
    return placement.os_pus


def host_of(placement: Placement, job: Job, rank: int) -> str:
    """The host of a rank; raises InputError if the placement has more nodes than there are hosts."""
    node = placement.node[rank]
    if node >= len(job.hosts):
        raise InputError(
            f"rank {rank} is placed on node {node}, but the allocation has {len(job.hosts)} distinct "
            f"host{'s' if len(job.hosts) != 1 else ''} ({', '.join(job.hosts[:4])}); "
            "name as many hosts as the placement has nodes"
        )
    return job.hosts[node]


def hosts_of_ranks(placement: Placement, job: Job) -> list[str]:
    """[rank] its host; raises InputError as host_of() does."""
    return [host_of(placement, job, rank) for rank in range(placement.n_ranks)]


def inject_unplaced(command: Command, job: Job, settings: Sequence[str] = ()) -> LaunchPlan:
    """The user's command with the binder before each program and nothing placed, for example for `trace`.

    `settings` are further options for each program.
    """
    before_app, files = inject(job)
    options = [[*program.options_without(), *settings] for program in command.programs]
    argv, listed = written(command, options, before_app, job.directory)
    return LaunchPlan(argv, {}, files | listed)
