"""Finds the masks that a launcher gives to ranks, by starting corewise-mask instead of the program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from corewise.errors import InputError
from corewise.files.document import read_text
from corewise.launchers.programs import written
from corewise.launchers.wrapper import unwrapped
from corewise.nouns.launch_plan import LaunchPlan
from corewise.start.application import Application
from corewise.start.folder import working_directory
from corewise.start.launching import printed_by
from corewise.start.programs import native
from corewise.text.quantities import indices_of

PROGRAM = "corewise-mask"
FIRST_LINE = "corewise-mask 1"
TIMEOUT_S = 60  # Hydra waits forever for a host that can't be reached


@dataclass(frozen=True)
class RankMask:
    """The node of a rank, named as in a ProfileNode, and its mask (os_index).

    `rank` is -1 for a process without a rank.
    """

    rank: int
    host: str
    id: str
    batch_name: str
    addresses: list[str]
    os_pus: frozenset[int]


@dataclass(frozen=True)
class Started:
    """The result of starting corewise-mask: masks in the order of ranks, exit code and output."""

    masks: list[RankMask]
    exit_code: int | None
    printed: str


def masks_under(application: Application, before: Sequence[str] = ()) -> Started:
    """Starts the command with corewise-mask instead of its programs, after the same wrappers.

    `before` are words before the launcher, such as `taskset -c 0`.
    """

    def probed(app: list[str], folder: str) -> list[str]:
        wrappers = app[: len(app) - len(unwrapped(app))]
        return [*wrappers, native(PROGRAM), folder]

    with working_directory() as folder:
        command = application.command
        programs = [replace(program, app=probed(program.app, str(folder))) for program in command.programs]
        options = [program.options_without() for program in programs]
        argv, files = written(replace(command, programs=programs), options, [], str(folder))
        return _started(LaunchPlan([*before, *argv], files=files), folder)


def mask_behind(before: Sequence[str]) -> frozenset[int]:
    """The mask of a program after these wrappers; empty if it doesn't start."""
    with working_directory() as folder:
        masks = _started(LaunchPlan([*before, native(PROGRAM), str(folder)]), folder).masks
    return masks[0].os_pus if masks else frozenset()


def _started(plan: LaunchPlan, folder: Path) -> Started:
    exit_code, output, messages = printed_by(plan, TIMEOUT_S)
    masks = [read_mask(path) for path in folder.glob("*.mask")]
    return Started(sorted(masks, key=lambda mask: mask.rank), exit_code, output + messages)


def read_mask(path: Path) -> RankMask:
    """Reads a file of corewise-mask (formats/FORMATS.md); raises InputError naming the file."""
    first, *lines = read_text(path, "a file of corewise-mask").splitlines() or [""]
    values = dict(line.partition(" ")[::2] for line in lines)
    try:
        if first != FIRST_LINE:
            raise ValueError
        return RankMask(
            rank=int(values["rank"]),
            host=values["host"],
            id=values["id"],
            batch_name=values["batch_name"],
            addresses=values["addresses"].split(),
            os_pus=indices_of(values["os_pus"]),
        )
    except (KeyError, ValueError) as error:
        raise InputError(f"not as '{FIRST_LINE}' writes it; is it whole?", path=path) from error
