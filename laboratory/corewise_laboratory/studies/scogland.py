"""Scogland et al. (SyMMer): two ranks on two cores, one with protocol work, watched and steered."""

from __future__ import annotations

import shlex
from typing import Any

from corewise_laboratory.studies.claims import Chosen, at_least, at_most, below, claim, is_true, positive
from corewise_laboratory.studies.rows import Rows
from corewise_laboratory.studies.steered import Decisions, Steered, SteeredProgram
from corewise_laboratory.studies.study import Paper, Study

BOTH = ("straight", "reversed")


def steered(bench: str, arguments: str, **settings: Any) -> Steered:
    """Runs of a micro-benchmark."""
    return Steered(program=SteeredProgram(bench, arguments.split()), **settings)


def swaps_as_the_rule(rows: Rows) -> float:
    """1 if rank 1 comes to the packets' core for rank 0 in the one pair of states, without other swaps."""
    pair = {"protocol_core": "none", "elsewhere": "high"}
    swaps, comes, leaves = (float(rows(column, **pair).item()) for column in ("swaps", "comes", "leaves"))
    asked = swaps * (comes == 1) * (leaves == 0)
    return float(asked - (rows("swaps").sum() - swaps))


FIG5 = Study(
    "scogland-fig5",
    {
        "states": Decisions(
            cores=[f"pus={core} caches={core // 2} package={core // 2}" for core in range(4)],
            # One value of each state, by the thresholds of preload/steer/settings.def; the paper gives none.
            waits={"none": 0.0, "medium": 0.18, "high": 0.6},
            others=0.18,
        )
    },
    [claim("scogland-sec4a1-swap-rule", swaps_as_the_rule, is_true)],
)

SHARE = Chosen(
    "SHARE",
    "protocol work takes 30 % of its core, so that a gain of 30 % is possible; the paper's was that of its "
    "10 Gbit/s adapter",
    ("scogland-fig6-up-to-30-percent",),
)


def steered_over_watched(rows: Rows) -> float:
    """The greatest steered time over the greatest watched one, minus 1."""
    return float(rows("t", mode="steered").max() / rows("t", mode="watched").max() - 1)


def order_matters_more(rows: Rows) -> float:
    """t_straight / t_reversed at a ratio of 4, minus that at a ratio of 1."""

    def order_matters(ratio: str) -> float:
        straight, reverse = (rows("t", ratio=ratio, mode="watched", order=order) for order in BOTH)
        return float((straight / reverse).max())

    return order_matters("4") - order_matters("1")


def time_saved(rows: Rows) -> float:
    """1 - t_steered / t_watched, the greatest of all ratios."""
    steered, watched = (rows("t", mode=mode, order="straight") for mode in ("steered", "watched"))
    return float((1 - steered / watched).max())


FIG6 = Study(
    "scogland-fig6",
    {
        "simulated-load": steered(
            "idleness",
            "--unlike ranks --ratio {ratio} --steps 1",
            work="load",
            vary={"ratio": ["1", "2", "3", "4"]},
            orders=BOTH,
            chosen=(SHARE,),
        ),
        "packets": steered(
            "idleness",
            "--unlike ranks --ratio {ratio} --steps 1 --messages 8 --sizes 65536",
            work="packets",
            vary={"ratio": ["1", "4"]},
            orders=BOTH,
            chosen=(SHARE,),
        ),
    },
    [
        claim(
            "scogland-fig6-ratio-1-equal",
            steered_over_watched,
            lambda ours, listed: abs(ours) < listed["tolerance"],
            recorded=0.0403,
            ratio="1",
        ),
        claim("scogland-fig6-mapping-matters-more-with-ratio", order_matters_more, positive, recorded=0.194),
        claim("scogland-fig6-up-to-30-percent", time_saved, runs="packets", recorded=0.249),
    ],
)


def unevenness(rows: Rows, mode: str) -> float:
    """The greatest difference of both ranks' waiting."""
    return float(abs(rows("wait_0", mode=mode) - rows("wait_1", mode=mode)).max())


def relative_unevenness(rows: Rows) -> float:
    """The difference of both ranks' waiting over their mean."""
    first, second = (rows(f"wait_{rank}", mode="watched") for rank in range(2))
    return float((2 * abs(first - second) / (first + second)).max())


FIG7 = Study(
    "scogland-fig7",
    {"idleness": steered("idleness", "--unlike ranks --ratio 4 --steps 1", work="load")},
    [
        claim("scogland-fig7a-vanilla-wait-times-variable", relative_unevenness, at_least),
        claim(
            "scogland-fig7b-symmer-wait-times-more-even",
            lambda rows: unevenness(rows, "watched") - unevenness(rows, "steered"),
            positive,
            recorded=0.221,
        ),
    ],
)

FIG8 = Study(
    "scogland-fig8",
    {
        "out-of-sync": steered(
            "out-of-sync",
            "--sizes {size} --steps 1",
            work="packets",
            vary={"size": ["65536", "262144", "524288", "1048576", "4194304"]},
            modes=("watched", "steered", "async-progress"),
            repeats={"quick": 3, "full": 5},
            seconds={"quick": 4, "full": 12},
        )
    },
    [
        claim(
            "scogland-fig8a-never-worse",
            lambda rows: float((rows("t", mode="steered") / rows("t", mode="watched")).max() - 1),
            at_most,
            recorded=0.067,
        ),
        claim(
            "scogland-fig8a-equal-up-to-256kb",
            lambda rows: float(abs(rows("t", mode="steered") / rows("t", mode="watched") - 1).max()),
            below,
            recorded=0.067,
            size=["65536", "262144"],
        ),
    ],
)

LAMMPS = SteeredProgram(
    None,
    ["lmp", "-in", "melt.lammps", "-log", "none"],
    files=["melt.lammps"],
    columns={"t": r"Loop time of (\S+)", "comm": r"Comm +\|[^|]*\| *([0-9.e+-]+)"},
)
GROMACS = SteeredProgram(
    None,
    shlex.split("gmx_mpi mdrun -s water.tpr -pin off -ntomp 1 -nsteps 500 -dd 1 1 2 -dlb no"),
    files=["water.mdp", "water.top"],
    setup=[
        "gmx_mpi solvate -cs spc216.gro -box 4 4 {filled} -p water.top -o water.gro",
        "gmx_mpi editconf -f water.gro -box 4 4 8 -noc -o box.gro",
        "gmx_mpi grompp -f water.mdp -c box.gro -p water.top -o water.tpr -maxwarn 5",
    ],
    columns={"t": r"Time: +\S+ +(\S+)"},
)
FFTW = SteeredProgram(None, ["transform", "128", "150", "{planes}"], columns={"t": r"in ([0-9.]+) s"})


def unlike(value: str, because: str, figure: str) -> Chosen:
    """A value that makes ranks unlike."""
    return Chosen(value, f"{because}, so that ranks are unlike; the size of the gain follows", (figure,))


def application(program: SteeredProgram, vary: dict[str, list[str]], chosen: Chosen) -> Steered:
    """Runs of an application, with ranks that are alike (the paper's case) and with unlike ones."""
    repeats = {"quick": 3, "full": 20}
    return Steered(program=program, work="packets", vary=vary, chosen=(chosen,), repeats=repeats)


def watched_over_steered(column: str) -> Any:
    """The greatest number of watched runs over that of steered ones."""
    return lambda rows: float(rows(column, mode="watched").max() / rows(column, mode="steered").max())


FIG10 = Study(
    "scogland-fig10",
    {
        "lammps": application(
            LAMMPS,
            {"removed": ["0", "0.5"]},
            unlike("removed=0.5", "half of the atoms of one rank are removed", "scogland-fig10a"),
        ),
        "gromacs": application(
            GROMACS,
            {"filled": ["8", "5"]},
            unlike("filled=5", "one rank has 1 nm of 4 filled", "scogland-fig10c"),
        ),
        "fftw": application(
            FFTW,
            {"planes": ["64", "96"]},
            unlike("planes=96", "one rank has 96 of 128 planes", "scogland-fig10b"),
        ),
    },
    [
        claim(
            "scogland-fig10a-lammps-nearly-two-fold",
            watched_over_steered("comm"),
            runs="lammps",
            recorded=1.8,
            removed="0.5",
        ),
        claim(
            "scogland-fig10b-fftw-only-3-5-percent",
            lambda rows: -steered_over_watched(rows),
            runs="fftw",
            recorded=0.273,
            planes="96",
        ),
        claim(
            "scogland-fig10c-gromacs-10-15-percent",
            lambda rows: watched_over_steered("t")(rows) - 1,
            runs="gromacs",
            recorded=0.23,
            filled="5",
        ),
    ],
)

SCOGLAND = Paper(
    "scogland",
    "Scogland, Balaji, Feng, Narayanaswamy: Asymmetric Interactions in Symmetric Multi-core Systems: "
    "Analysis, Enhancements and Evaluation, SC 2008",
    [FIG5, FIG6, FIG7, FIG8, FIG10],
)
