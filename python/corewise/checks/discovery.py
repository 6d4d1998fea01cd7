"""Determines the situation: reads this host and the environment, and starts a command's launcher once."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from corewise.checks.situation import AskedCommand, Situation, StartedRank, programs_of
from corewise.errors import InputError, MissingError
from corewise.files.document import read_text
from corewise.launchers import Command, Launcher, refuse_starting_nothing
from corewise.launchers.hosts import Host
from corewise.launchers.launcher import PmiChoice
from corewise.launchers.wrapper import environment_behind, unwrapped
from corewise.observe.host_cpus import HostCpus, of_node, this_host
from corewise.observe.node_topologies import machine_of, slots_of
from corewise.observe.preconditions import MOST_RANKS_PER_PU
from corewise.observe.seen_masks import TIMEOUT_S, RankMask, Started, mask_behind, masks_under
from corewise.start.application import Application, hosts_of
from corewise.start.process import TIMED_OUT
from corewise.start.program_file import ProgramFile, read_program
from corewise.start.programs import find_launcher, find_programs, launcher_of, output_of
from corewise.start.surroundings import parsed, set_parameters
from corewise.start.this_node import own_id

MOST_STARTED = 1024  # ranks that are started to see their masks


def situation_of(argv: Sequence[str]) -> Situation:
    """The situation to check; with a command, includes its ranks as the launcher starts them.

    Doesn't start the application. Raises InputError or MissingError for a command that can't be parsed.
    """
    here = this_host()
    if not argv:
        return Situation(here, dict(os.environ))
    app = unwrapped(list(argv))
    before = tuple(argv[: len(argv) - len(app)])
    application, files = _parsed(app)
    around = environment_behind([*before, "launcher"], os.environ)
    unseen = _too_many(application, here)
    begin_s = time.monotonic()
    started = Started([], None, "") if unseen else masks_under(application, before)
    # A `timeout` before the launcher has the same exit code.
    timed_out = started.exit_code == TIMED_OUT and time.monotonic() - begin_s >= TIMEOUT_S
    nodes, seen = _seen(application, started.masks, here)
    if started.exit_code == 0 and not seen:
        unseen = "what the launcher started are no ranks"
    asked = AskedCommand(
        application=application,
        programs=programs_of(application, around, files),
        before=before,
        seen=seen,
        exit_code=started.exit_code,
        printed=started.printed,
        unseen=unseen,
        timed_out=timed_out,
        host_lines=tuple(_host_lines(application.command, application.launcher)),
        rankfile=_rankfile(application),
        mask_before=mask_behind(before) if before else None,
        own_launcher=_own_launcher(application, [file.family for file in files]),
        pmi=_pmi(application.command, application.launcher.pmi, around),
        parameters=tuple(set_parameters(application.command.executable, around)),
    )
    return Situation(here, around, asked, nodes)


def _parsed(argv: list[str]) -> tuple[Application, list[ProgramFile]]:
    """The command and its programs' files. In contrast to a run, programs may be of another MPI."""
    launcher = find_launcher(argv[0])
    command = parsed(argv, launcher)
    refuse_starting_nothing(command, launcher.options)
    hosts, hosts_from = hosts_of(command, launcher, os.environ)
    files = [
        read_program(path, unwrapped(program.app)[1:])
        for path, program in zip(find_programs(command, launcher), command.programs, strict=True)
    ]
    known = next((file.family for file in files if file.family in launcher.families), launcher.families[0])
    return Application(argv, launcher, command, hosts, hosts_from, known), files


def _own_launcher(application: Application, families: Sequence[str | None]) -> str | None:
    """A launcher for the programs' MPI: the command's own if it is of that MPI, None if none is found."""
    others = {family for family in families if family and family not in application.launcher.families}
    if not others:
        return application.command.executable
    with suppress(MissingError):
        return launcher_of(others.pop())[0] if len(others) == 1 else None
    return None


def _too_many(application: Application, here: HostCpus) -> str | None:
    """Why the command has too many ranks to start it for their masks; None if it hasn't."""
    n_ranks = application.n_ranks
    most = min(MOST_STARTED, MOST_RANKS_PER_PU * len(here.online) * len(application.hosts))
    if n_ranks is None or n_ranks <= most:
        return None
    return f"{n_ranks} ranks; at most {most} are started to look"


def _seen(
    application: Application, masks: Sequence[RankMask], here: HostCpus
) -> tuple[list[HostCpus], tuple[StartedRank, ...]]:
    """The hosts that ranks were seen on, and the ranks. Asks other hosts for their cores."""
    first_on = {(mask.id, mask.host, mask.batch_name): mask for mask in masks if mask.rank >= 0}
    if not first_on:
        return [], ()
    slots = slots_of(application.host_names, list(first_on.values()))
    nodes, machine = [], None
    for mask, found in zip(first_on.values(), slots, strict=True):
        if mask.id == own_id():
            nodes.append(here)
        elif found:
            machine = machine or machine_of(application)
            slot = min(found)
            nodes.append(of_node(application.host_names[slot], machine, slot))
        else:
            raise InputError(
                f"a rank was started on {mask.host}, which is none of the command's hosts; "
                "name it in the command's list or file of hosts (-H or --hostfile)"
            )
    index = {key: number for number, key in enumerate(first_on)}
    seen = (
        StartedRank(mask.rank, index[mask.id, mask.host, mask.batch_name], mask.os_pus)
        for mask in masks
        if mask.rank >= 0
    )
    return nodes, tuple(seen)


def _host_lines(command: Command, launcher: Launcher) -> list[Host]:
    """The hosts in the command, including repeated ones."""
    lines: list[Host] = []
    for source in launcher.named_hosts(command):
        path = source.path
        text = source.text or "" if path is None else read_text(Path(path), "a host file")
        lines += source.parse(text)
    return lines


def _rankfile(application: Application) -> tuple[str, str] | None:
    """Path and text of the command's rankfile; None without one."""
    path = application.launcher.binding.rankfile_of(application.command)
    return (path, read_text(Path(path), "a rankfile")) if path else None


def _pmi(command: Command, choice: PmiChoice | None, environment: Mapping[str, str]) -> str | None:
    """The PMI between launcher and programs, by option, variable or default; None if unknown."""
    if choice is None:
        return None
    if given := command.values({choice.option}):
        return given[-1][-1]
    if choice.variable in environment:
        return environment[choice.variable]
    default = re.search(choice.default, output_of(list(choice.command)))
    return default[1] if default else None
