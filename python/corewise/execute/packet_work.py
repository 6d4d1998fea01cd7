"""Real packets for one core to work on: frames that a bridge floods to its ports, in a network namespace.

A program runs there beside a sender on another core. The sender sends few frames, the bridge makes one for
each of its ports, and receive packet steering has one CPU work on all of them, as on the packets that the
program's own ranks send over loopback (the kernel's Documentation/networking/scaling.rst): protocol work as
a core has it that serves a network for its whole node. All settings are the namespace's, so they end with
its last process, however that ends; the host's own are never touched.
"""

from __future__ import annotations

import os
import shutil
import socket
import struct
import subprocess
import sys
import time
from contextlib import suppress

from corewise.errors import MissingError

N_PORTS = 128
FRAMES_PER_S = 4500  # 576,000 packets/s behind the bridge: took 30 % of the core it was tried on
BURST = 4  # frames sent in a row: their packets fit into a queue of 1000, the kernel's default
PORT = 9  # UDP's discard

_SCRIPT = f"""
cpus=$1 sender=$2; shift 2
[ ! -d /proc/sys/net/ipv6 ] || echo 1 >/proc/sys/net/ipv6/conf/default/disable_ipv6
mount -t sysfs none /mnt && ip link set lo up && ip link add bridge0 up type bridge || exit 3
for port in $(seq {N_PORTS}); do
  ip link add "out$port" up master bridge0 type veth peer name "in$port" && ip link set "in$port" up || exit 3
done
for queue in /mnt/class/net/*/queues/rx-0/rps_cpus; do
  echo "$cpus" >"$queue" || exit 3
done
umount /mnt || exit 3
$sender &
exec "$@"
"""


def with_packets_on(cpu: int, sender_cpu: int, argv: list[str]) -> list[str]:
    """The command, in a network namespace whose packets are worked on by `cpu` (OS index).

    Those that a process on `sender_cpu` makes, and the command's own over loopback, the only interface there
    with an address. Raises MissingError where that can't be set up here.
    """
    for tool, package in (("unshare", "util-linux"), ("ip", "iproute2")):
        if shutil.which(tool) is None:
            raise MissingError(f"{tool} was not found; expected Debian's {package}")
    words = ["unshare", "--net", "--mount", "sh", "-c", _SCRIPT, "sh", f"{1 << cpu:x}"]
    tried = subprocess.run([*words, "true", "true"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if tried.returncode != 0:
        said = (tried.stderr.strip().splitlines() or [f"exit code {tried.returncode}"])[0]
        raise MissingError(
            f"packets can't be steered to one core here ({said}); expected root, and a kernel with RPS"
        )
    return [*words, f"{sys.executable} -m corewise.execute.packet_work {sender_cpu}", *argv]


def _frame() -> bytes:
    """An Ethernet frame with a UDP packet of 64 bytes for everybody."""
    payload = bytes(64)
    udp = struct.pack(">4H", PORT, PORT, 8 + len(payload), 0) + payload
    fields = (0x45, 0, 20 + len(udp), 0, 0, 64, socket.IPPROTO_UDP)
    everybody = b"\xff" * 4
    words = struct.unpack(">10H", struct.pack(">2B3H2BH4s4s", *fields, 0, bytes(4), everybody))
    total = sum(words)
    checksum = ~(total + (total >> 16)) & 0xFFFF
    ip = struct.pack(">2B3H2BH4s4s", *fields, checksum, bytes(4), everybody)
    return b"\xff" * 6 + b"\x02\0\0\0\0\1" + struct.pack(">H", 0x0800) + ip + udp


def _send(cpu: int) -> None:
    """Sends until the process that started this one has ended; a socket receives, and is never read."""
    os.sched_setaffinity(0, {cpu})
    with suppress(PermissionError):
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(20))
    frame, owner = _frame(), os.getppid()
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver,
        socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as sender,
    ):
        receiver.bind(("", PORT))
        sender.bind(("in1", 0))
        begin, sent = time.perf_counter(), 0
        while os.getppid() == owner:
            for _ in range(BURST):
                with suppress(OSError):  # the queue is full: its core is behind, and one frame less is right
                    sender.send(frame)
            sent += BURST
            time.sleep(max(0.0, begin + sent / FRAMES_PER_S - time.perf_counter()))


if __name__ == "__main__":
    _send(int(sys.argv[1]))
