"""The conditions of a measurement: this host, and how busy it was."""

from __future__ import annotations

import os
import platform


def busy_note() -> str | None:
    """A sentence where this host already has work for half of its hardware threads or more."""
    load, n_threads = os.getloadavg()[0], os.cpu_count() or 1
    if load < n_threads / 2:
        return None
    return (
        f"this host was busy before (load average {load:.1f} on {n_threads} hardware threads): measure again "
        "when it is quiet"
    )


def conditions() -> dict[str, str]:
    """`host` and `load average`, in words."""
    return {
        "host": f"{platform.node()}, {platform.machine()}, Linux {platform.release()}",
        "load average": f"{os.getloadavg()[0]:.1f} in the last minute on {os.cpu_count()} hardware threads",
    }
