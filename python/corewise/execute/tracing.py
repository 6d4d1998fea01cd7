"""Tracing: the user's own command, observed; the profile gets its name when the program has ended."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import IO, TYPE_CHECKING

from corewise.errors import CorewiseError, InputError
from corewise.execute.application import Application
from corewise.execute.observe import read_profile, run_of
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
    `target` exists and is not an empty folder, NotObserved when no rank reported.
    """
    _refuse_existing(target)
    beside = target.absolute().with_name(f".{target.name}.{os.getpid()}")
    profile_folder = beside / "profile"
    try:
        plan = application.plan_as_is(str(beside), str(profile_folder))
        ended = start(plan, output)
        profile = read_profile(profile_folder)
        if profile is None:
            raise NotObserved(
                f"no rank of '{application.command.app[0]}' reported (exit code {ended[0]}): expected an MPI "
                f"program that links {application.family} dynamically and reaches MPI_Init"
            )
        if target.is_dir():
            target.rmdir()
        profile_folder.rename(target)
    except OSError as error:
        raise InputError(f"{target}: could not be written ({error.strerror})") from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return run_of("default", plan, ended, profile, wanted=None), profile


def _refuse_existing(target: Path) -> None:
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise InputError(f"{target} is there already; choose another name or remove it")
