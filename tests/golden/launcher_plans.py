"""A launcher's plans as text: the command, its environment variables, its files, or the refusal."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from corewise.errors import InputError
from corewise.launchers import Injection, Job, Launcher, parse_command
from corewise.nouns.placement import Placement


def plan_texts(
    launcher: Launcher, title: str, app: str, hosts: list[str], placed: Placement, injection: Injection
) -> Iterator[str]:
    """Yields one text for each MPI family that the launcher starts. `hosts` is empty if none is named.

    `app` is the program with its arguments; `{folder}` in it stands for the launcher's option for a working
    directory.
    """
    options, folder = launcher.options, ""
    if options.working_directory:
        folder = f"{options.as_written(max(options.working_directory), '-')} /tmp"
    command = parse_command([*launcher.start, *shlex.split(app.format(folder=folder))], options)
    for family in launcher.families:
        of_family = f", {family}" if len(launcher.families) > 1 else ""
        hosts_from = "user" if hosts else "nowhere"
        job = Job(command, hosts or ["localhost"], "/job", injection, hosts_from, family)
        yield f"== {title}{of_family}\n{_text(launcher, placed, job)}"


def _text(launcher: Launcher, placed: Placement, job: Job) -> str:
    try:
        plan = launcher.plan(placed, job)
    except InputError as error:
        return f"refused: {error}\n"
    env = "".join(f"--- environment {name}={value}\n" for name, value in plan.env.items())
    files = "".join(f"--- {path}\n{text}" for path, text in plan.files.items())
    notes = "".join(f"--- note: {note}\n" for note in plan.notes)
    return f"{shlex.join(plan.argv)}\n{env}{files}{notes}"
