"""Loads one core with the processing of real packets, which a bridge copies to its ports.

This imitates a core that processes all packets of its node. A program runs in a network namespace, and a
sender on another core. The bridge copies each frame of the sender to every port. With receive packet steering
(the kernel's Documentation/networking/scaling.rst), one CPU processes all copies, and also the packets that
the program's ranks send over loopback. All settings belong to the namespace and end with its last process.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import shlex
import shutil
import socket
import statistics
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from multiprocessing.connection import Connection

from corewise.errors import MissingError

N_PORTS = 128
SHARE = 0.3  # of the core's time, for the sender's packets
FIRST_FRAMES_PER_S = 1000.0
TRIAL_S, N_TRIALS = 0.3, 5  # for finding a rate
N_RATES = 3  # the median of these is used
BURST = 4  # frames sent without a pause; their 512 copies fit into a queue of 1000, the kernel's default
PORT = 9  # UDP port "discard"
# A full queue of the core also drops packets of the ranks. TCP repeats them after 200 ms by default, and such
# waits would dominate a run's time.
RTO_MIN = "5ms"

_SCRIPT = f"""
cpus=$1; shift
[ ! -d /proc/sys/net/ipv6 ] || echo 1 >/proc/sys/net/ipv6/conf/default/disable_ipv6
mount -t sysfs none /mnt && ip link set lo up && ip link add bridge0 up type bridge || exit 3
for port in $(seq {N_PORTS}); do
  ip link add "out$port" up master bridge0 type veth peer name "in$port" && ip link set "in$port" up || exit 3
done
for route in 127.0.0.0/8 127.0.0.1; do
  ip route change table local local "$route" dev lo proto kernel scope host \
    src 127.0.0.1 rto_min {RTO_MIN} || exit 3
done
for queue in /mnt/class/net/*/queues/rx-0/rps_cpus; do
  echo "$cpus" >"$queue" || exit 3
done
umount /mnt || exit 3
exec "$@"
"""


def with_packets_on(cpu: int, sender_cpu: int, argv: list[str]) -> list[str]:
    """The command line that runs `argv` in a network namespace where `cpu` (OS index) processes all packets.

    These are packets from a sender on `sender_cpu`, enough to take SHARE of `cpu`, and those of `argv` over
    loopback, the only interface with an address. The sender's rate is measured only once per process, so that
    compared runs have the same. Raises MissingError if this can't be set up.
    """
    sender = shlex.join([*_sender(cpu, sender_cpu), str(_frames_per_s(cpu, sender_cpu))])
    return [*_namespace(cpu), "sh", "-c", f'{sender} & exec "$@"', "sh", *argv]


def _sender(cpu: int, sender_cpu: int) -> list[str]:
    return [sys.executable, "-m", "corewise_laboratory.packet_work", str(cpu), str(sender_cpu)]


def _namespace(cpu: int) -> list[str]:
    """The words that start a command in a new namespace whose packets `cpu` processes."""
    return ["unshare", "--net", "--mount", "sh", "-c", _SCRIPT, "sh", f"{1 << cpu:x}"]


@cache
def _frames_per_s(cpu: int, sender_cpu: int) -> float:
    """Frames per second that take SHARE of `cpu`, measured in a new namespace. Raises MissingError."""
    for tool, package in (("unshare", "util-linux"), ("ip", "iproute2")):
        if shutil.which(tool) is None:
            raise MissingError(f"{tool} was not found; expected Debian's {package}")
    words = [*_namespace(cpu), *_sender(cpu, sender_cpu)]
    tried = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if tried.returncode != 0:
        said = (tried.stderr.strip().splitlines() or [f"exit code {tried.returncode}"])[0]
        raise MissingError(
            f"packets can't be steered to one core here ({said}); expected root, and a kernel with RPS"
        )
    return float(tried.stdout)


def _frame() -> bytes:
    """An Ethernet broadcast frame with a UDP packet of 64 bytes."""
    payload = bytes(64)
    udp = struct.pack(">4H", PORT, PORT, 8 + len(payload), 0) + payload
    fields = (0x45, 0, 20 + len(udp), 0, 0, 64, socket.IPPROTO_UDP)
    everybody = b"\xff" * 4
    words = struct.unpack(">10H", struct.pack(">2B3H2BH4s4s", *fields, 0, bytes(4), everybody))
    total = sum(words)
    checksum = ~(total + (total >> 16)) & 0xFFFF
    ip = struct.pack(">2B3H2BH4s4s", *fields, checksum, bytes(4), everybody)
    return b"\xff" * 6 + b"\x02\0\0\0\0\1" + struct.pack(">H", 0x0800) + ip + udp


class _Sender:
    """Sends frames from `cpu` until the parent process ends."""

    def __init__(self, cpu: int, into: socket.socket) -> None:
        os.sched_setaffinity(0, {cpu})
        into.bind(("in1", 0))
        self.into, self.frame, self.owner = into, _frame(), os.getppid()

    def send(self, frames_per_s: float, seconds: float) -> None:
        due = time.perf_counter()
        end = due + seconds
        while due < end and os.getppid() == self.owner:
            for _ in range(BURST):
                with suppress(OSError):  # the queue is full: the core has enough to do
                    self.into.send(self.frame)
            # Late frames are not sent afterwards: these would overflow the queue, which also has packets of
            # ranks.
            due = max(due + BURST / frames_per_s, time.perf_counter())
            time.sleep(max(0.0, due - time.perf_counter()))


def _count_turns(cpu: int, turns: Connection) -> None:
    """Sends the number of iterations of a loop on this CPU in TRIAL_S."""
    os.sched_setaffinity(0, {cpu})
    end, n = time.perf_counter() + TRIAL_S, 0
    while time.perf_counter() < end:
        n += 1
    turns.send(n)


def _turns(cpu: int, meanwhile: Callable[[float], None]) -> int:
    """The result of _count_turns on `cpu` while meanwhile(TRIAL_S) runs in this process."""
    fork = multiprocessing.get_context("fork")
    received, sent = fork.Pipe(duplex=False)
    counting = fork.Process(target=_count_turns, args=(cpu, sent))
    counting.start()
    meanwhile(TRIAL_S)
    counting.join()
    n_turns: int = received.recv()
    return n_turns


def _found_rate(cpu: int, sender: _Sender) -> float:
    """Frames per second that take SHARE of this CPU from a loop on it; depends on the host.

    Returns the best tried rate. The next one, computed but not tried, may be far off if the last trial was
    disturbed.
    """
    alone, frames_per_s = _turns(cpu, time.sleep), FIRST_FRAMES_PER_S
    tried = []
    for _ in range(N_TRIALS):
        share = 1 - _turns(cpu, partial(sender.send, frames_per_s)) / alone
        tried.append((abs(share - SHARE), frames_per_s))
        frames_per_s *= SHARE / min(max(share, SHARE / 4), 2 * SHARE)
    return min(tried)[1]


def main(cpu: int, sender_cpu: int, frames_per_s: float | None = None) -> None:
    """Prints the rate that takes SHARE of `cpu`; sends at `frames_per_s`, if given, until the parent ends."""
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver,  # a receiver that never reads
        socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as frames,
    ):
        receiver.bind(("", PORT))
        sender = _Sender(sender_cpu, frames)
        if frames_per_s is None:
            print(statistics.median(_found_rate(cpu, sender) for _ in range(N_RATES)))
            return
        with suppress(PermissionError):
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(20))
        sender.send(frames_per_s, math.inf)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), *map(float, sys.argv[3:]))
