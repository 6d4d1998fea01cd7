"""Reads a profile and its events from their folder; no other file of the package does."""

from __future__ import annotations

import logging
from pathlib import Path

from corewise.errors import InputError
from corewise.model import EventLog, Profile, read_events

_log = logging.getLogger(__name__)


class NothingRecorded(InputError):
    """A profile that contains no record of any rank."""


def read_profile(folder: Path) -> Profile:
    """The profile in `folder`; raises InputError naming a file that can't be read, and NothingRecorded.

    Reading may take long, so each call is logged (DEBUG) and a command should read a profile once.
    """
    _log.debug("reading the profile %s", folder)
    profile = Profile.read(str(folder))
    if all(rank.node < 0 for rank in profile.ranks):
        raise NothingRecorded(
            f"{folder}: none of {profile.n_ranks} ranks has a record in it; expected a profile that ranks "
            "wrote. Was the disk full? Trace again into a folder with room"
        )
    return profile


def read_event_log(folder: Path) -> EventLog:
    """The events of the profile in `folder`, empty if it has none; raises as read_profile() does."""
    _log.debug("reading the events of %s", folder)
    return read_events(str(folder))
