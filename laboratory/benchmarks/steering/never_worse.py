"""Whether steering ever makes a program slower: programs with misleading phases, and applications.

    .venv/bin/python laboratory/benchmarks/steering/never_worse.py [--repeats 10] [--seconds 12]
    .venv/bin/python laboratory/benchmarks/steering/never_worse.py --only phases|applications [--work packets]

* phases: two ranks, one of which computes four times as long. They exchange their roles after a number of
  steps that takes about 0.1, 0.2, 0.5, 1 or 3 s: shorter than the window in which a swap is judged, equal to
  it, and longer. A simulated load of protocol work takes 30 % of the first core.
* applications: LAMMPS, GROMACS and FFTW's transform, if they are installed, started as `corewise study
  scogland-fig10` starts them, with equal ranks and with different ranks. They run alone, with the simulated
  load, and with real packets for the first core.

Each runs with both orders of the ranks on the two cores, plain and steered, in turn. Prints the median and
the 95th percentile of steered / plain in the same round; the goals are at most 1.02 and 1.05. For
applications with different ranks it also prints how much of the better order's advantage was recovered.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import tempfile
from itertools import product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tracing"))

from corewise_laboratory.studies.steered_spec import ORDERS, WORKS, ProtocolWork, SteeredProgram
from corewise_laboratory.studies.study_file import load_study
from interleaved import Case, medians, print_case, recovered, worst_line
from overhead_programs import Missing, transform

STEP_S = 0.0057  # a step of 4 ms on a core of which 30 % are taken
PHASES_S = [0.1, 0.2, 0.5, 1, 3]


def phases() -> list[Case]:
    """Programs whose ranks exchange their roles, one for each length of phases."""
    found = []
    for phase_s in PHASES_S:
        steps = max(1, round(phase_s / STEP_S))
        words = f"--unlike ranks --steps 1 --ratio 4 --load-ms 4 --change {steps}"
        program = SteeredProgram("idleness", words.split())
        found.append(Case(f"phases of {phase_s:g} s", program, ProtocolWork("load")))
    return found


def applications(works: list[str]) -> list[Case]:
    """The programs of the study of the paper's Figure 10, with equal and with different ranks."""
    found = []
    for name, runs in load_study("scogland-fig10").runs.items():
        for values, work in product(runs.spec.combinations, works):
            told = ", ".join(f"{axis} {value}" for axis, value in values.items())
            case = Case(f"{name}, {told}, {work}", runs.spec.program, ProtocolWork(work), values=values)
            found.append(case)
    return found


def put_transform_on_path(folder: Path) -> None:
    """Puts FFTW's transform on PATH if its library is installed.

    Else its cases report that it was not found.
    """
    try:
        transform(folder)
    except Missing as missing:
        print(missing, flush=True)
    os.environ["PATH"] += f"{os.pathsep}{folder}"


def line(case: Case, runs) -> str:
    """A line of ratios, and how much of the better order's advantage was recovered, if orders differ."""
    told = worst_line(case, runs, "t")
    part = recovered(runs, "t")
    if math.isnan(part):
        return told
    plain = [medians(runs, "t")[order, "plain"] for order in ORDERS]
    return f"{told}; bad/good {max(plain) / min(plain):.3f}, of which {part:.0%} recovered"


def main() -> None:
    """Runs all cases and prints a line for each."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=12, help="of a run with phases")
    parser.add_argument("--only", choices=["phases", "applications"])
    parser.add_argument("--work", choices=WORKS, nargs="+", default=WORKS, help="next to an application")
    options = parser.parse_args()
    found = phases() if options.only != "applications" else []
    with tempfile.TemporaryDirectory() as folder:
        if options.only != "phases":
            found += applications(options.work)
            put_transform_on_path(Path(folder))
        for case in found:
            print_case(case, options.repeats, options.seconds, line)


if __name__ == "__main__":
    main()
