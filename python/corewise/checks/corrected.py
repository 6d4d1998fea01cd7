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


def own_cores(asked: Asked, n_cores: int = 1) -> str:
    """The command with nothing that binds but the launcher's own way to give each rank `n_cores` cores."""
    options = _CORES_OF_ITS_OWN[asked.application.launcher.name]
    return rebuilt(asked, [option.format(k=n_cores) for option in options])


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
    command, _ = without_placing(asked.application.command, asked.application.launcher.options)
    return with_command(asked, command, options)


def with_command(asked: Asked, command: Command, options: Sequence[str] = ()) -> str:
    """Another command in place of the one asked about, with these options of its launcher besides."""
    before, _ = without_binding([*asked.before, "launcher"])
    return text([*before[:-1], *argv_of(replace(command, start=[*command.start, *options]))])


def without_variables(asked: Asked, names: Sequence[str], instead: Sequence[str] = ()) -> str:
    """The command in an environment without these variables; `instead` are words NAME=VALUE to set."""
    application = asked.application
    command, table = application.command, application.launcher.options
    first, app = command.programs[0], command.app
    wrappers = app[: len(app) - len(unwrapped(app))]
    kept = [option for option in first.options if not _sets(option, table, names)]
    program = replace(first, options=kept, app=[*_others(wrappers, names), *unwrapped(app)])
    argv = argv_of(replace(command, programs=[program, *command.programs[1:]]))
    unset = [word for name in names for word in ("-u", name)]
    return text(["env", *unset, *instead, *_others(asked.before, names), *argv])


def _sets(option: Option, table: OptionTable, names: Sequence[str]) -> bool:
    return option.name in table.sets_variable and "=".join(option.values).partition("=")[0] in names


def _others(words: Sequence[str], names: Sequence[str]) -> list[str]:
    """The words that don't set one of these variables."""
    return [word for word in words if word.partition("=")[0] not in names]


def with_ranks(asked: Asked, n_ranks: int) -> str:
    """The command with another number of ranks."""
    names = asked.application.launcher.options.n_ranks
    command = asked.application.command
    first = command.programs[0]
    kept = [option for option in first.options if option.name not in names]
    changed = replace(command, programs=[replace(first, options=kept), *command.programs[1:]])
    return text([*asked.before, *argv_of(replace(changed, start=[*command.start, "-n", str(n_ranks)]))])


def text(words: Sequence[str]) -> str:
    """A command in one line to copy into a shell."""
    return shell_text(list(words))
