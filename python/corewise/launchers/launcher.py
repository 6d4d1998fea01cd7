"""What a launcher is to corewise: its option table and a pure function from a placement to a LaunchPlan."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from corewise.errors import InputError
from corewise.files.launch_plan import LaunchPlan
from corewise.files.placement import PlacementFile
from corewise.launchers.command import Command
from corewise.launchers.options import OptionTable


@dataclass(frozen=True)
class Injection:
    """What the application alone gets, by way of the binder: never the launcher or its daemons."""

    binder: str
    preload: str | None = None
    env: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Job:
    """What to start and where: everything a plan needs besides the placement.

    `hosts[i]` is the machine's node i. `directory` is where the plan's files will lie, seen by every node;
    `given_hosts` says that the command or the user named the hosts. `family` is the MPI family of the
    program, None where the program is not known.
    """

    command: Command
    hosts: list[str]
    directory: str
    injection: Injection
    given_hosts: bool = False
    family: str | None = None


Plan = Callable[[PlacementFile, Job], LaunchPlan]


@dataclass(frozen=True)
class Launcher:
    """One launcher. `version` is a regular expression for what `LAUNCHER --version` prints.

    `families` are the MPI families (keys of MPI_LIBRARIES) whose programs it starts: a program says by the
    library that it loads which of them it is of. `any_host` names node i of an allocation that is not known
    yet; None where the launcher can't.
    """

    name: str
    sentence: str
    families: tuple[str, ...]
    version: str
    options: OptionTable
    plan: Plan
    any_host: str | None = None


def inject(
    job: Job, masks: list[list[int]] | None = None, binds: bool = False
) -> tuple[list[str], dict[str, str]]:
    """The binder's words before the application, and its settings file; `masks`: [rank] os_index lists.

    `binds` says that the launcher leaves the cores to the binder. Where it doesn't and there is nothing to
    inject, both are empty; where there is, the masks go along: a launcher that counts cores by itself counts
    those outside an inherited affinity too (Open MPI under taskset). Raises InputError for an environment
    that the file can't hold.
    """
    injection = job.injection
    if not binds and injection.preload is None and not injection.env:
        return [], {}
    path = f"{job.directory}/bind.txt"
    lines = ["corewise-bind 1"]
    for name, value in injection.env.items():
        if "\n" in value:
            raise InputError(f"{name} holds a line break, which the binder's settings can't say")
        lines.append(f"env {name}={value}")
    if injection.preload:
        if set(" :") & set(injection.preload):
            raise InputError(f"LD_PRELOAD can't hold '{injection.preload}': a path with a space or a colon")
        lines.append(f"preload {injection.preload}")
    for rank, mask in enumerate(masks or []):
        lines.append(f"rank {rank} {index_list(mask)}")
    return [injection.binder, path, "--"], {path: "\n".join(lines) + "\n"}


def index_list(indices: list[int]) -> str:
    """`[0, 2, 3]` as "0,2-3"."""
    runs: list[list[int]] = []
    for index in sorted(indices):
        if runs and index == runs[-1][1] + 1:
            runs[-1][1] = index
        else:
            runs.append([index, index])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)


def host_of(placement: PlacementFile, job: Job, rank: int) -> str:
    """Raises InputError where the placement uses more nodes than there are hosts."""
    node = placement.node[rank]
    if node >= len(job.hosts):
        raise InputError(
            f"rank {rank} is placed on node {node}, but the allocation has {len(job.hosts)} distinct "
            f"host{'s' if len(job.hosts) != 1 else ''} ({', '.join(job.hosts[:4])}); "
            "name as many hosts as the placement has nodes"
        )
    return job.hosts[node]


def inject_unplaced(command: Command, job: Job) -> LaunchPlan:
    """The user's command as it is, with the binder before each of its programs: what `trace` starts."""
    before_app, files = inject(job)
    argv = [*command.start]
    for i, program in enumerate(command.programs):
        argv += [":"] if i else []
        argv += [token for option in program.options for token in option.tokens]
        argv += [*before_app, *program.app]
    return LaunchPlan(argv, {}, files)
