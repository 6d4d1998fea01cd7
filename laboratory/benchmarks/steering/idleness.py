"""How much of a good mapping's advantage `corewise steer` recovers, by the paper's idleness benchmark.

    .venv/bin/python laboratory/benchmarks/steering/idleness.py [--ratio 1 2 3 4] [--seconds 9] [--repeats 5]
    .venv/bin/python laboratory/benchmarks/steering/idleness.py --work packets

Two ranks run on two cores, and one rank computes longer. On the first core a simulated load of protocol work
takes 30 % of the time, 1.5 of every 5 ms. With --work packets the first core processes real packets: those of
the ranks, which use TCP over loopback, and those that a bridge creates (packet_work.py). The ranks' packets
alone would not suffice: they are sent while both ranks are in MPI, so they don't slow down a computation.
Each round has four runs: the busy rank on the first or on the second core, plain or steered. Needs an idle
machine. Prints only ratios of medians over the repeats:

    bad/good       the advantage of the good mapping
    from 3 s       (bad - steered) / (bad - good), for iterations after 3 s
    steady         the same, for the last third of the run
    good start     steered / good: the cost of steering if it can't improve anything
    swaps          number of swaps in each run from a bad start, and in each from a good start
"""

from __future__ import annotations

import argparse

from corewise_laboratory.studies.steered_spec import ProtocolWork, SteeredProgram
from interleaved import Case, print_case, recovery_line

# Load (ms), messages and bytes of a step. The last two cases were errors of a prototype, which took copying
# and the kernel's work in a call for waiting.
LOAD = [(4, 1, 1024), (0.5, 48, 1024)]
PACKETS = [(4, 8, 65536), (0.5, 48, 1024)]


def cases(options: argparse.Namespace) -> list[Case]:
    """A case for each ratio and kind of step."""
    found = []
    for load_ms, messages, size_bytes in LOAD if options.work == "load" else PACKETS:
        for ratio in options.ratio:
            words = f"--unlike ranks --steps 1 --ratio {ratio:g} --load-ms {load_ms:g} --messages {messages}"
            words += f" --sizes {size_bytes}"
            program = SteeredProgram("idleness", words.split())
            name = f"ratio {ratio:g}, {load_ms:g} ms, {messages} messages of {size_bytes} bytes"
            found.append(Case(name, program, ProtocolWork(options.work, options.share), options.family))
    return found


def main() -> None:
    """Runs all cases and prints a line for each."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--ratio", type=float, nargs="+", default=[1, 2, 3, 4])
    parser.add_argument("--seconds", type=float, default=9)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--work", choices=["load", "packets"], default="load")
    parser.add_argument("--share", type=float, default=0.3, help="of the core, for the simulated load")
    parser.add_argument("--family", choices=["openmpi", "mpich"], default="openmpi")
    options = parser.parse_args()
    for case in cases(options):
        print_case(case, options.repeats, options.seconds, recovery_line)


if __name__ == "__main__":
    main()
