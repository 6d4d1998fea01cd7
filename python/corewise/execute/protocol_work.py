"""Protocol work put on one core: that of real packets, or a process that takes as much of the core.

Some cores of a node work on its packets, and ranks there have less of their core: what steering looks for.
Here that is made on purpose, for benchmarks and studies of steering.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from corewise.errors import MissingError

PERIOD_S = 0.005

# In a network namespace of its own: loopback up, its packets steered to the CPUs of the mask. The setting
# is the namespace's, so it ends with its last process, however that ends; the host's own is never touched.
_SCRIPT = """
mount -t sysfs none /mnt && echo "$1" >/mnt/class/net/lo/queues/rx-0/rps_cpus && umount /mnt || exit 3
ip link set lo up || exit 3
shift
exec "$@"
"""


@contextmanager
def stand_in(share: float, cpu: int) -> Iterator[None]:
    """A process that takes `share` of a CPU (OS index), a part of every 5 ms, while the block runs.

    It has real-time priority where the user may have it, as the kernel's packet work goes before processes.
    It ends with the process that started it, whatever ends that.
    """
    words = [sys.executable, "-m", "corewise.execute.protocol_work", str(share), str(cpu), str(os.getpid())]
    process = subprocess.Popen(words, stdin=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.kill()
        process.wait()


def with_packets_on(cpu: int, argv: list[str]) -> list[str]:
    """The command, in a network namespace whose loopback has its received packets worked on by one CPU.

    Receive packet steering does that (the kernel's Documentation/networking/scaling.rst). Raises MissingError
    where that can't be set up here.
    """
    for tool, package in (("unshare", "util-linux"), ("ip", "iproute2")):
        if shutil.which(tool) is None:
            raise MissingError(f"{tool} was not found; expected Debian's {package}")
    words = ["unshare", "--net", "--mount", "sh", "-c", _SCRIPT, "sh", f"{1 << cpu:x}"]
    tried = subprocess.run([*words, "true"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if tried.returncode != 0:
        said = (tried.stderr.strip().splitlines() or [f"exit code {tried.returncode}"])[0]
        raise MissingError(
            f"packets can't be steered to one core here ({said}); expected root, and a kernel with RPS"
        )
    return [*words, *argv]


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
