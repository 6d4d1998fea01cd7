"""Lists of hardware threads in commands: outside the cpuset, or read from the start by each host."""

from __future__ import annotations

import re
from collections.abc import Iterator

from corewise.checks.corrected import on_threads, own_cores, rebuilt
from corewise.checks.situation import AskedCommand, Finding, Situation
from corewise.errors import InputError
from corewise.launchers.binding import CoreList, entries_of, entry_of_mask
from corewise.launchers.rankfile_read import Entry, entries
from corewise.launchers.wrapper import binding_wrapper
from corewise.observe.host_cpus import HostCpus
from corewise.text.quantities import counted, index_text

_TASKSET = re.compile(r"-\w*c|--cpu-list")
_NUMACTL = re.compile(r"(?:-C|--physcpubind)(?:=(.*))?")
# What happens to a number that can't be used (tried), unless the launcher's Binding says something else.
_NARROWED = "the kernel narrows the mask to what is left, silently, or the wrapper ends with an error"


def launcher_lists(asked: AskedCommand) -> list[CoreList]:
    """The nonempty lists in the launcher's options and variables."""
    command, environment = asked.application.command, asked.programs[0].environment
    return [one for one in asked.application.launcher.binding.core_lists(command, environment) if one.entries]


def number_lists(asked: AskedCommand) -> list[CoreList]:
    """The lists of os_index in a command, its variables and its wrappers."""
    wrappers = filter(None, (binding_wrapper(program.app) for program in asked.application.command.programs))
    return [
        *(one for one in launcher_lists(asked) if one.of_threads),
        *(
            CoreList(" ".join(wrapper), entries, counts_ranks=False)
            for wrapper in wrappers
            if (entries := _of_wrapper(wrapper))
        ),
    ]


def _of_wrapper(words: list[str]) -> list[frozenset[int]]:
    """The entries of `taskset -c LIST`, `taskset MASK` or `numactl -C LIST`."""
    name, rest = words[0].rpartition("/")[2], words[1:]
    if name == "taskset" and rest:
        is_list = any(_TASKSET.fullmatch(word) for word in rest)
        return entries_of(rest[-1].split(",")) if is_list else [entry_of_mask(rest[-1])]
    for i, word in enumerate(rest):
        if name == "numactl" and (option := _NUMACTL.fullmatch(word)):
            text = option[1] or (rest[i + 1] if i + 1 < len(rest) else "")
            return entries_of(text.split(","))
    return []


def absent_pus(situation: Situation, asked: AskedCommand) -> list[Finding]:
    """A list names hardware threads that can't be used on the first host."""
    host = (situation.nodes or [situation.here])[0]
    usable = host.allowed
    in_step = asked.application.launcher.binding.usable_mask
    if in_step and (step := re.search(in_step, asked.printed)):
        usable &= entry_of_mask(step[1])
    lists = number_lists(asked)
    return [_absent(situation, asked, host, usable, names) for names in lists if names.indices - usable]


def _absent(
    situation: Situation, asked: AskedCommand, host: HostCpus, usable: frozenset[int], names: CoreList
) -> Finding:
    absent = names.indices - usable
    kind = (
        "outside the job's step"
        if absent <= host.allowed
        else "offline"
        if absent & host.offline
        else "outside the cpuset"
        if absent & host.online
        else "not there"
    )
    first = host.first_threads(usable)
    n_ranks = situation.most_on_a_node
    fits = n_ranks <= len(first)
    return Finding(
        found=f"'{names.typed}' names hardware threads {index_text(absent)} (os_index), which are {kind} on "
        f"{host.host} ({index_text(usable)} may be used)",
        why=(names.counts_ranks and asked.application.launcher.binding.absent_pus) or _NARROWED,
        do="count only hardware threads that may be used; Open MPI's numbers, in contrast, count them from 0",
        command=on_threads(asked, host, first[:n_ranks], names.kind) if fits else own_cores(asked),
        otherwise=(rebuilt(asked),),
    )


def lists_per_host(situation: Situation, asked: AskedCommand) -> Iterator[Finding]:
    """A list for the ranks of the job, which each host reads from its start."""
    if len(asked.application.hosts) < 2:
        return
    most = situation.most_on_a_node
    for names in number_lists(asked):
        entries = names.entries
        if names.counts_ranks and any(entry != entries[i % most] for i, entry in enumerate(entries)):
            yield Finding(
                found=f"'{names.typed}' has {len(entries)} entries, and a host has at most {most} ranks",
                why="the list counts the ranks of each host, not those of the job: every host uses its first "
                "entries, and nobody the last ones",
                do="give each host's ranks their own cores, or any rank any core with `corewise run "
                "--placement`",
                command=own_cores(asked),
            )


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
