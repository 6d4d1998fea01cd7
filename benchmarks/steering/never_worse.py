"""Whether steering ever makes a program slower: phases made to mislead it, and applications.

    .venv/bin/python benchmarks/steering/never_worse.py [--repeats 10] [--seconds 12]
    .venv/bin/python benchmarks/steering/never_worse.py --only phases|applications

* phases: two ranks, of which one computes four times as long; after so many steps they change roles, in
  about 0.1, 0.2, 0.5, 1 and 3 s: shorter than the window in which a swap is judged, as long, and longer. A
  stand-in for protocol work takes 30 % of the first core.
* applications, with nothing besides and with the stand-in: LAMMPS (a melt, and one whose two halves hold
  unlike numbers of atoms), GROMACS and FFTW's transform, where they are installed.

Each in both orders of the ranks on the two cores, plain and steered, interleaved. For phases and
applications alike: steered over plain of the same round, median and 95th percentile (asked: at most 1.02
and 1.05). Applications whose ranks are unlike also tell how much of the better order was recovered.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tracing"))

from corewise.studies.steered_spec import ProtocolWork, SteeredProgram
from corewise.studies.study_file import load_study
from interleaved import Case, print_case, recovered, worst_line
from overhead_programs import Missing, transform

STEP_S = 0.0057  # of 4 ms on a core of which 30 % are taken
PHASES_S = [0.1, 0.2, 0.5, 1, 3]


def phases() -> list[Case]:
    """Steps whose ranks change roles; one length of phases each."""
    found = []
    for phase_s in PHASES_S:
        steps = max(1, round(phase_s / STEP_S))
        words = f"--unlike ranks --steps 1 --ratio 4 --load-ms 4 --change {steps}"
        program = SteeredProgram("idleness", words.split())
        found.append(Case(f"phases of {phase_s:g} s", program, ProtocolWork("stand-in")))
    return found


def unlike_halves(melt: str) -> str:
    """The melt with half of the atoms of its upper half taken out, the two ranks side by side there."""
    return melt.replace("box block 0 20 0 20 0 20\n", "box block 0 20 0 20 0 40\n").replace(
        "run ", "region upper block INF INF INF INF 20 INF\ndelete_atoms porosity upper 0.5 7\nrun "
    )


def applications(folder: Path) -> list[Case]:
    """Those of the study of the paper's Figure 10, and a melt of unlike halves."""
    runs = load_study("scogland-fig10").runs
    programs = {name: runs[name].spec.program for name in ("lammps", "gromacs", "fftw")}
    melt = programs["lammps"].files["melt.lammps"]
    files = {"melt.lammps": unlike_halves(melt)}
    lammps = programs["lammps"]
    programs["lammps, unlike halves"] = SteeredProgram(None, lammps.command, files, [], lammps.columns)
    fftw = programs["fftw"]
    try:
        built, *_ = transform(folder).command
        programs["fftw"] = SteeredProgram(None, [built, "128", "150"], columns=fftw.columns)  # about 8 s
    except Missing as missing:
        print(f"fftw: {missing}", flush=True)
        del programs["fftw"]
    return [
        Case(f"{name}, {work.kind}", program, work)
        for name, program in programs.items()
        for work in (ProtocolWork("none"), ProtocolWork("stand-in"))
    ]


def line(case: Case, runs) -> str:
    """Ratios, and what of the better order was recovered where the orders differ."""
    told = worst_line(case, runs, "t")
    part = recovered(runs, "t")
    return told if part != part else f"{told}, of the better order's advantage {part:.0%} recovered"


def main() -> None:
    """Runs everything and prints a line for each case."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=12, help="of a run with phases")
    parser.add_argument("--only", choices=["phases", "applications"])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = phases() if options.only != "applications" else []
        found += applications(Path(folder)) if options.only != "phases" else []
        for case in found:
            print_case(case, options.repeats, options.seconds, line)


if __name__ == "__main__":
    main()
