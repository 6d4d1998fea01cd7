"""How much longer a program takes while other programs use a share of the hardware threads.

    python laboratory/benchmarks/measurement/busy_share.py [--rounds 12] -- mpirun -n 2 ./halo

The other programs are simulated by a process that is busy for a part of each 100 ms. Each round runs the
command once with each share, in random order. Each line is for one share: the ratio of the run time to that
of the same round without load, and its 95 % interval. `BUSY_DURING` (nouns/load.py) was chosen from this.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import time

from corewise.statistics import paired_ratio

SHARES = (0.0, 0.025, 0.05, 0.1, 0.2, 0.35, 0.5)
# Busy for argv[1] s of each 0.1 s.
BUSY = """
import sys, time
busy_s = float(sys.argv[1])
while True:
    end = time.monotonic() + busy_s
    while time.monotonic() < end:
        pass
    time.sleep(0.1 - busy_s)
"""


def run_s(command: list[str], share: float) -> float:
    """Wall time of one run of the command while `share` of all hardware threads is in use, s."""
    busy_threads = share * (os.cpu_count() or 1)
    n_whole, part = divmod(busy_threads, 1)
    parts = [0.1] * int(n_whole) + ([0.1 * part] if part else [])
    others = [subprocess.Popen([sys.executable, "-c", BUSY, str(busy_s)]) for busy_s in parts]
    try:
        begin = time.monotonic()
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        return time.monotonic() - begin
    finally:
        for other in others:
            other.kill()
            other.wait()


def main() -> None:
    """Prints a line for each share of the hardware threads."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("command", nargs="+", metavar="-- COMMAND")
    options = parser.parse_args()
    times: dict[float, list[float]] = {share: [] for share in SHARES}
    for _ in range(options.rounds):
        for share in random.sample(SHARES, len(SHARES)):
            times[share].append(run_s(options.command, share))
    for share in SHARES[1:]:
        ratio = paired_ratio(times[share], times[0.0])
        print(f"{share:6.1%} busy: {ratio.expected:.3f} ({ratio.low:.3f} to {ratio.high:.3f})")


if __name__ == "__main__":
    main()
