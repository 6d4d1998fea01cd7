"""A rankfile that doesn't fit the ranks, the hosts or their cores."""

from __future__ import annotations

import re
from collections.abc import Iterator

from corewise.checks.corrected import own_cores
from corewise.checks.situation import AskedCommand, Finding, Situation
from corewise.errors import InputError
from corewise.launchers.rankfile_read import Entry, entries
from corewise.text.quantities import counted, index_text

_LOCAL = ("localhost", "127.0.0.1")


def stale_rankfile(situation: Situation, asked: AskedCommand) -> Iterator[Finding]:
    """The command's rankfile names cores, hosts or ranks that are not there."""
    if asked.rankfile is None:
        return
    path, text = asked.rankfile
    try:
        wrong = next(_wrong(situation, asked, entries(text, path)), None)
    except InputError as error:
        wrong = str(error)
    if wrong is None:
        return
    yield Finding(
        found=wrong,
        why="it was written for another number of ranks, other hosts or another machine, or before a "
        "cgroup took cores: mpirun refuses it, or binds other cores than it was written for",
        do="let mpirun map, or write a new one: `corewise export PLACEMENT --for openmpi4`",
        command=own_cores(asked),
    )


def _wrong(situation: Situation, asked: AskedCommand, lines: list[Entry]) -> Iterator[str]:
    """The errors of the lines, then of the whole file."""
    path = lines[0].path
    for line in lines:
        yield from (f"{path} line {line.line}: {wrong}" for wrong in _wrong_line(situation, asked, line))
    ranks = [line.rank for line in lines]
    if len(set(ranks)) < len(ranks):
        twice = next(rank for rank in ranks if ranks.count(rank) > 1)
        yield f"{path} names rank {twice} twice"
    n_ranks = asked.application.n_ranks
    if missing := set(range(n_ranks or 0)) - set(ranks):
        yield f"{path} has no line for ranks {index_text(missing)} of {n_ranks}"


def _wrong_line(situation: Situation, asked: AskedCommand, line: Entry) -> Iterator[str]:
    """An unknown host, or cores in slots of the forms `2`, `0-3`, `1,3` or `0:2` (package and core)."""
    hosts = asked.application.host_names
    node = line.relative_node
    known = line.host in (*hosts, *_LOCAL, situation.here.host) if node is None else node < len(hosts)
    if not known:
        yield f"host {line.host} is none of the command's ({', '.join(hosts[:4])})"
    elif len(hosts) == 1:
        host = (situation.nodes or [situation.here])[0]
        n_cores = len(host.cores_of(host.allowed))
        cores = [int(core) for core in re.findall(r"\d+", re.sub(r"p?\d+:", "", line.slots))]
        if absent := [core for core in cores if core >= n_cores]:
            yield (
                f"core {index_text(absent)} (logical) is not on {host.host}, where "
                f"{counted(n_cores, 'core')} may be used"
            )
