"""The machines, mappings and chosen inputs of this paper's studies."""

from __future__ import annotations

from corewise_laboratory.studies.claims import Chosen
from corewise_laboratory.studies.rows import Column, Labels, Rows

FAST, GIGABIT = "pe1550-fast-ethernet", "pe1550-gigabit"
GIGANET, MYRINET = "pe1550-giganet", "pe1550-myrinet"
MAPPINGS = ["round-robin", "frequency-major", "size-major"]

BLOCK_SIZE = Chosen(
    "HPL: NB",
    "hpcc's default of 80 was kept because its panels have the size that the paper gives, 600 to 800 KB; the "
    "paper says no NB",
    ("leng-fig3", "leng-fig4"),
)
GRID = Chosen(
    "HPL: process grid",
    "a column-major grid, because it gives the pairs of Figures 3 and 4; the paper says no grid",
    (
        "leng-fig3",
        "leng-fig4",
        "leng-sec5-large-messages-between-groups",
        "leng-sec5-pattern-concentrated-on-neighbours",
        "leng-sec5-both-raise-shared-memory-use",
        "leng-sec7-most-critical-traffic-in-shared-memory",
    ),
)
LINKS = Chosen(
    "the machine files' link figures",
    "assumed by corewise; the claim asks for these very figures",
    ("leng-fig2",),
)


def gain(rows: Rows, placement: str, **labels: Labels) -> Column:
    """t_round_robin / t - 1 of each case."""
    return rows("t", placement="round-robin", **labels) / rows("t", placement=placement, **labels) - 1
