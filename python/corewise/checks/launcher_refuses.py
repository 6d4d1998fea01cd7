"""launcher-refuses: the launcher doesn't start the command at all."""

from __future__ import annotations

from corewise.checks.check import Check, Finding
from corewise.checks.corrected import rebuilt
from corewise.checks.situation import Situation
from corewise.launchers import placing_options

_MOST_WORDS = 60


def _look(situation: Situation) -> list[Finding]:
    asked = situation.asked
    if asked is None or not asked.exit_code or asked.seen:
        return []
    application = asked.application
    words = [word for word in asked.printed.split() if set(word) - set("-=*")]
    binds = placing_options(application.command, application.launcher.options)
    return [
        Finding(
            found=f"the launcher ended with exit code {asked.exit_code} before it started a rank; it "
            f"printed: {' '.join(words[:_MOST_WORDS]) or 'nothing'}",
            why="the same command fails with the program, too",
            do="let it map and bind as it does by itself" if binds else "see what it printed",
            command=rebuilt(asked) if binds else None,
        )
    ]


CHECK = Check(
    name="launcher-refuses",
    sentence="the launcher can't start the command, whatever the program is",
    source="its own words",
    look=_look,
)
