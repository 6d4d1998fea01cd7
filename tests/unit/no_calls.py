"""Fields of a profile whose ranks made no MPI call."""

from __future__ import annotations

import numpy as np

NO_CALLS = {
    "calls": [],
    "columns": lambda: {
        name: np.zeros(0, int) for name in ("call", "flow", "own_call", "count", "sent_bytes", "time_s")
    },
}
