"""Hosts as commands, host files and batch systems write them: names that are checked, and who says them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from corewise.errors import InputError

MOST_NAME_LENGTH = 253  # RFC 1035, section 2.3.4, without the final dot

# What every launcher takes and writes without a change of meaning. An IPv6 address is none of it: -H of Open
# MPI 4.1.4 and 5.0.11 and -hosts of Hydra 4.0.2 end a name at its first colon.
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def check_host_name(name: str) -> None:
    """Raises InputError for a name that launchers' files and command lines can't hold."""
    if name.startswith("+"):
        raise InputError(
            f"{name!r:.80} is no host name, and corewise doesn't count those of an allocation; expected "
            "the name itself"
        )
    if not _NAME.fullmatch(name) or len(name) > MOST_NAME_LENGTH:
        raise InputError(
            f"{name!r:.80} is no host name; expected letters, digits, '-', '.' and '_', beginning with a "
            "letter or digit (the name of a user belongs in ssh's configuration)"
        )


@dataclass(frozen=True)
class Host:
    """A host by its name; `n_slots` is how many ranks it is for, None where that isn't said.

    Raises InputError for what is no host name.
    """

    name: str
    n_slots: int | None = None

    def __post_init__(self) -> None:
        check_host_name(self.name)


@dataclass(frozen=True)
class HostSource:
    """Where hosts are written: as `text`, in the file `path`, or in what `command` prints.

    `origin` names it in messages; `parse` reads the text and raises InputError where that is wrong. Launchers
    only say where their hosts are: execute/ reads files and starts commands.
    """

    origin: str
    parse: Callable[[str], list[Host]]
    text: str | None = None
    path: str | None = None
    command: tuple[str, ...] = ()

    def hosts(self, text: str) -> list[Host]:
        """The distinct hosts of the text; raises InputError that names the origin."""
        try:
            hosts = distinct(self.parse(text))
        except InputError as error:
            raise InputError(f"{self.origin}: {error}") from error
        if not hosts:
            raise InputError(f"{self.origin} names no host; expected at least one")
        return hosts


# What a batch system says of its allocation, from the environment; None where there is none of its kind.
AllocationReader = Callable[[Mapping[str, str]], HostSource | None]


def distinct(hosts: Iterable[Host]) -> list[Host]:
    """Each host once, in order of appearance, with all its slots: an entry that says none stands for one."""
    found: dict[str, Host] = {}
    for host in hosts:
        if before := found.get(host.name):
            host = replace(host, n_slots=(before.n_slots or 1) + (host.n_slots or 1))
        found[host.name] = host
    return list(found.values())


def host_list(text: str) -> list[Host]:
    """`n1:2,n2`: what -H, --host and -hosts take."""
    return [_with_slots(word) for word in text.split(",")]


def distinct_names(text: str) -> list[str]:
    """`n1,n2` as the names of node 0, 1, ...; raises InputError where one comes twice."""
    names = [Host(word.strip()).name for word in text.split(",")]
    if repeated := next((name for name in names if names.count(name) > 1), None):
        raise InputError(f"host '{repeated}' comes twice; expected a host of its own for each node")
    return names


def host_file(text: str) -> list[Host]:
    """`HOST`, `HOST:4` or `HOST slots=4`, one a line; `#` begins a comment."""
    hosts = []
    for number, line in enumerate(text.splitlines(), 1):
        name, *rest = line.split("#")[0].split(maxsplit=1) or [""]
        if name:
            try:
                host = _with_slots(name)
            except InputError as error:
                raise InputError(f"line {number}: {error}") from error
            slots = re.search(r"(?<![\w-])slots\s*=\s*([0-9]{1,9})", rest[0]) if rest else None
            hosts.append(replace(host, n_slots=int(slots[1])) if slots else host)
    return hosts


def _with_slots(word: str) -> Host:
    name, colon, slots = word.strip().partition(":")
    if colon and not re.fullmatch(r"[0-9]{1,9}|\*", slots):
        raise InputError(f"{word!r:.80} is no host; expected a name, or a name and its slots as in n1:4")
    return Host(name, int(slots) if slots.isdecimal() else None)
