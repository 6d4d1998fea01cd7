"""launcher-variables: an environment variable binds by number, or makes hwloc show another machine."""

from __future__ import annotations

import re

from corewise.checks.check import Check, Finding
from corewise.checks.corrected import without_variables
from corewise.checks.situation import AskedCommand, Situation
from corewise.launchers import EXPORTED, LAUNCHERS

_HWLOC = (r".", "hwloc's manual, 'Environment Variables': shows another machine")


def _look(situation: Situation, asked: AskedCommand | None = None) -> list[Finding]:
    launchers = [asked.application.launcher] if asked else [*LAUNCHERS.values(), *EXPORTED.values()]
    variables = dict.fromkeys(("HWLOC_SYNTHETIC", "HWLOC_XMLFILE"), _HWLOC)
    for launcher in launchers:
        variables |= launcher.binding.variables
    around = {name: value for one in reversed(situation.environments) for name, value in one.items()}
    return [
        _finding(asked, name, around[name], source)
        for name, (pattern, source) in sorted(variables.items())
        if re.search(pattern, around.get(name, ""))
    ]


def _finding(asked: AskedCommand | None, name: str, value: str, source: str) -> Finding:
    return Finding(
        found=f"{name}={value} is set ({source})",
        why="it decides where ranks run, for every command that finds it, not only for the one it was "
        "made for",
        do="start without it",
        command=without_variables(asked, [name]) if asked else f"unset {name}",
    )


CHECK = Check(
    name="launcher-variables",
    sentence="a launcher's variable binds by number (I_MPI_PIN_..., SLURM_CPU_BIND), or misleads hwloc",
    source="each launcher's documentation of the variable",
    of_command=_look,
    of_host=_look,
)
