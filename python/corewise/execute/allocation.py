"""The hosts of a job, in order: from its command, or from the allocation that it is started in."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from corewise.errors import InputError
from corewise.execute.programs import output_of
from corewise.launchers import Command, HostsFrom, Launcher
from corewise.launchers.hosts import Host, HostSource, distinct


def hosts_of(
    command: Command, launcher: Launcher, environment: Mapping[str, str]
) -> tuple[list[Host], HostsFrom]:
    """Distinct hosts, and who says them: node i of the machine is the i-th. This host where nobody does.

    Raises InputError for hosts that can't be read, MissingError where the batch system doesn't answer.
    """
    if named := launcher.named_hosts(command):
        return distinct(host for source in named for host in _read(source)), "command"
    if allocated := launcher.allocated_hosts(environment):
        return _read(allocated), "allocation"
    return [Host("localhost")], "nowhere"


def _read(source: HostSource) -> list[Host]:
    if source.command:
        return source.hosts(output_of(list(source.command)))
    return source.hosts(_text_of(source) if source.text is None else source.text)


def _text_of(source: HostSource) -> str:
    path = Path(source.path)
    if path.exists() and not path.is_file():
        # The launcher reads the file again: what a pipe holds would be lost to it.
        raise InputError(f"{source.origin}: no regular file; expected one with a host a line")
    try:
        return path.read_text()
    except OSError as error:
        raise InputError(f"{source.origin}: could not be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{source.origin}: not a text file; expected one with a host a line") from error
