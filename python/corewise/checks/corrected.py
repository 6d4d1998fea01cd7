"""Builds corrected commands from the command that is checked."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from corewise.checks.situation import RANKFILE, AskedCommand, Check, Finding, Situation
from corewise.errors import CorewiseError
from corewise.launchers import Command, without_placing
from corewise.launchers.command import Option
from corewise.launchers.options import OptionTable
from corewise.launchers.programs import MULTI_PROG, written
from corewise.launchers.wrapper import unwrapped, without_binding
from corewise.observe.host_cpus import HostCpus
from corewise.start.folder import working_directory
from corewise.text.escaping import shell_text


def own_cores(asked: AskedCommand, n_cores: int = 1) -> str | None:
    """The command bound only by the launcher's own options, with `n_cores` cores for each rank.

    Like other functions here, returns None if the launcher has no such options.
    """
    bound = bound_to_cores(asked, n_cores)
    return as_typed(bound) if bound else None


def bound_to_cores(asked: AskedCommand, n_cores: int) -> AskedCommand | None:
    """own_cores() as a command that can be corrected further."""
    options = asked.application.launcher.binding.own_cores
    return _replaced(asked, _unplaced(asked), options.format(n=n_cores).split()) if options else None


def on_threads(asked: AskedCommand, host: HostCpus, os_pus: list[int], kind: str = "") -> str | None:
    """The command with each host's ranks on these hardware threads (os_index) in order.

    Assumes that every node is like `host`. `kind` is that of the replaced list (CoreList).
    """
    options = asked.application.launcher.binding.on_threads
    return rebuilt(asked, options(os_pus, _cores_in_cpuset(host, os_pus), kind)) if options else None


def by_rankfile(asked: AskedCommand) -> str | None:
    """The command with its ranks placed by the file RANKFILE."""
    options = asked.application.launcher.binding.rankfile
    return rebuilt(asked, options.format(path=RANKFILE).split()) if options else None


def _cores_in_cpuset(host: HostCpus, os_pus: Sequence[int]) -> list[int]:
    """The cores of these hardware threads in Open MPI's numbering: from 0, within the cgroup's cpuset."""
    usable = [core for core in host.cores if host.allowed & set(core)]
    return [number for number, core in enumerate(usable) if set(os_pus) & set(core)]


def rebuilt(asked: AskedCommand, options: Sequence[str] = ()) -> str:
    """The command without anything that maps or binds, with these launcher options added."""
    return with_command(asked, _unplaced(asked), options)


def _unplaced(asked: AskedCommand) -> Command:
    return without_placing(asked.application.command, asked.application.launcher.options)[0]


def with_command(asked: AskedCommand, command: Command, options: Sequence[str] = ()) -> str:
    """`command` instead of the one that is checked, with these launcher options added."""
    return as_typed(_replaced(asked, command, options))


def _replaced(asked: AskedCommand, command: Command, options: Sequence[str]) -> AskedCommand:
    before, _ = without_binding([*asked.before, "launcher"])
    changed = replace(command, start=[*command.start, *options])
    return replace(_changed(asked, changed), before=tuple(before[:-1]))


def as_typed(asked: AskedCommand) -> str:
    """The command in one line."""
    return text([*asked.before, *_words(asked.application.command)])


def _words(command: Command) -> list[str]:
    """The words of a command; srun's file of programs stays unchanged."""
    options = [program.options_without() for program in command.programs]
    if command.programs_file:
        return [*command.start, *options[0], MULTI_PROG, command.programs_file]
    return written(command, options, [], "")[0]


def without_variables(asked: AskedCommand, names: Sequence[str], instead: Sequence[str] = ()) -> str:
    """The command without these environment variables; `instead` are words NAME=VALUE to set.

    Uses the launcher's option to set them if there is one, because Open MPI doesn't forward variables to
    other hosts.
    """
    application = asked.application
    command, table = application.command, application.launcher.options
    option = application.launcher.sets_variable
    options = [word for assignment in instead for word in (option, assignment)] if option else []
    programs = []
    for i, program in enumerate(command.programs):
        app = program.app
        wrappers = app[: len(app) - len(unwrapped(app))]
        kept = [one for one in program.options if not _sets(one, table, names)]
        # The first program's are in `start`.
        repeats = i > 0 and application.launcher.sets_variable_of_one
        own = [Option(option, (word,), (option, word)) for word in instead] if repeats else []
        programs.append(
            replace(program, options=[*own, *kept], app=[*_others(wrappers, names), *unwrapped(app)])
        )
    start = [*command.start, *options]
    argv = _words(replace(command, start=start, programs=programs))
    unset = [word for name in names for word in ("-u", name)]
    in_front = [] if option else instead
    return text(["env", *unset, *in_front, *_others(asked.before, names), *argv])


def _sets(option: Option, table: OptionTable, names: Sequence[str]) -> bool:
    return option.name in table.sets_variable and "=".join(option.values).partition("=")[0] in names


def _others(words: Sequence[str], names: Sequence[str]) -> list[str]:
    """The words without those that set one of these variables."""
    return [word for word in words if word.partition("=")[0] not in names]


def with_option(asked: AskedCommand, names: Iterable[str], options: Sequence[str]) -> str:
    """The command with these options instead of those in `names`, in all of its programs."""
    command = asked.application.command.without(lambda option: option.name in names)
    return with_command(asked, command, options)


def with_option_instead(asked: AskedCommand, parameter: str, options: Sequence[str]) -> str:
    """The command with these options, and without the options that set the MCA parameter."""
    command, table = asked.application.command, asked.application.launcher.options

    def sets(option: Option) -> bool:
        return option.name in table.parameter and option.values[0] == parameter

    return as_typed(_changed(asked, command.without(sets, *options)))


def with_ranks(asked: AskedCommand, n_ranks: int) -> AskedCommand | None:
    """The command with another number of ranks; None if it has several programs."""
    command, table = asked.application.command, asked.application.launcher.options
    if len(command.programs) > 1:
        return None
    changed = command.without(lambda option: option.name in table.n_ranks, *table.ranks(n_ranks))
    return _changed(asked, changed)


def _changed(asked: AskedCommand, command: Command) -> AskedCommand:
    return replace(asked, application=replace(asked.application, command=command))


def hydra_example(os_pus: Sequence[int]) -> str:
    """An example for a host without a command: MPICH starts a rank on each of these hardware threads."""
    return f"mpiexec -n {len(os_pus)} -bind-to user:{','.join(map(str, os_pus))} APP"


def text(words: Sequence[str]) -> str:
    """A command in one line to copy into a shell."""
    return shell_text(list(words))


MOST_TRIED = 8  # commands, each of which starts a launcher


def tried(
    found: Sequence[tuple[Check, Finding]],
    situation: Situation,
    situation_of: Callable[[Sequence[str]], Situation],
    findings: Callable[[Situation], list[tuple[Check, Finding]]],
) -> list[tuple[Check, Finding]]:
    """The findings, each with the first of its commands that works, or without a command.

    A command works if its launcher starts all ranks, and if it has no new trap and not the trap that it
    corrects. Findings on a host without a command stay unchanged, because their commands are examples.
    """
    if situation.asked is None:
        return list(found)
    names = {check.name for check, _ in found}
    known: dict[str, Situation | None] = {}

    def works(check: Check, finding: Finding, command: str) -> bool:
        if command not in known and len(known) < MOST_TRIED:
            known[command] = _seen_under(command, finding.rankfile, situation_of)
        where = known.get(command)
        return where is not None and {one.name for one, _ in findings(where)} <= names - {check.name}

    chosen = []
    for check, finding in found:
        proposals = filter(None, (finding.command, *finding.otherwise))
        command = next((one for one in proposals if works(check, finding, one)), None)
        if command and finding.rankfile:
            writes = text(["printf", r"%s\n", *finding.rankfile])
            command = f"{writes} >{RANKFILE} && {command}"
        chosen.append((check, replace(finding, command=command, otherwise=(), rankfile=())))
    return chosen


def _seen_under(
    command: str, rankfile: Sequence[str], situation_of: Callable[[Sequence[str]], Situation]
) -> Situation | None:
    """The situation of the command; None if its launcher doesn't start all ranks."""
    try:
        if rankfile:
            with working_directory() as folder:
                path = folder / RANKFILE
                path.write_text("\n".join(rankfile) + "\n")
                where = situation_of([word.replace(RANKFILE, str(path)) for word in shlex.split(command)])
        else:
            where = situation_of(shlex.split(command))
    except CorewiseError:
        return None
    asked = where.asked
    if asked is None:
        return None
    wanted = asked.application.n_ranks
    return where if asked.exit_code == 0 and len(asked.seen) >= (wanted or 1) else None
