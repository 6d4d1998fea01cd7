"""The node of this process: its name, and its id as in profiles (node/identity.c)."""

from __future__ import annotations

import os
import socket
from pathlib import Path

from corewise.launchers.hosts import same_name

LOCAL_NAMES = ("localhost", "127.0.0.1")


def is_this_host(host: str) -> bool:
    """Whether `host` is a name of this host, short or with its domain; False for aliases."""
    return host in LOCAL_NAMES or same_name(host, socket.gethostname())


def own_name(host: str) -> str:
    """`host`, or this host's own name for localhost."""
    return socket.gethostname() if host in LOCAL_NAMES else host


def boot_id() -> str:
    """The kernel's random ID of this boot, equal in all containers of a host; empty if unknown."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""


def own_id() -> str:
    """This node's ProfileNode.id: 8 digits of the boot ID, then the network namespace."""
    boot = boot_id()[:8] or "0" * 8
    try:
        network = os.stat("/proc/self/ns/net").st_ino
    except OSError:
        network = 0
    return f"{boot}-{network}"
