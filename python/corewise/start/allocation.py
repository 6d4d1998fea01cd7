"""Finds the hosts of a job, in order: from its command, or from the allocation around it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from corewise.errors import InputError
from corewise.files.document import read_text
from corewise.launchers import Command, HostsFrom, Launcher, number_of_hosts
from corewise.launchers.hosts import Host, HostSource, distinct
from corewise.start.programs import output_of


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
