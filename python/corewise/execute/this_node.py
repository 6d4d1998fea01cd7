"""Which node corewise itself runs on, by name and as the profile's node files say it (node/identity.c)."""

from __future__ import annotations

import os
import socket
from pathlib import Path

from corewise.launchers.hosts import same_name

LOCAL_NAMES = ("localhost", "127.0.0.1")


def is_this_host(host: str) -> bool:
    """By name alone, short or with its domain: an unknown name is left to the verification."""
    return host in LOCAL_NAMES or same_name(host, socket.gethostname())


def own_name(host: str) -> str:
    """`host` as its ranks call it: this host's own name for localhost."""
    return socket.gethostname() if host in LOCAL_NAMES else host


def boot_id() -> str:
    """The kernel's random name of this boot, the same in all containers of a host; empty if not known."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""


def own_id() -> str:
    """The id of a ProfileNode that was written here: 8 digits of the boot id, then the network namespace."""
    boot = boot_id()[:8] or "0" * 8
    try:
        network = os.stat("/proc/self/ns/net").st_ino
    except OSError:
        network = 0
    return f"{boot}-{network}"
