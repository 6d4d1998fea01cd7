"""How much of a good mapping's advantage `corewise steer` recovers: the paper's micro-benchmark of idleness.

    .venv/bin/python laboratory/benchmarks/steering/idleness.py [--ratio 1 2 3 4] [--seconds 9] [--repeats 5]
    .venv/bin/python laboratory/benchmarks/steering/idleness.py --work packets

Two ranks on two cores, of which one computes longer. On the first core a simulated load of protocol work
takes 30 %, 1.5 of every 5 ms. With --work packets it works on real ones: those of the two ranks, which use
TCP over loopback, and those that a bridge makes (packet_work.py). The ranks' own would not do: they travel
while both ranks are in MPI, and take nothing from a computation. Runs are interleaved: the busy rank on the
first core and on the second, each plain and steered. An idle machine is needed.
Ratios only, of medians over the repeats:

    bad/good       what the mapping is worth
    from 3 s       (bad - steered) / (bad - good), iterations from 3 s on
    steady         the same, last third of the run
    good start     steered / good: what steering costs where nothing is to gain
    swaps          done in each run from a bad start, and from a good one
"""

from __future__ import annotations

import argparse

from corewise_laboratory.studies.steered_spec import ProtocolWork, SteeredProgram
from interleaved import Case, print_case, recovery_line

# Load (ms), messages and bytes in a step. The last of each are blind spots of a prototype that took
# copying and kernel work in a call for waiting.
LOAD = [(4, 1, 1024), (0.5, 48, 1024)]
PACKETS = [(4, 8, 65536), (0.5, 48, 1024)]


def cases(options: argparse.Namespace) -> list[Case]:
    """One for each ratio and kind of step."""
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
    """Runs everything and prints a line for each case."""
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
