"""The conditions of a measurement: this host, and how busy it was."""

from __future__ import annotations

import os
import platform
import time
from pathlib import Path

from msgspec import structs

from corewise.nouns.load import Load

# The kernel counts CPU time in ticks of 10 ms. In 1 s, the error is 1 % of a hardware thread.
LEAST_WATCHED_S = 1.0


def load_now() -> Load:
    """The load of this host before a measurement."""
    return Load(os.getloadavg()[0], None, os.cpu_count() or 1)


class LoadWatch:
    """Watches this host from its construction until load() is called."""

    def __init__(self) -> None:
        self._before = load_now()
        self._begin_s = time.monotonic()
        self._busy_s, self._own_s = _busy_s(), _own_s()

    def load(self, ranks_cpu_s: float = 0.0) -> Load:
        """The load until now; to be called when all processes that were started have ended.

        `ranks_cpu_s` is the CPU time that the ranks reported. If it is more than what this process and its
        descendants used, a daemon started the ranks or they ran elsewhere, and the load by others is unknown.
        """
        elapsed_s, own_s = time.monotonic() - self._begin_s, _own_s() - self._own_s
        others = None
        begin_s, end_s = self._busy_s, _busy_s()
        watched = elapsed_s >= LEAST_WATCHED_S and own_s >= ranks_cpu_s
        if watched and begin_s is not None and end_s is not None:
            others = max(0.0, end_s - begin_s - own_s) / elapsed_s
        return structs.replace(self._before, others=others)


def _busy_s() -> float | None:
    """Busy CPU time of this host since its boot, s, including time stolen by a hypervisor (proc_stat(5))."""
    try:
        ticks = [int(word) for word in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
    except (OSError, ValueError):
        return None
    idle = sum(ticks[3:5])
    return (sum(ticks) - idle) / os.sysconf("SC_CLK_TCK")


def _own_s() -> float:
    """CPU time of this process and of its descendants that have ended, s."""
    return sum(os.times()[:4])


def host_conditions() -> dict[str, str]:
    """`host` in words."""
    return {"host": f"{platform.node()}, {platform.machine()}, Linux {platform.release()}"}


def conditions(load: Load) -> dict[str, str]:
    """`host` and `load`, in words."""
    return host_conditions() | {"load": load.text}
