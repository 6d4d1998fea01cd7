"""Which node corewise itself runs on, by name and as the profile's node files say it (node/identity.c)."""

from __future__ import annotations

import os
import socket
from pathlib import Path

LOCAL_NAMES = ("localhost", "127.0.0.1")


def is_this_host(host: str) -> bool:
    """By name alone: a name that can't be told is left to the verification."""
    own = socket.gethostname()
    return host in (*LOCAL_NAMES, own, own.split(".")[0])


def own_name(host: str) -> str:
    """`host` as its ranks call it: this host's own name for localhost."""
    return socket.gethostname() if host in LOCAL_NAMES else host


def own_id() -> str:
    """The id of a ProfileNode that was written here: 8 digits of the boot id, then the network namespace."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text()[:8]
    except OSError:
        boot = "0" * 8
    try:
        network = os.stat("/proc/self/ns/net").st_ino
    except OSError:
        network = 0
    return f"{boot}-{network}"
