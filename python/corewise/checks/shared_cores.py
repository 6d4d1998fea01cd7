"""shared-cores: ranks share hardware threads while cores of their host are idle."""

from __future__ import annotations

from collections.abc import Iterator

from corewise.checks.check import Check, Finding
from corewise.checks.corrected import own_cores
from corewise.checks.crowding import crowds
from corewise.checks.situation import AskedCommand, Situation
from corewise.launchers import placing_options
from corewise.launchers.wrapper import binding_wrapper
from corewise.text.escaping import shell_text


def _look(situation: Situation, asked: AskedCommand) -> Iterator[Finding]:
    for crowd in crowds(situation):
        if crowd.on_one_thread:
            yield Finding(
                found=f"{crowd.who}{_cause(asked)}",
                why="ranks on one core take turns, and each waits for the others",
                do="let the launcher give each rank its own core",
                command=own_cores(asked),
            )


def _cause(asked: AskedCommand) -> str:
    application = asked.application
    wrappers = [binding_wrapper(program.app) for program in application.command.programs]
    if wrapper := next(filter(None, wrappers), None):
        alike = "every rank alike" if len(wrappers) == 1 else "ranks"
        return f": '{shell_text(wrapper)}' binds {alike}"
    options = placing_options(application.command, application.launcher.options)
    return f": so '{' '.join(options[0].tokens)}' binds them" if options else ""


CHECK = Check(
    name="shared-cores",
    sentence="ranks share a core while others idle: a wrapper (taskset, numactl) or a list binds them alike",
    source="tried: taskset under Open MPI 4.1.4; Hydra 4.0.2 and Slurm 22.05.8 count a list's entries on "
    "each host again",
    of_command=_look,
)
