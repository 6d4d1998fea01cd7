"""How much memory a simulation may take."""

from __future__ import annotations

import re
import resource
from pathlib import Path

_UNKNOWN_BYTES = 1 << 32  # if free memory is unknown


def memory_bytes(reserved_bytes: int = 0) -> int:
    """The free memory plus `reserved_bytes` of unused address space, at most this process's limit."""
    said = re.search(r"MemAvailable:\s+(\d+) kB", Path("/proc/meminfo").read_text())
    wanted = (int(said[1]) * 1024 if said else _UNKNOWN_BYTES) + reserved_bytes
    allowed, _ = resource.getrlimit(resource.RLIMIT_AS)
    return wanted if allowed == resource.RLIM_INFINITY else min(wanted, allowed)
