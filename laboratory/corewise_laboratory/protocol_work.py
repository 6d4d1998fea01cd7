"""A simulated load: a process that takes a share of one core, as the processing of packets does.

Steering looks out for ranks whose cores also process the node's packets. Benchmarks and studies of steering
create such cores with this process, or with real packets (packet_work.py).
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

PERIOD_S = 0.005


@contextmanager
def simulated_load(share: float, cpu: int) -> Iterator[None]:
    """A process that takes `share` of each 5 ms of a CPU (OS index) while the block runs.

    It has real-time priority if the user may have it, because the kernel's packet processing also precedes
    user processes. It ends when this process ends for any reason.
    """
    words = [
        sys.executable,
        "-m",
        "corewise_laboratory.protocol_work",
        str(share),
        str(cpu),
        str(os.getpid()),
    ]
    process = subprocess.Popen(words, stdin=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.kill()
        process.wait()


def _take(share: float, cpu: int, owner: int) -> None:
    os.sched_setaffinity(0, {cpu})
    with suppress(PermissionError):
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(20))
    while os.getppid() == owner:
        end = time.perf_counter() + share * PERIOD_S
        while time.perf_counter() < end:
            pass
        time.sleep((1 - share) * PERIOD_S)


if __name__ == "__main__":
    _take(float(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
