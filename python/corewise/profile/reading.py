"""Reading a profile and its events from their folder: the one place of the package where that happens."""

from __future__ import annotations

import logging
from pathlib import Path

from corewise.model import EventLog, Profile, read_events

_log = logging.getLogger(__name__)


def read_profile(folder: Path) -> Profile:
    """The profile that a job left in `folder`; raises InputError naming a file that can't be read.

    Every reading is logged (DEBUG), since it may take long: a command reads a profile once.
    """
    _log.debug("reading the profile %s", folder)
    return Profile.read(str(folder))


def read_event_log(folder: Path) -> EventLog:
    """The events of the profile in `folder`, empty where it has none; raises as read_profile() does."""
    _log.debug("reading the events of %s", folder)
    return read_events(str(folder))
