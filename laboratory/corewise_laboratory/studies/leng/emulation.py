"""Figures 8 and 9 with HPL itself, on namespace nodes whose links have Fast and Gigabit Ethernet's rates."""

from __future__ import annotations

from corewise_laboratory.studies.claims import claim
from corewise_laboratory.studies.emulated import Cell, Emulated
from corewise_laboratory.studies.leng.inputs import FAST, GIGABIT, GRID, gain
from corewise_laboratory.studies.rows import Rows
from corewise_laboratory.studies.study import Study

HPL = Emulated(
    build="hpl",
    environment={"OPENBLAS_NUM_THREADS": "1"},
    # HPL's own time, of factorisation and solution: what the paper's GFLOPS are made of.
    measure=r"^W[CR]\S+ +\d+ +\d+ +\d+ +\d+ +(\S+) +\S+$",
    # A column-major grid gives the messages of the paper's Figures 3 and 4; the rest is hpcc's default.
    files=["HPL.dat"],
    baseline="round-robin",
    cells=[
        Cell(
            {"nodes": f"{n}x2", "network": network},
            f"{machine}:{n}",
            {"p": str(n // 4), "q": "8"},
            {"round-robin": n, "frequency-major": 1},
        )
        for network, machine in (("Fast Ethernet", FAST), ("Gigabit Ethernet", GIGABIT))
        for n in (8, 16)
    ],
    mapped={"size-major": "size-major", "corewise": "auto"},
    sizes={"quick": [2000], "full": [2000, 4000]},
    repeats={"quick": 5, "full": 3},
    timeout_s=300,
    chosen=(GRID,),
)


def size_major_gain(rows: Rows) -> float:
    """The gain of size-major in the only case."""
    return float(gain(rows, "size-major").item())


SMALL = {"network": "Fast Ethernet", "size": "2000"}
EMULATED = Study(
    "leng-emulated",
    {"hpl": HPL},
    [
        claim(
            "leng-fig8-8x2-small-size-80-percent",
            size_major_gain,
            recorded=0.549,
            nodes="8x2",
            where=SMALL,
        ),
        claim(
            "leng-fig8-16x2-small-size-50-percent", size_major_gain, recorded=0.399, nodes="16x2", where=SMALL
        ),
    ],
)
