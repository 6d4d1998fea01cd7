"""Executes measured runs of a study: verifies each binding, then runs all configurations as a sweep."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import corewise
from corewise import Placement
from corewise.plugin.execution import (
    Application,
    Streams,
    Wanted,
    load_now,
    parse_application,
    run_observed,
    write_files,
)
from corewise.plugin.placing import binding_file, bound_objects

from corewise_laboratory.studies.thread_places import bindings_of
from corewise_laboratory.studies.thread_runs import Scale, ThreadRuns
from corewise_laboratory.sweep.grid import Configuration
from corewise_laboratory.sweep.results import SweepResult, write_results
from corewise_laboratory.sweep.running import Say, run_sweep
from corewise_laboratory.sweep.spec import Measure, SweepSpec
from corewise_laboratory.workloads import workload_command

if TYPE_CHECKING:
    from corewise import Machine

_VERIFY_TIMEOUT_S = 120.0


@dataclass(frozen=True)
class Start:
    """How to start the processes of a binding: those of `nodes` nodes, but all on this host."""

    binding: str
    nodes: int
    n_processes: int
    argv: list[str]  # without the workload's arguments
    environment: dict[str, str]
    verified: bool


@dataclass(frozen=True)
class MeasuredGrid:
    """`same_binding` maps each binding to an earlier one with the same cores on this machine, or None."""

    n_cores: int
    starts: list[Start]
    same_binding: dict[str, str | None]
    sweep: SweepResult


def measure(
    name: str, runs: ThreadRuns, scale: Scale, folder: Path, say: Say, tell: Callable[[str], None]
) -> MeasuredGrid:
    """Runs the grid of the study `name`, or continues it after an interrupt.

    As in the affinity paper, NUMA binding is left out if it has the same cores as another binding. Board and
    socket always run; if their cores are the same, the difference shows the noise. Raises MissingError
    without MPI or the workloads.
    """
    here = corewise.machine("local")
    same = bindings_of(here, runs.bindings)
    kept = {binding: of for binding, of in same.items() if of is None or binding != "numa"}
    tell("verifying the bindings")
    starts = [_start(runs, here, binding, nodes, folder) for nodes in scale.nodes for binding in kept]
    grid = _grid(runs, scale, starts)
    spec = _spec(name, scale, grid)
    load = load_now()
    records = run_sweep(spec, grid, folder / "runs", say)
    return MeasuredGrid(here.n_cores, starts, kept, write_results(spec, grid, records, folder / "runs", load))


def _start(runs: ThreadRuns, here: Machine, binding: str, nodes: int, folder: Path) -> Start:
    n_processes = nodes * len(bound_objects(here, binding))
    placement = binding_file(here, binding, n_processes, share=True)
    place = folder / "launch" / f"{binding}-{nodes}"
    application = parse_application(workload_command(n_processes))
    plan = application.plan_to_apply(placement, str(place))
    write_files(plan)
    return Start(
        binding, nodes, n_processes, plan.argv, plan.env, _verified(runs, application, placement, place)
    )


def _verified(runs: ThreadRuns, application: Application, placement: Placement, place: Path) -> bool:
    """Whether every process had the binding's cores in an observed run of the first, quickest workload."""
    name = runs.workloads[0]
    argv = [*application.argv, name, *runs.quick.arguments[name]]
    observed = parse_application(argv)
    plan = observed.plan_placed(placement, str(place), str(place / "profile"))
    wanted = Wanted(observed.host_names, placement)
    with open(place / "verify.txt", "w") as output:
        streams = Streams(stdout=output)
        run = run_observed(plan, name, place / "profile", wanted, streams, _VERIFY_TIMEOUT_S)
    shutil.rmtree(place / "profile", ignore_errors=True)
    return run.verified is True and run.exit_code == 0


def _grid(runs: ThreadRuns, scale: Scale, starts: list[Start]) -> list[Configuration]:
    return [
        Configuration(
            values={
                "workload": workload,
                "policy": policy,
                "binding": start.binding,
                "nodes": str(start.nodes),
            },
            argv=[*start.argv, workload, *scale.arguments[workload]],
            environment={**start.environment, "COREWISE_AFFINITY": f"policy={policy}"},
        )
        for workload in runs.workloads
        for policy in runs.policies
        for start in starts
    ]


def _spec(name: str, scale: Scale, grid: list[Configuration]) -> SweepSpec:
    """The sweep for this grid, whose configurations already have commands."""
    axes = {axis: {entry.values[axis]: [entry.values[axis]] for entry in grid} for axis in grid[0].values}
    return SweepSpec(
        name=name,
        command=[],
        axes=axes,
        group_by="workload",
        measure=Measure(column="seconds"),
        protocol=scale.protocol,
    )
