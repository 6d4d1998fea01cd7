"""Corrected commands: the command that was asked about, with other words where it goes wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from corewise.checks.situation import Asked
from corewise.execute.host_cpus import HostCpus
from corewise.execute.seen_masks import argv_of
from corewise.launchers import Command, without_placing
from corewise.launchers.command import Option
from corewise.launchers.launcher import index_list
from corewise.launchers.options import OptionTable
from corewise.launchers.wrapper import unwrapped, without_binding
from corewise.text.any_bytes import shell_text

# Launcher -> the options that give each rank so many cores of its own, for its own order of cores.
_CORES_OF_ITS_OWN = {
    "hydra": ("-bind-to", "core:{k}"),
    "openmpi4": ("--map-by", "slot:PE={k}", "--bind-to", "core"),
    "openmpi5": ("--map-by", "slot:PE={k}", "--bind-to", "core"),
    "srun": ("--cpus-per-task={k}", "--cpu-bind=cores"),
}


# Launcher -> its option that sets a variable for ranks on all hosts. Where it has none, as srun, it takes the
# variables in front of it there.
_SETS_VARIABLE = {"hydra": "-genv", "openmpi4": "-x", "openmpi5": "-x"}


def own_cores(asked: Asked, n_cores: int = 1) -> str:
    """The command with nothing that binds but the launcher's own way to give each rank `n_cores` cores."""
    return as_typed(bound_to_cores(asked, n_cores))


def bound_to_cores(asked: Asked, n_cores: int) -> Asked:
    """`own_cores` as a command that can be corrected further."""
    options = _CORES_OF_ITS_OWN[asked.application.launcher.name]
    return _replaced(asked, _unplaced(asked), [option.format(k=n_cores) for option in options])


def on_threads(asked: Asked, host: HostCpus, os_pus: Sequence[int]) -> str:
    """The command with its ranks on these hardware threads (os_index) of each host, one after the other.

    Every node is taken to be like `host`. A list of srun or Hydra counts the ranks of a node.
    """
    cores = _cores_in_cpuset(host, os_pus)
    pus, core_list = ",".join(map(str, os_pus)), index_list(cores)
    options = {
        "hydra": ["-bind-to", f"user:{pus}"],
        "openmpi4": ["--cpu-set", core_list, "--bind-to", "core"],
        "openmpi5": ["--map-by", f"pe-list={','.join(map(str, cores))}:ordered", "--bind-to", "core"],
        "srun": [f"--cpu-bind=map_cpu:{pus}"],
    }
    return rebuilt(asked, options[asked.application.launcher.name])


def _cores_in_cpuset(host: HostCpus, os_pus: Sequence[int]) -> list[int]:
    """The cores of these hardware threads as Open MPI counts them: from 0, inside what the cgroup leaves."""
    usable = [core for core in host.cores if host.allowed & set(core)]
    return [number for number, core in enumerate(usable) if set(os_pus) & set(core)]


def rebuilt(asked: Asked, options: Sequence[str] = ()) -> str:
    """The command without anything that maps or binds, and with these options of its launcher."""
    return with_command(asked, _unplaced(asked), options)


def _unplaced(asked: Asked) -> Command:
    return without_placing(asked.application.command, asked.application.launcher.options)[0]


def with_command(asked: Asked, command: Command, options: Sequence[str] = ()) -> str:
    """Another command in place of the one asked about, with these options of its launcher besides."""
    return as_typed(_replaced(asked, command, options))


def _replaced(asked: Asked, command: Command, options: Sequence[str]) -> Asked:
    before, _ = without_binding([*asked.before, "launcher"])
    changed = replace(command, start=[*command.start, *options])
    return replace(asked, before=tuple(before[:-1]), application=replace(asked.application, command=changed))


def as_typed(asked: Asked) -> str:
    """The command in one line."""
    return text([*asked.before, *argv_of(asked.application.command)])


def without_variables(asked: Asked, names: Sequence[str], instead: Sequence[str] = ()) -> str:
    """The command in an environment without these variables; `instead` are words NAME=VALUE to set.

    The launcher sets those by an option where it has one: Open MPI doesn't forward them to other hosts.
    """
    application = asked.application
    command, table = application.command, application.launcher.options
    first, app = command.programs[0], command.app
    wrappers = app[: len(app) - len(unwrapped(app))]
    kept = [option for option in first.options if not _sets(option, table, names)]
    program = replace(first, options=kept, app=[*_others(wrappers, names), *unwrapped(app)])
    option = _SETS_VARIABLE.get(application.launcher.name)
    options = [word for assignment in instead for word in (option, assignment)] if option else []
    start = [*command.start, *options]
    argv = argv_of(replace(command, start=start, programs=[program, *command.programs[1:]]))
    unset = [word for name in names for word in ("-u", name)]
    in_front = [] if option else instead
    return text(["env", *unset, *in_front, *_others(asked.before, names), *argv])


def _sets(option: Option, table: OptionTable, names: Sequence[str]) -> bool:
    return option.name in table.sets_variable and "=".join(option.values).partition("=")[0] in names


def _others(words: Sequence[str], names: Sequence[str]) -> list[str]:
    """The words that don't set one of these variables."""
    return [word for word in words if word.partition("=")[0] not in names]


def with_ranks(asked: Asked, n_ranks: int) -> Asked | None:
    """The command with another number of ranks; None where it shares them out among several programs."""
    names = asked.application.launcher.options.n_ranks
    command = asked.application.command
    if len(command.programs) > 1:
        return None
    first = command.programs[0]
    kept = [option for option in first.options if option.name not in names]
    start = [*command.start, "-n", str(n_ranks)]
    changed = replace(command, start=start, programs=[replace(first, options=kept)])
    return replace(asked, application=replace(asked.application, command=changed))


def text(words: Sequence[str]) -> str:
    """A command in one line to copy into a shell."""
    return shell_text(list(words))
