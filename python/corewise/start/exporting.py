"""Exports a placement as files, options and environment for a launcher that the user starts."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import structs

from corewise.errors import InputError, option
from corewise.launchers import LAUNCHERS, Command, Job, Program, parse_command
from corewise.launchers.command import Option
from corewise.start.application import allocated_hosts
from corewise.start.folder import refuse_foreign_link
from corewise.start.launching import write_files
from corewise.text.escaping import escaped, shell_text
from corewise.text.quantities import index_text

if TYPE_CHECKING:
    from corewise.launchers import HostsFrom, Injection, Launcher
    from corewise.model import Machine
    from corewise.nouns.launch_plan import LaunchPlan
    from corewise.nouns.placement import JobProgram, Placement


def export_plan(
    placement: Placement,
    launcher: Launcher,
    hosts: list[str] | None,
    folder: Path | None,
    injection: Injection,
) -> LaunchPlan:
    """The plan that starts a program under the placement; writes nothing.

    `hosts` are the names of the nodes, None to take them from the allocation. The plan's files are in
    `folder`, by default the current one. Raises InputError if the launcher can't express the placement.
    """
    names, source = _hosts(launcher, max(placement.node) + 1, hosts)
    command = _command(placement, launcher)
    around = os.environ if source == "allocation" else {}  # the user will start it in this allocation
    job = Job(command, names, str(folder or "."), injection, source, environment=around)
    plan = launcher.plan(placement, job)
    notes = [*plan.notes, *left_out(placement, launcher)]
    if refused := launcher.refused(job.directory):
        notes.append(f"{refused}: for these, choose another folder.")
    if names_of_own := {name for variables in injection.rank_env for name in variables}:
        notes.append(f"corewise-bind gives each rank its own {', '.join(sorted(names_of_own))}.")
    return structs.replace(plan, notes=notes)


def options_kept(program: JobProgram, launcher: Launcher) -> list[Option]:
    """The launcher options of the program's command; empty if `launcher` has another option table."""
    of_command = LAUNCHERS.get(program.launcher)
    if of_command is None or of_command.options is not launcher.options:
        return []
    return parse_command([*launcher.start, *program.options, "APP"], launcher.options).programs[0].options


def left_out(placement: Placement, launcher: Launcher) -> list[str]:
    """A note on options of the placement's command that `launcher` doesn't have, if there are any."""
    others = [one for one in placement.programs if one.options and not options_kept(one, launcher)]
    words = escaped(shell_text([word for one in others for word in one.options]))
    return [f"Left out, because these are options of {others[0].launcher}: {words}"] if others else []


def _command(placement: Placement, launcher: Launcher) -> Command:
    """The command of the placement's programs, with options and numbers of ranks, or of one program, APP."""
    programs = placement.programs
    parts = [Program(options_kept(one, launcher), one.app) for one in programs]
    if len(parts) < 2:
        return Command(launcher.start, parts or [Program([], ["APP"])])
    if launcher.name not in LAUNCHERS:
        raise InputError(
            f"{placement.path} places several programs, and corewise writes the {launcher.name} command of "
            f"one; expected one of {', '.join(LAUNCHERS)}"
        )
    words = [launcher.options.ranks(len(one.ranks)) for one in programs]
    counts = [Option(name.lstrip("-"), (count,), (name, count)) for name, count in words]
    if [rank for one in programs for rank in one.ranks] == list(range(placement.n_ranks)):
        counted = [replace(one, options=[*one.options, n]) for one, n in zip(parts, counts, strict=True)]
        return Command(launcher.start, counted)
    if not launcher.options.ranks_in_file:
        others = [one.name for one in LAUNCHERS.values() if one.options.ranks_in_file]
        raise InputError(
            f"{placement.path}: ranks return to a program, which {launcher.name} can't start; expected "
            f"{' or '.join(others)}"
        )
    in_file = [replace(one, ranks=index_text(own.ranks)) for one, own in zip(parts, programs, strict=True)]
    return Command(launcher.start, in_file, "programs")


def machine_for(placement: Placement | None, machine: Machine) -> Machine:
    """Returns `machine`; raises InputError if the placement was made for another one."""
    if placement is not None and placement.fingerprint != machine.fingerprint:
        raise InputError(
            f"{placement.path} was made for machine '{placement.machine}', found '{machine.name}'; "
            f"name the one that it was made for with {option('machine')}, as for map"
        )
    return machine


def _hosts(launcher: Launcher, n_nodes: int, named: list[str] | None) -> tuple[list[str], HostsFrom]:
    """The names of the nodes, and who names them: the user, or the allocation around this process.

    Otherwise one node is this host, and several nodes get the launcher's names for "the i-th host of the
    allocation". Raises InputError if the launcher has no such names.
    """
    if named is not None:
        return named, "user"
    if allocated := allocated_hosts(launcher, os.environ):
        return [host.name for host in allocated], "allocation"
    if n_nodes == 1:
        return ["localhost"], "nowhere"
    if launcher.any_host is None:
        raise InputError(
            f"{launcher.name} needs the names of the {n_nodes} nodes: give {option('hosts')}, or start "
            "corewise inside the allocation"
        )
    return [launcher.any_host.format(node=node) for node in range(n_nodes)], "nowhere"


def write_plan(plan: LaunchPlan, folder: Path) -> None:
    """Writes the files of a plan; raises InputError and writes nothing if one exists."""
    refuse_foreign_link(folder)
    for path in plan.files:
        if Path(path).exists():
            raise InputError(f"{path} already exists; choose another folder than {folder} or remove it")
    write_files(plan)
