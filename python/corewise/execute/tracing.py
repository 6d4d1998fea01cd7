"""Tracing: the user's own command, observed; the profile gets its name when the program has ended."""

from __future__ import annotations

from pathlib import Path
from typing import IO, TYPE_CHECKING

from corewise.errors import CorewiseError, InputError
from corewise.execute.application import Application
from corewise.execute.folder import private_folder, refuse_existing
from corewise.execute.observe import reported, run_of
from corewise.execute.start import start
from corewise.files.run import Run

if TYPE_CHECKING:
    from corewise.model import Profile


class NotObserved(CorewiseError):
    """The program ran, but no rank reported: the answer is "no"."""

    exit_code = 1


def trace(application: Application, target: Path, output: IO | None = None) -> tuple[Run, Profile]:
    """Runs the command as it is and leaves its profile in the folder `target`.

    The profile of a failing program is kept, that of an interrupted one is not. Raises InputError when
    `target` is there already and is not an empty folder of the user's, NotObserved when no rank reported.
    """
    refuse_existing(target)
    with private_folder(target.absolute().parent) as beside:
        profile_folder = beside / "profile"
        plan = application.plan_as_is(str(beside), str(profile_folder))
        ended = start(plan, output)
        profile = reported(profile_folder)
        if profile is None:
            raise NotObserved(
                f"no rank of '{application.command.app[0]}' reported (exit code {ended[0]}): expected an MPI "
                f"program that links {application.family} dynamically and reaches MPI_Init"
            )
        try:
            if target.is_dir():
                target.rmdir()
            profile_folder.rename(target)
        except OSError as error:
            raise InputError(f"{target}: could not be written ({error.strerror})") from error
    return run_of("default", plan, ended, profile, wanted=None), profile
