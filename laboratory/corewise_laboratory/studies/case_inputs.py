"""What a case of a study's runs works on: its traffic, its machine and its placements."""

from __future__ import annotations

from math import ceil
from pathlib import Path

import corewise
import numpy as np
from corewise import Input, model
from corewise.plugin.placing import STEPS

from corewise_laboratory.studies.placed_runs import PlacedCase, Placing
from corewise_laboratory.studies.stored_inputs import stored_input


def input_of(case: PlacedCase, data: Path | None, sample: int = 1) -> Input:
    """The traffic of a case; `sample` numbers random patterns. Raises MissingError as stored_input()."""
    if case.stored:
        return corewise.read(stored_input(case.stored, data))
    values = case.values
    if case.pattern == "random":
        per_node, intra_node = values["ranks_per_node"], values["intra_node"]
        traffic = STEPS["random"](
            values["ranks"], per_node, intra_node, values["ratio"], values["size"], sample
        )
    else:
        traffic = STEPS[case.pattern](values["ranks"], values["size"])
    return Input(case.pattern, "pattern", traffic)


def machine_for(name: str, n_ranks: int) -> model.Machine:
    """As many nodes of the preset as the ranks fill in block order."""
    per_node = corewise.machine(f"{name}:1").n_cores
    return corewise.machine(f"{name}:{ceil(n_ranks / per_node)}")


def placements_of(placing: Placing, found: Input, machine: model.Machine) -> list[model.Placement]:
    """One, which the solver answers, or all that are drawn."""
    if not placing.draws:
        best = corewise.map(
            found, machine, objective=placing.objective, solver=placing.solver, worst=placing.worst
        )
        return [best.placement.on(machine)]
    return [_drawn(draw, found.traffic.n_ranks, machine) for draw in range(placing.draws)]


def _drawn(draw: int, n_ranks: int, machine: model.Machine) -> model.Placement:
    """Every rank on its node of block order, on a random core."""
    generator = np.random.default_rng(draw)
    per_node = machine.n_cores // machine.n_nodes
    cores: list[int] = []
    for node in range(machine.n_nodes):
        n_here = min(per_node, n_ranks - node * per_node)
        cores += [node * per_node + int(core) for core in generator.permutation(per_node)[:n_here]]
    return model.Placement.from_cores(cores)
