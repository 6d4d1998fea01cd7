"""LaunchPlan: a command ready to start, as plain data; JobScript: the same for a batch system."""

from __future__ import annotations

from typing import ClassVar

from corewise.nouns.codec import Noun
from corewise.text.escaping import shell_text


class LaunchPlan(Noun, frozen=True):
    """A command ready to start, which `--dry-run` prints.

    `env` is what the launcher itself needs in addition to the caller's environment because it has no option
    for it (SLURM_HOSTFILE). Variables of the program are in the binder's settings, one of the `files`, so
    that no daemon of the launcher gets them. `files` maps a path to the text to write there. `notes` are
    sentences on what the launcher's own syntax cannot express, and what does it instead.
    """

    FORMAT: ClassVar[str] = "corewise-launch-plan"
    WRITTEN_BY: ClassVar[str] = "corewise run --dry-run --json"

    argv: list[str]
    env: dict[str, str] = {}
    files: dict[str, str] = {}
    notes: list[str] = []

    @property
    def command_text(self) -> str:
        """Environment and command in one line to copy into a shell."""
        environment = [f"{name}={shell_text([value])}" for name, value in sorted(self.env.items())]
        return " ".join([*environment, shell_text(self.argv)])


class JobScript(Noun, frozen=True):
    """The text of a job script."""

    FORMAT: ClassVar[str] = "corewise-job-script"
    WRITTEN_BY: ClassVar[str] = "corewise export --script --json"

    script: str
