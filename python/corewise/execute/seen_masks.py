"""The masks that a launcher gives the ranks of a command, seen with corewise-mask in the program's place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from corewise.errors import InputError
from corewise.execute.application import Application
from corewise.execute.folder import working_directory
from corewise.execute.programs import native
from corewise.execute.start import printed_by
from corewise.files.document import read_text
from corewise.launchers import Command
from corewise.launchers.programs import written
from corewise.launchers.wrapper import unwrapped
from corewise.nouns.launch_plan import LaunchPlan
from corewise.text.quantities import indices_of

PROGRAM = "corewise-mask"
FIRST_LINE = "corewise-mask 1"
TIMEOUT_S = 60  # Hydra waits for ever for a host that can't be reached


@dataclass(frozen=True)
class RankMask:
    """Where a rank was started and what it may use (os_index); the node is named as a ProfileNode.

    `rank` is -1 for a process that was given none.
    """

    rank: int
    host: str
    id: str
    batch_name: str
    addresses: list[str]
    os_pus: frozenset[int]


@dataclass(frozen=True)
class Started:
    """How a start of corewise-mask ended: the masks in the order of the ranks, and what was printed."""

    masks: list[RankMask]
    exit_code: int | None
    printed: str


def masks_under(application: Application, before: Sequence[str] = ()) -> Started:
    """Starts the command with corewise-mask for its programs, after the same wrappers.

    `before` are words in front of the launcher, such as `taskset -c 0`.
    """

    def probed(app: list[str], folder: str) -> list[str]:
        wrappers = app[: len(app) - len(unwrapped(app))]
        return [*wrappers, native(PROGRAM), folder]

    with working_directory() as folder:
        command = application.command
        programs = [replace(program, app=probed(program.app, str(folder))) for program in command.programs]
        argv, files = command_words(replace(command, programs=programs), str(folder))
        return _started(LaunchPlan([*before, *argv], files=files), folder)


def mask_behind(before: Sequence[str]) -> frozenset[int]:
    """What a program after these wrappers may use; an empty set where it doesn't start."""
    with working_directory() as folder:
        masks = _started(LaunchPlan([*before, native(PROGRAM), str(folder)]), folder).masks
    return masks[0].os_pus if masks else frozenset()


def command_words(command: Command, directory: str) -> tuple[list[str], dict[str, str]]:
    """A command put together again, with srun's file of programs in `directory`: words, and path to text."""
    return written(command, [program.options_without() for program in command.programs], [], directory)


def _started(plan: LaunchPlan, folder: Path) -> Started:
    exit_code, output, messages = printed_by(plan, TIMEOUT_S)
    masks = [read_mask(path) for path in folder.glob("*.mask")]
    return Started(sorted(masks, key=lambda mask: mask.rank), exit_code, output + messages)


def read_mask(path: Path) -> RankMask:
    """What one corewise-mask wrote (formats/FORMATS.md); raises InputError naming the file."""
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
