"""Reading a profile from its folder: the one place of the package where that happens."""

from __future__ import annotations

import logging
from pathlib import Path

from corewise.model import Profile

_log = logging.getLogger(__name__)


def read_profile(folder: Path) -> Profile:
    """The profile that a job left in `folder`; raises InputError naming a file that can't be read.

    Every reading is logged (DEBUG), since it may take long: a command reads a profile once.
    """
    _log.debug("reading the profile %s", folder)
    return Profile.read(str(folder))
