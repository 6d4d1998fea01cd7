"""Hosts in commands, host files and batch systems: where they are listed, and how to read the lists."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from corewise.errors import InputError, require_words
from corewise.text.node_list import expand_node_list, node_list_entries

MOST_NAME_LENGTH = 253  # RFC 1035, section 2.3.4, without the final dot

# Names that mean the same to every launcher. IPv6 addresses don't: -H of Open MPI 4.1.4 and 5.0.11 and -hosts
# of Hydra 4.0.2 end a name at its first colon.
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")

# A host's slots and their limit in Open MPI 4.1.4 (tried; orte/util/hostfile/hostfile_lex.l).
_SLOTS = re.compile(r"(?<![\w-])(?:slots|cpu|count)\s*=\s*([0-9]{1,9})\b")
_MOST_SLOTS = re.compile(r"(?<![\w-])(?:(?:slots|cpu|count)[-_]max|max[-_]slots)\s*=\s*([0-9]{1,9})\b")


def check_host_name(name: str) -> None:
    """Raises InputError for a name that some launcher's file or command line can't contain."""
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
    """A host by its name; `n_slots` is the number of ranks that it is for, None if unknown.

    Raises InputError if `name` is no host name.
    """

    name: str
    n_slots: int | None = None

    def __post_init__(self) -> None:
        check_host_name(self.name)


@dataclass(frozen=True)
class HostSource:
    """A list of hosts: `text`, the file `path`, or the output of `command`.

    `origin` names the source in messages; `parse` reads the text and raises InputError if it is wrong. Only
    start/ reads the files and runs the commands.
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


# The hosts of a batch system's allocation, from the environment; None outside such an allocation.
AllocationReader = Callable[[Mapping[str, str]], HostSource | None]


def same_name(a: str, b: str) -> bool:
    """Whether both name one host: equal, or one is the other's first label (n1 and n1.cluster)."""
    a, b = a.lower().rstrip("."), b.lower().rstrip(".")
    if not a or not b or is_address(a) or is_address(b):
        return False
    is_short = "." not in a or "." not in b
    return a == b or (is_short and a.partition(".")[0] == b.partition(".")[0])


def is_address(host: str) -> bool:
    """Whether `host` is an IP address instead of a name."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def distinct(hosts: Iterable[Host]) -> list[Host]:
    """Each host once, in order of appearance, with the sum of its slots (1 for an entry without a number).

    n1 and n1.cluster are one host, which keeps the name that comes first.
    """
    found: list[Host] = []
    by_label: dict[str, list[int]] = {}
    for host in hosts:
        label = host.name if is_address(host.name) else host.name.lower().partition(".")[0]
        alike = by_label.setdefault(label, [])
        at = next(
            (i for i in alike if found[i].name == host.name or same_name(found[i].name, host.name)), None
        )
        if at is None:
            alike.append(len(found))
            found.append(host)
        else:
            before = found[at]
            found[at] = replace(before, n_slots=(before.n_slots or 1) + (host.n_slots or 1))
    return found


def host_list(text: str) -> list[Host]:
    """The hosts of -H, --host and -hosts: `n1:2,n2`, or `n[1-4]:2` in Slurm's notation."""
    return [host for word in node_list_entries(text) for host in _with_slots(word)]


def distinct_names(given: str | Sequence[str]) -> list[str]:
    """`n1,n2`, `n[1-4]` or a list as the names of node 0, 1, ...; raises InputError if one appears twice."""
    words = node_list_entries(given) if isinstance(given, str) else given
    require_words("hosts", words)
    names = [Host(name).name for word in words for name in _expanded(word.strip())]
    if len(distinct(map(Host, names))) < len(names):
        repeated = next(name for name in names if sum(same_name(name, one) for one in names) > 1)
        raise InputError(f"host '{repeated}' appears twice; expected a different host for each node")
    return names


def host_file(text: str) -> list[Host]:
    """`HOST`, `HOST:4` or `HOST slots=4`, one a line (HOST may be `n[1-4]`); `#` and `//` begin a comment.

    Open MPI also calls slots `cpu` and `count`, and takes a limit alone (max_slots=4) as their number.
    Ignored here: the user in `me@n1`, which the launcher reads itself, and MVAPICH2's network card after a
    second colon (n1:4:mlx5_0).
    """
    hosts = []
    for number, line in enumerate(text.splitlines(), 1):
        name, *rest = re.split("#|//", line)[0].split(maxsplit=1) or [""]
        if name:
            try:
                found = _with_slots(re.sub(r"^(?:[\w.-]+@)?(.*?)(?:(:[0-9]+):[\w.-]+)?$", r"\1\2", name))
            except InputError as error:
                raise InputError(f"line {number}: {error}") from error
            slots = rest and (_SLOTS.search(rest[0]) or _MOST_SLOTS.search(rest[0]))
            hosts += [replace(host, n_slots=int(slots[1])) if slots else host for host in found]
    return hosts


def _with_slots(word: str) -> list[Host]:
    """`n1:4` as one host, `n[1-2]:4` as two."""
    name, colon, slots = word.strip().partition(":")
    if colon and not re.fullmatch(r"[0-9]{1,9}|\*", slots):
        raise InputError(f"{word!r:.80} is no host; expected a name, or a name and its slots as in n1:4")
    return [Host(one, int(slots) if slots.isdecimal() else None) for one in _expanded(name)]


def _expanded(name: str) -> list[str]:
    return expand_node_list(name) if "[" in name else [name]
