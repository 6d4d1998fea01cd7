"""stale-rankfile: a rankfile that doesn't fit the ranks, the hosts or their cores."""

from __future__ import annotations

import re
from collections.abc import Iterator

from corewise.checks.check import Check, Finding
from corewise.checks.corrected import own_cores
from corewise.checks.situation import AskedCommand, Situation
from corewise.text.quantities import counted, index_text

_LINE = re.compile(r"rank\s+(\d+)\s*=\s*(\S+)\s+slots?\s*=\s*(\S+)")
_NODE = re.compile(r"\+n(\d+)")
_LOCAL = ("localhost", "127.0.0.1")


def _look(situation: Situation, asked: AskedCommand) -> Iterator[Finding]:
    if asked.rankfile is None:
        return
    path, text = asked.rankfile
    wrong = next(_wrong_lines(situation, asked, text), None)
    if wrong is None:
        return
    yield Finding(
        found=f"{path} {wrong}",
        why="it was written for another number of ranks, other hosts or another machine, or before a "
        "cgroup took cores: mpirun refuses it, or binds other cores than it was written for",
        do="let mpirun map, or write a new one: `corewise export PLACEMENT --for openmpi4`",
        command=own_cores(asked),
    )


def _wrong_lines(situation: Situation, asked: AskedCommand, text: str) -> Iterator[str]:
    """The errors of the lines, then of the whole file."""
    ranks: list[int] = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split("#")[0].strip()
        if not words:
            continue
        match = _LINE.fullmatch(words)
        if match is None:
            yield f"line {number}: found '{words:.60}'; expected 'rank 0=HOST slot=CORE'"
            return
        ranks.append(int(match[1]))
        yield from _wrong_line(situation, asked, number, match[2], match[3])
    yield from _wrong_ranks(asked, ranks)


def _wrong_line(
    situation: Situation, asked: AskedCommand, number: int, host: str, slots: str
) -> Iterator[str]:
    hosts = asked.application.host_names
    node = _NODE.fullmatch(host)
    known = int(node[1]) < len(hosts) if node else host in (*hosts, *_LOCAL, situation.here.host)
    if not known:
        yield f"line {number}: host {host} is none of the command's ({', '.join(hosts[:4])})"
    elif len(hosts) == 1:
        yield from _wrong_cores(situation, number, slots)


def _wrong_cores(situation: Situation, number: int, slots: str) -> Iterator[str]:
    """Wrong cores in slots of the forms `2`, `0-3`, `1,3` or `0:2` (package and core); ignores others."""
    host = (situation.nodes or [situation.here])[0]
    n_cores = len(host.cores_of(host.allowed))
    cores = [int(core) for core in re.findall(r"\d+", re.sub(r"p?\d+:", "", slots))]
    if absent := [core for core in cores if core >= n_cores]:
        yield (
            f"line {number}: core {index_text(absent)} (logical) is not on {host.host}, where "
            f"{counted(n_cores, 'core')} may be used"
        )


def _wrong_ranks(asked: AskedCommand, ranks: list[int]) -> Iterator[str]:
    if len(set(ranks)) < len(ranks):
        twice = next(rank for rank in ranks if ranks.count(rank) > 1)
        yield f"names rank {twice} twice"
    n_ranks = asked.application.n_ranks
    missing = set(range(n_ranks or 0)) - set(ranks)
    if missing:
        yield f"has no line for ranks {index_text(missing)} of {n_ranks}"


CHECK = Check(
    name="stale-rankfile",
    sentence="a rankfile names cores, hosts or ranks that are not there",
    source="mpirun(1), Rankfiles; ompi#13143: Open MPI 5 counts logical cores only",
    of_command=_look,
)
