"""launcher-refuses: the launcher doesn't start the command at all."""

from __future__ import annotations

from collections.abc import Iterator

from corewise.checks.check import Check, Finding
from corewise.checks.cores_not_given import cores_asked
from corewise.checks.corrected import own_cores, rebuilt
from corewise.checks.situation import AskedCommand, Situation
from corewise.launchers import placing_options
from corewise.observe.seen_masks import TIMEOUT_S

# Kept words of the launcher's output; the last ones often are advice.
_FIRST_WORDS, _LAST_WORDS = 40, 40


def _look(situation: Situation, asked: AskedCommand) -> Iterator[Finding]:
    if not asked.exit_code or asked.seen:
        return
    if asked.timed_out:
        yield _timed_out()
        return
    application = asked.application
    binds = placing_options(application.command, application.launcher.options)
    n_cores = cores_asked(asked)
    yield Finding(
        found=f"the launcher ended with exit code {asked.exit_code} before it started a rank; it "
        f"printed: {_shortened(asked.printed) or 'nothing'}",
        why="the same command also fails with the program",
        do="use its default mapping and binding" if binds else "see what it printed",
        command=own_cores(asked, n_cores) if n_cores else rebuilt(asked) if binds else None,
        otherwise=(rebuilt(asked),) if n_cores else (),
    )


def _timed_out() -> Finding:
    return Finding(
        found=f"the launcher started no rank in {TIMEOUT_S} s; can its hosts be reached?",
        why="launchers wait for a host that doesn't answer, some without an end",
        do="log in to each host of the command with ssh, or leave out those that don't answer",
    )


def _shortened(printed: str) -> str:
    """The words without lines of dashes, and with "..." instead of the middle."""
    words = [word for word in printed.split() if set(word) - set("-=*")]
    if len(words) > _FIRST_WORDS + _LAST_WORDS:
        words[_FIRST_WORDS:-_LAST_WORDS] = ["..."]
    return " ".join(words)


CHECK = Check(
    name="launcher-refuses",
    sentence="the launcher can't start the command, whatever the program is",
    source="its own words",
    of_command=_look,
)
