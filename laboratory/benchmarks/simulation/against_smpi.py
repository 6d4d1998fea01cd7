"""Compares the engine `estimate` and the objectives with SMPI, for random placements of several programs.

    python laboratory/benchmarks/simulation/against_smpi.py [--machine M] [--ranks N] [--placements K]
        [--profile P ...] [--equal-shares]

Programs: the SMP-CMP paper's ring, recursive doubling, binomial tree and random pairs at 128 KiB, recorded
here (`corewise trace --mode events`), and every --profile, which is an events profile of any program. The
messages of each program are simulated and estimated for K random placements and block order. Computing takes
no time. Messages up to 64 KiB need no handshake, even within nodes: SMPI has only one threshold, and without
one in the machine file the estimate would use Open MPI's 4 KiB within nodes.

Prints for each program the mean and greatest error of the estimate, |t_estimate / t_SMPI - 1|, and Spearman's
rank correlation of the estimate and of each objective with SMPI's times. "-" means that all times are equal
within 0.1 %, as on a machine on which placement doesn't matter. With --equal-shares SimGrid gives all
messages on a link the same bandwidth; by default messages with a longer route get less.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import fmean

import numpy as np
from corewise import PlacementFile, machines, model
from corewise.mapping.scoring import score_all
from corewise.nouns.machine import MachineColumns
from corewise.plugin.documents import text_table
from corewise.profile.inputs import read_input
from corewise.simulation import ENGINES, Recorded, SimulationRequest
from corewise.simulation.smpi_run import SimGrid
from corewise_laboratory.native import native
from msgspec import structs

EAGER_BYTES = 65536
OBJECTIVES = ("time", "hop-bytes", "congestion")
ALIKE = 1e-3  # times that differ by less count as equal
SIZES = ["--sizes", "131072"]
ONCE = ["--repeats", "1", "--warmup", "1"]
PROGRAMS = {
    "ring": [*SIZES, *ONCE],
    "recursive-doubling": [*SIZES, *ONCE],
    "binomial": [*SIZES, *ONCE],
    "random": [*SIZES, *ONCE, "--ranks-per-node", "4"],
}


def record(name: str, n_ranks: int, folder: Path) -> Path:
    """Records a micro-benchmark of corewise with Open MPI on this machine; returns its events profile."""
    profile = folder / f"{name}.profile"
    corewise = str(Path(sys.executable).with_name("corewise"))
    launcher = ["mpirun.openmpi", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1", "-n", str(n_ranks)]
    program = [native(f"microbench-openmpi/{name}"), *PROGRAMS[name]]
    trace = [corewise, "trace", "-o", str(profile), "--mode", "events", "--", *launcher, *program]
    subprocess.run(trace, check=True, stdout=subprocess.DEVNULL, timeout=600)
    return profile


def placements_of(machine: model.Machine, n_ranks: int, n_random: int) -> dict[str, PlacementFile]:
    """Block order and random placements, always the same for the same arguments."""
    rng = random.Random(1)
    cores = {"block": list(range(n_ranks))}
    cores |= {f"random-{k}": rng.sample(range(machine.n_cores), n_ranks) for k in range(n_random)}
    return {
        label: PlacementFile.of(model.Placement.from_cores(of_ranks), machine)
        for label, of_ranks in cores.items()
    }


def with_one_threshold(machine: model.Machine) -> model.Machine:
    """The same machine, with EAGER_BYTES at every level."""
    columns = MachineColumns.of(machine)
    figures = [structs.replace(of_level, eager_bytes=EAGER_BYTES) for of_level in columns.figures]
    return structs.replace(columns, figures=figures).machine()


def share_equally() -> None:
    """Turns off the weights of SimGrid's TCP model (network/weight-S); an approximation."""
    weighted = SimGrid.options

    def options(self: SimGrid, *arguments: object) -> list[str]:
        return [*weighted(self, *arguments), self.option("network/solver", "fairbottleneck")]

    SimGrid.options = options


def times_s(engine: str, request: SimulationRequest) -> np.ndarray:
    """The makespan of each placement."""
    runs = ENGINES[engine].run(request).runs
    return np.array([runs[label][0].time_s for label in request.placements])


def spearman(a: np.ndarray, b: np.ndarray) -> float | None:
    """Rank correlation; equal values get their mean rank. None if all values on one side are equal."""
    if min(np.ptp(a) / abs(a).max(), np.ptp(b) / abs(b).max()) < ALIKE:
        return None
    return float(np.corrcoef(mean_ranks(a), mean_ranks(b))[0, 1])


def mean_ranks(values: np.ndarray) -> np.ndarray:
    """The rank of each value.

    Equal values get their mean rank; a difference below ALIKE / 10 counts as equal.
    """
    rounded = np.round(values / abs(values).max() / (ALIKE / 10))
    _, inverse, counts = np.unique(rounded, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[inverse]


def row(name: str, path: Path, machine: model.Machine, n_random: int) -> list[str]:
    """The line of one program."""
    recorded = Recorded(str(path), read_input(str(path)))
    placements = placements_of(machine, recorded.n_ranks, n_random)
    request = SimulationRequest(machine, placements, recorded=recorded, compute_factor=0.0, timeout_s=600)
    simulated, estimated = times_s("smpi", request), times_s("estimate", request)
    errors = abs(estimated / simulated - 1)
    traffic = model.Traffic.of_phases(
        [*recorded.found.traffic.phases, *recorded.found.profile.traffic(model.Layer.coll).phases]
    )
    scores = [score_all(traffic, machine, file.on(machine)) for file in placements.values()]
    predictors = [estimated, *(places([score[name] for score in scores]) for name in OBJECTIVES)]
    correlations = ["-" if r is None else f"{r:.3f}" for r in (spearman(p, simulated) for p in predictors)]
    spread = f"{simulated.max() / simulated.min():.2f}"
    return [name, str(recorded.n_ranks), spread, f"{fmean(errors):.1%}", f"{errors.max():.1%}", *correlations]


def places(scores: list[list[float]]) -> np.ndarray:
    """The position of each score among all. Lists are compared by the first value that differs."""
    order = sorted(set(map(tuple, scores)))
    return np.array([order.index(tuple(score)) + 1 for score in scores])


def main() -> None:
    """Records, simulates and prints the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--machine", default="draco:4")
    parser.add_argument("--ranks", type=int, default=16)
    parser.add_argument("--placements", type=int, default=30)
    parser.add_argument("--profile", action="append", type=Path, default=[])
    parser.add_argument("--equal-shares", action="store_true")
    arguments = parser.parse_args()
    if arguments.equal_shares:
        share_equally()
    machine = with_one_threshold(machines.load(arguments.machine))
    heads = ("<program", ">ranks", ">slowest / fastest", ">mean error", ">greatest", ">estimate", *(
        f">{name}" for name in OBJECTIVES
    ))  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        profiles = {name: record(name, arguments.ranks, Path(folder)) for name in PROGRAMS}
        profiles |= {path.stem: path for path in arguments.profile}
        rows = [row(name, path, machine, arguments.placements) for name, path in profiles.items()]
    title = (
        f"SMPI on {arguments.machine}, {arguments.placements + 1} placements; Spearman's correlation with it"
    )
    print("\n".join(text_table(title, heads, rows)))


if __name__ == "__main__":
    os.environ.setdefault("OMPI_ALLOW_RUN_AS_ROOT", "1")
    os.environ.setdefault("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
    main()
