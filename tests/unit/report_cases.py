"""Synthetic results of `tune` for the tests of reports: small ones to check by hand, or of any size."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from corewise.files.table import Table
from corewise.model import (
    Assignment,
    CommMatrix,
    Machine,
    Traffic,
    evaluate,
    link_loads,
    make_machine,
    objectives,
    read_topology_synthetic,
)
from corewise.nouns.advice import Advice, Gain, measured_gain
from corewise.nouns.input_summary import CallTotals, InputSummary, RankTimes, Wait
from corewise.nouns.launch_plan import LaunchPlan
from corewise.nouns.placement import Placement
from corewise.nouns.run import RankBinding, Run
from corewise.nouns.scores import Scores
from corewise.nouns.tune_result import Candidate, ProfileState, TuneResult


def machine_of(n_nodes: int, synthetic: str = "pack:2 l2:2 core:2 pu:1"):
    """`n_nodes` nodes, by default of 8 cores each, on one network, with assumed figures."""
    shape = read_topology_synthetic(synthetic)
    return make_machine(f"synthetic:{n_nodes}", [shape], [0] * n_nodes, [("network", 0)], [], [])


def as_read(document: dict) -> Table:
    """A document as read back from tune.json."""
    return Table(Path("tune.json"), "", json.loads(json.dumps(document)))


def ring(n_ranks: int, n_bytes: int = 1 << 20, messages: int = 10) -> Traffic:
    """Every rank sends to the next one, and the last to the first."""
    src = np.arange(n_ranks, dtype=np.int32)
    return Traffic.of(
        CommMatrix.from_columns(
            n_ranks,
            src,
            ((src + 1) % n_ranks).astype(np.int32),
            np.full(n_ranks, n_bytes, np.uint64),
            np.full(n_ranks, messages, np.uint64),
        )
    )


def run_of(machine, placement, label: str, time_s: float, command: list[str], wrong=()) -> Run:
    """A run whose ranks have the bindings of `placement`, except for the ranks in `wrong`."""
    ranks = []
    for rank, core in enumerate(placement.core_of_rank.tolist()):
        wanted = machine.os_pus(core)
        seen = [0, 1] if rank in wrong else wanted
        host = f"n{machine.node_of(core):03d}"
        ranks.append(RankBinding(rank, host, host, wanted, seen))
    return Run(label, command, "measured", ranks, time_s + 0.5, time_s, time_s * 0.3, 0)


def tune_result(
    n_nodes: int = 1,
    n_ranks: int = 8,
    times_s: dict[str, list[float]] | None = None,
    command: tuple[str, ...] = ("mpirun", "-n", "8", "./app", "-in", "a<b>&'c'"),
    matters: str = "yes",
    wrong: tuple[int, ...] = (),
    complete: bool = True,
    machine: Machine | None = None,
) -> TuneResult:
    """A result whose three placements are computed from the core numbers; the figures are assumed.

    Default: even cores first, then odd ones. Best: cores in order. Worst: cores of the two halves in turn.
    `times_s` maps a label to the times of its runs; without an entry nothing ran. The ranks `wrong` ran
    elsewhere in runs of the best placement. `machine` replaces machine_of(n_nodes).
    """
    machine, traffic = machine or machine_of(n_nodes), ring(n_ranks)
    cores = list(range(machine.n_cores))
    half = len(cores) // 2
    orders = {
        "default": cores[0::2] + cores[1::2],
        "best": cores,
        "worst": [core for pair in zip(cores[:half], cores[half:], strict=True) for core in pair],
    }
    candidates = []
    for label, order in orders.items():
        placement = Assignment.from_cores(order[:n_ranks])
        scores = Scores({row.name: evaluate(row.name, traffic, machine, placement) for row in objectives()})
        runs = [
            run_of(machine, placement, label, time_s, list(command), wrong if label == "best" else ())
            for time_s in (times_s or {}).get(label, [])
        ]
        loads = [level.tolist() for level in link_loads(traffic, machine, placement)]
        columns = Placement.of(placement, machine)
        candidates.append(
            Candidate(label=label, placement=columns, scores=scores, link_bytes=loads, runs=runs)
        )
    gain = measured_gain(times_s["default"], times_s["best"]) if times_s else None
    return TuneResult(
        command=list(command),
        machine=machine,
        profile=ProfileState(complete=complete, faults=[] if complete else ["rank 3 never finalized."]),
        traffic=traffic,
        advice=Advice(
            matters=matters,
            gain=Gain(0.04, 0.11, 0.18),
            ratio=0.143,
            because="The ratio of inter-node to intra-node bytes is 0.143, below the guideline's 0.5.",
            offer_spread=False,
            compared_by="time",
            gain_of="run",
            transfer_share=0.25,
        ),
        objective="time",
        candidates=candidates,
        gain=gain,
        notes=["Latencies and bandwidths are assumed, so the predicted interval is wide."],
        date="2026-11-21 02:00 UTC",
        plan=LaunchPlan(
            ["mpirun", "-rf", "rankfile.txt", *command[1:]],
            {"CW_PLACEMENT": "best"},
            {"rankfile.txt": "rank 0=n000 slot=0\nrank 1=n000 slot=1\n"},
        ),
        conditions={"Open MPI": "4.1.4", "kernel": "Linux 6.1 <test>"},
    )


REPEATS = {
    "default": [10.1, 10.4, 9.9, 10.2, 10.0, 10.6],
    "best": [9.0, 9.1, 8.9, 9.3, 9.0, 9.05],
    "worst": [11.9, 12.4, 12.0, 12.2, 11.8, 12.1],
}

SUMMARY = InputSummary(
    name="app",
    kind="profile",
    layer="p2p",
    n_ranks=2,
    bytes=0,
    messages=0,
    self_bytes=0,
    ratio=None,
    phases=[],
    complete=True,
    top_pairs=[],
    calls=[
        CallTotals(call="MPI_Send", layer="p2p", count=1, bytes=8, time_s=3.0),
        CallTotals(call="MPI_Allreduce", layer="coll", count=1, bytes=8, time_s=1.0),
    ],
    ranks=[RankTimes(0, "n0", 10.0, 2.0), RankTimes(1, "n0", 10.0, 4.0)],
    waits=[Wait(waiter=1, awaited=0, time_s=1.5, count=3)],
    faults=[],
)
