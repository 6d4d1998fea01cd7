"""The conditions of a measurement: this host, and how busy it was."""

from __future__ import annotations

import os
import platform


def conditions() -> dict[str, str]:
    """`host` and `load average`, in words."""
    return {
        "host": f"{platform.node()}, {platform.machine()}, Linux {platform.release()}",
        "load average": f"{os.getloadavg()[0]:.1f} in the last minute on {os.cpu_count()} hardware threads",
    }
