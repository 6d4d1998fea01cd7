"""Finding out the situation: reads this host and the environment, and starts a command's launcher once."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from corewise.checks.situation import Asked, SeenRank, Situation
from corewise.errors import InputError, MissingError
from corewise.execute.allocation import hosts_of
from corewise.execute.application import Application
from corewise.execute.checks import MOST_RANKS_PER_PU
from corewise.execute.host_cpus import HostCpus, of_node, this_host
from corewise.execute.node_slots import slots_of
from corewise.execute.node_topologies import machine_of
from corewise.execute.process import TIMED_OUT
from corewise.execute.programs import family_loaded, find_launcher, find_program, launcher_of, output_of
from corewise.execute.seen_masks import TIMEOUT_S, RankMask, Started, mask_behind, masks_under
from corewise.execute.this_node import own_id
from corewise.files.document import read_text
from corewise.launchers import Command, Launcher, parse_command, refuse_starting_nothing
from corewise.launchers.environment import environment_of
from corewise.launchers.hosts import Host
from corewise.launchers.wrapper import environment_behind, unwrapped

MOST_STARTED = 1024  # ranks: more are not started just to see their masks

_RANKFILE_OPTIONS = frozenset({"rf", "rankfile"})


def situation_of(argv: Sequence[str]) -> Situation:
    """What there is to check: with a command also its ranks, as its launcher starts them.

    Nothing of the application is started. Raises InputError or MissingError for a command that can't be read.
    """
    here = this_host()
    if not argv:
        return Situation(here, dict(os.environ))
    app = unwrapped(list(argv))
    before = tuple(argv[: len(argv) - len(app)])
    application, program_family = _parsed(app)
    around = environment_behind([*before, "launcher"], os.environ)
    launched = environment_of(application.command, application.launcher.options, around)
    environment = environment_behind(application.command.app, launched)
    unseen = _too_many(application, here)
    begin_s = time.monotonic()
    started = Started([], None, "") if unseen else masks_under(application, before)
    # `timeout` in front of the launcher has the same exit code.
    timed_out = started.exit_code == TIMED_OUT and time.monotonic() - begin_s >= TIMEOUT_S
    nodes, seen = _seen(application, started.masks, here)
    if started.exit_code == 0 and not seen:
        unseen = "what the launcher started are no ranks"
    asked = Asked(
        application=application,
        before=before,
        program_family=program_family,
        seen=seen,
        exit_code=started.exit_code,
        printed=started.printed,
        unseen=unseen,
        timed_out=timed_out,
        host_lines=tuple(_host_lines(application.command, application.launcher)),
        rankfile=_rankfile(application.command),
        mask_before=mask_behind(before) if before else None,
        own_launcher=_own_launcher(application, program_family),
        pmi=_pmi(application.command, application.launcher, environment),
    )
    return Situation(here, environment, asked, nodes)


def _parsed(argv: list[str]) -> tuple[Application, str | None]:
    """The command, and the MPI family that its program loads: it need not be one of the launcher's."""
    launcher = find_launcher(argv[0])
    command = parse_command(argv, launcher.options)
    refuse_starting_nothing(command, launcher.options)
    hosts, hosts_from = hosts_of(command, launcher, os.environ)
    family = family_loaded(find_program(command, launcher))
    known = family if family in launcher.families else launcher.families[0]
    return Application(argv, launcher, command, hosts, hosts_from, known), family


def _own_launcher(application: Application, family: str | None) -> str | None:
    """A launcher that starts programs of this family; the command's own where it does."""
    if family in (None, *application.launcher.families):
        return application.command.executable
    with suppress(MissingError):
        return launcher_of(family)
    return None


def _too_many(application: Application, here: HostCpus) -> str | None:
    """Why the command isn't started just to see its masks; None where it is."""
    n_ranks = application.n_ranks
    most = min(MOST_STARTED, MOST_RANKS_PER_PU * len(here.online) * len(application.hosts))
    if n_ranks is None or n_ranks <= most:
        return None
    return f"{n_ranks} ranks; at most {most} are started to look"


def _seen(
    application: Application, masks: Sequence[RankMask], here: HostCpus
) -> tuple[list[HostCpus], tuple[SeenRank, ...]]:
    """The hosts that ranks were seen on, and the ranks; other hosts than this one tell their cores."""
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
        SeenRank(mask.rank, index[mask.id, mask.host, mask.batch_name], mask.os_pus)
        for mask in masks
        if mask.rank >= 0
    )
    return nodes, tuple(seen)


def _host_lines(command: Command, launcher: Launcher) -> list[Host]:
    """The hosts as the command names them, repeated ones too."""
    lines: list[Host] = []
    for source in launcher.named_hosts(command):
        path = source.path
        text = source.text if path is None else read_text(Path(path), "a host file")
        lines += source.parse(text)
    return lines


def _rankfile(command: Command) -> tuple[str, str] | None:
    """Path and text of the rankfile of an Open MPI command; None where it has none."""
    paths = [values[0] for values in command.values(_RANKFILE_OPTIONS)]
    for (value,) in command.values({"map-by", "mapby"}):
        if match := re.search(r"rankfile:(?:.*:)?file=([^:]+)", value, re.IGNORECASE):
            paths.append(match[1])
    return (paths[-1], read_text(Path(paths[-1]), "a rankfile")) if paths else None


def _pmi(command: Command, launcher: Launcher, environment: Mapping[str, str]) -> str | None:
    """What srun gives programs: its option, its variable, or Slurm's default."""
    if launcher.name != "srun":
        return None
    if given := command.values({"mpi"}):
        return given[-1][-1]
    if "SLURM_MPI_TYPE" in environment:
        return environment["SLURM_MPI_TYPE"]
    default = re.search(r"MpiDefault\s*=\s*(\S+)", output_of(["scontrol", "show", "config"]))
    return default[1] if default else None
