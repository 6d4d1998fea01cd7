"""The inputs of a case of a study: traffic, machine and placements."""

from __future__ import annotations

from functools import cache, lru_cache
from math import ceil
from pathlib import Path
from typing import Any

import corewise
import numpy as np
from corewise import Input, model

from corewise_laboratory.pattern_steps import STEPS
from corewise_laboratory.studies.placed_runs import PlacedCase, Placing
from corewise_laboratory.studies.stored_inputs import stored_input


def input_of(case: PlacedCase, data: Path | None, sample: int = 1) -> Input:
    """The traffic of a case; `sample` seeds random patterns. Raises MissingError as stored_input() does."""
    if case.stored:
        return corewise.read(stored_input(case.stored, data))
    values = case.values
    if case.pattern == "random":
        keys = ("ranks", "ranks_per_node", "intra_node", "ratio", "size")
        traffic = _random(*(values[key] for key in keys), sample)
    else:
        traffic = STEPS[case.pattern](values["ranks"], values["size"])
    return Input(case.pattern, "pattern", traffic)


@lru_cache(maxsize=1024)  # cases that differ only in the machine have the same patterns
def _random(*arguments: Any) -> model.Traffic:
    return STEPS["random"](*arguments)


@cache
def machine_for(name: str, n_ranks: int) -> model.Machine:
    """The preset with the nodes that `n_ranks` ranks fill in block order."""
    per_node = corewise.machine(f"{name}:1").n_cores
    return corewise.machine(f"{name}:{ceil(n_ranks / per_node)}")


def placements_of(placing: Placing, found: Input, machine: model.Machine) -> list[model.Assignment]:
    """The solver's placement, or as many random ones as the engine with most `placing.draws` needs."""
    if not placing.draws:
        best = corewise.map(
            found, machine, objective=placing.objective, solver=placing.solver, worst=placing.worst
        )
        return [best.placement.on(machine)]
    return [_drawn(draw, found.traffic.n_ranks, machine) for draw in range(max(placing.draws.values()))]


def _drawn(draw: int, n_ranks: int, machine: model.Machine) -> model.Assignment:
    """Each rank on its node in block order, but on a random core."""
    generator = np.random.default_rng(draw)
    per_node = machine.n_cores // machine.n_nodes
    cores: list[int] = []
    for node in range(machine.n_nodes):
        n_here = min(per_node, n_ranks - node * per_node)
        cores += [node * per_node + int(core) for core in generator.permutation(per_node)[:n_here]]
    return model.Assignment.from_cores(cores)
