"""A simulated load of protocol work: a process that takes a share of one core.

Some cores of a node work on its packets, and ranks there have less of their core: what steering searches for.
Here that is made on purpose, for benchmarks and studies of steering; packet_work.py does it with packets.
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
    """A process that takes `share` of a CPU (OS index), a part of every 5 ms, while the block runs.

    It has real-time priority where the user may have it, as the kernel's packet work goes before processes.
    It ends with the process that started it, whatever ends that.
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
