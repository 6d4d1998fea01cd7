"""How much memory a simulation may take."""

from __future__ import annotations

import re
import resource
from pathlib import Path

_UNKNOWN_BYTES = 1 << 32  # where the system doesn't say what is free


def memory_bytes(reserved_bytes: int = 0) -> int:
    """What is free now without swapping, and `reserved_bytes` of address space that is only reserved; at most
    this process' limit."""
    said = re.search(r"MemAvailable:\s+(\d+) kB", Path("/proc/meminfo").read_text())
    wanted = (int(said[1]) * 1024 if said else _UNKNOWN_BYTES) + reserved_bytes
    allowed, _ = resource.getrlimit(resource.RLIMIT_AS)
    return wanted if allowed == resource.RLIM_INFINITY else min(wanted, allowed)
