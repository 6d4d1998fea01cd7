"""Placed runs: patterns and stored matrices on a machine's nodes, timed by engines under placements."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from math import ceil
from pathlib import Path
from typing import Any, ClassVar

import corewise
import numpy as np
from corewise import Input, Placement, model

from corewise_laboratory.pattern_steps import STEPS
from corewise_laboratory.studies.rows import Row, Rows
from corewise_laboratory.studies.simulated_times import simulated_s
from corewise_laboratory.studies.study import Options, Outcome, Runs, row_of, stored_input

_ARGUMENTS = ("ranks", "ranks_per_node", "intra_node", "ratio", "size")


def _estimate_s(found: Input, machine: model.Machine, placement: model.Assignment) -> float:
    return model.estimate(found.traffic, machine, placement).makespan_s


@dataclass(frozen=True)
class Engine:
    """`time_s` returns the time of an input with a placement, None if unknown; `because` is its basis."""

    source: str
    because: str
    time_s: Callable[[Input, model.Machine, model.Assignment], float | None]


ENGINES = {
    "estimate": Engine(
        "computed", "computed by the engine estimate, phase by phase, from the machine file", _estimate_s
    ),
    "smpi": Engine(
        "simulated",
        "simulated by SimGrid's SMPI, message by message or by a replay of events, from the machine file",
        simulated_s,
    ),
}


@dataclass(frozen=True)
class Placing:
    """How to place each case: with a solver, or the mean of `draws` random placements, by engine.

    Random placements imitate unbound ranks: each rank is on its node in block order, but on a random core.
    """

    solver: str = "random"
    objective: str | None = None
    worst: bool = False
    draws: dict[str, int] = field(default_factory=dict)


# The paper's best and worst: by the loads of links, over the whole pattern.
BEST_AND_WORST = {
    "best": Placing("exact", "link-load"),
    "worst": Placing("exact", "link-load", worst=True),
}
# Readings of a machine: its preset, and the one whose figures were fitted to the paper's results.
FIGURES = {"data sheets": "", "calibrated": "-fitted"}


def cases(**values: Any) -> list[dict[str, Any]]:
    """A case for each combination of the values that are lists."""
    lists = [value if isinstance(value, list) else [value] for value in values.values()]
    return [dict(zip(values, each, strict=True)) for each in itertools.product(*lists)]


@dataclass(frozen=True, kw_only=True)
class Placed(Runs):
    """Each case has a `machine` and `ranks`, and if there are two readings, a key of FIGURES (`figures`).

    A case with a `pattern` has its arguments, too. Others have the traffic of the stored input `matrix`, in
    which {KEY} is replaced by the case's value. `engines` have the number of random patterns to average.
    `compute_s` is the computation of each rank, s. Several engines are an axis of the rows.
    """

    cases: Sequence[dict[str, Any]]
    placings: dict[str, Placing] = field(default_factory=lambda: BEST_AND_WORST)
    engines: dict[str, int] = field(default_factory=lambda: {"estimate": 1, "smpi": 1})
    matrix: str = ""
    compute_s: Callable[[dict[str, Any]], float] = lambda case: 0.0
    columns: ClassVar[tuple[str, ...]] = ("t", "ratio_bytes")

    @property
    def source(self) -> str:
        """The sources of the engines' times."""
        return ", ".join(ENGINES[name].source for name in self.engines)

    def run(self, options: Options) -> Outcome:
        """A row for each case, engine and placement, with times averaged over the samples."""
        known: dict[tuple[Any, ...], list[model.Assignment]] = {}
        rows = [row for case in self.cases for row in self._rows(case, options, known)]
        return Outcome(Rows(rows), "; ".join(ENGINES[name].because for name in self.engines))

    def _rows(self, case: dict[str, Any], options: Options, known: dict[tuple[Any, ...], Any]) -> list[Row]:
        rows = []
        preset = f"{case['machine']}{FIGURES[case.get('figures', 'data sheets')]}"
        for name, n_samples in self.engines.items():
            labels = {axis: str(value) for axis, value in case.items()} | {"preset": preset}
            if len(self.engines) > 1:
                labels["engine"] = name
            samples = range(1, n_samples + 1) if case.get("pattern") == "random" else [1]
            found = [self._timed(case, preset, name, options.data, sample, known) for sample in samples]
            for label in self.placings:
                means = {column: _mean([each[label][column] for each in found]) for column in found[0][label]}
                rows.append(row_of(labels | {"placement": label}, **means))
        return rows

    def _timed(
        self,
        case: dict[str, Any],
        preset: str,
        engine: str,
        data: Path | None,
        sample: int,
        known: dict[tuple[Any, ...], list[model.Assignment]],
    ) -> dict[str, dict[str, float | None]]:
        """Columns by placement: time, inter-node over intra-node traffic, shares within nodes.

        `known` has the placements by case and sample. Those for link loads are the same for all message
        sizes, which only multiply all loads, and for all machine figures, which loads don't depend on.
        """
        found = self._input(case, data, sample)
        machine = machine_for(preset, found.traffic.n_ranks)
        folded = replace(found, traffic=model.Traffic.of(found.traffic.folded()))
        timed = {}
        for label, placing in self.placings.items():
            by_loads = placing.objective == "link-load"
            same = ("size", "figures") if by_loads else ()
            key = (label, sample, *(value for axis, value in case.items() if axis not in same))
            if key not in known:
                known[key] = _placements(placing, folded if by_loads else found, machine)
            drawn = known[key][: placing.draws.get(engine, 1)]
            times = [ENGINES[engine].time_s(found, machine, one) for one in drawn]
            compute_s = self.compute_s(case)
            timed[label] = {
                "t": _mean([None if time_s is None else time_s + compute_s for time_s in times]),
                **_shares(folded.traffic, machine, known[key][0]),
            }
        return timed

    def _input(self, case: dict[str, Any], data: Path | None, sample: int) -> Input:
        """The traffic of a case; `sample` seeds random patterns. Raises MissingError as stored_input()."""
        pattern = case.get("pattern")
        if pattern is None:
            return corewise.read(stored_input(self.matrix.format(**case), data))
        if pattern == "random":
            return Input(pattern, "pattern", _random(*(case[key] for key in _ARGUMENTS), sample))
        return Input(pattern, "pattern", STEPS[pattern](case["ranks"], case["size"]))


@lru_cache(maxsize=1024)  # cases that differ only in the machine have the same patterns
def _random(*arguments: Any) -> model.Traffic:
    return STEPS["random"](*arguments)


@cache
def machine_for(preset: str, n_ranks: int) -> model.Machine:
    """The preset with the nodes that `n_ranks` ranks fill in block order."""
    per_node = corewise.machine(f"{preset}:1").n_cores
    return corewise.machine(f"{preset}:{ceil(n_ranks / per_node)}")


def _placements(placing: Placing, found: Input, machine: model.Machine) -> list[model.Assignment]:
    """The solver's placement, or as many random ones as the engine with most draws needs."""
    if placing.draws:
        return [_drawn(draw, found.traffic.n_ranks, machine) for draw in range(max(placing.draws.values()))]
    best = corewise.map(
        found, machine, objective=placing.objective, solver=placing.solver, worst=placing.worst
    )
    return [best.placement.on(machine)]


def _drawn(draw: int, n_ranks: int, machine: model.Machine) -> model.Assignment:
    """Each rank on its node in block order, but on a random core."""
    generator = np.random.default_rng(draw)
    per_node = machine.n_cores // machine.n_nodes
    cores: list[int] = []
    for node in range(machine.n_nodes):
        n_here = min(per_node, n_ranks - node * per_node)
        cores += [node * per_node + int(core) for core in generator.permutation(per_node)[:n_here]]
    return model.Assignment.from_cores(cores)


def _shares(
    traffic: model.Traffic, machine: model.Machine, placement: model.Assignment
) -> dict[str, float | None]:
    """Inter-node over intra-node traffic in block order, with self-messages, and the shares within nodes.

    The shares are of bytes and messages between different ranks, with this placement.
    """
    matrix = traffic.phases[0].matrix
    block = np.arange(matrix.n_ranks, dtype=np.int32) // min(
        machine.n_cores // machine.n_nodes, matrix.n_ranks
    )
    src, dst, *amounts = matrix.columns()
    node = np.asarray(Placement.of(placement, machine).node)
    between, same = src != dst, node[src] == node[dst]
    within = [float(amount[between & same].sum() / amount[between].sum()) for amount in amounts]
    names = ("ratio_bytes", "ratio_messages", "within_bytes", "within_messages")
    return dict(zip(names, (*model.inter_over_intra(matrix, block), *within), strict=True))


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if len(known) == len(values) else None
