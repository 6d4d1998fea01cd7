"""Threads of the runtime: their places by policy on a machine, and times of workloads on this host."""

from __future__ import annotations

import csv
import itertools
import json
from collections import Counter
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any, ClassVar

import corewise
from corewise import LaunchPlan, Machine
from corewise.errors import RunError
from corewise.mapping.process_binding import binding_file, bound_objects
from corewise.model import plan_threads
from corewise.start.application import parse_application
from corewise.start.launching import printed_by, write_files
from corewise.statistics import mean_interval
from corewise.text.quantities import index_text, indices_of

from corewise_laboratory.studies.rows import Row, Rows
from corewise_laboratory.studies.study import Options, Outcome, Runs, interval_values, kept_or_run, row_of
from corewise_laboratory.workloads import workload_command

_RUN_TIMEOUT_S = 600.0


def bindings_of(machine: Machine, wanted: list[str]) -> dict[str, str | None]:
    """For each wanted binding, an earlier one with the same cores on this machine, else None."""
    seen: dict[str, str | None] = {}
    for binding in wanted:
        objects = bound_objects(machine, binding)
        same = [name for name in seen if bound_objects(machine, name) == objects]
        seen[binding] = same[0] if same else None
    return seen


@dataclass(frozen=True, kw_only=True)
class ThreadPlaces(Runs):
    """Places of threads on a node: `machines` are files in topologies/, `bindings` as for process_binding."""

    machines: list[str]
    policies: list[str]
    bindings: list[str]
    columns: ClassVar[tuple[str, ...]] = (
        "shared_cores",
        "idle_cores",
        "outside",
        "narrowed",
        "doubled_cores",
    )

    def run(self, options: Options) -> Outcome:
        """A row for each machine, binding with other cores than the earlier ones, and policy."""
        rows, notes = [], []
        for machine in self.machines:
            topology = topology_of(machine)
            for binding, same in bindings_of(corewise.machine(str(topology)), self.bindings).items():
                if same:
                    notes.append(f"{machine}: {binding} binding has the same cores as {same}.")
                    continue
                rows += [
                    Row(
                        {"machine": machine, "binding": binding, "policy": policy},
                        thread_places(topology, binding, policy),
                    )
                    for policy in self.policies
                ]
        return Outcome(
            Rows(rows), "as our affinity library plans threads on the machine's topology", notes=notes
        )


def topology_of(machine: str) -> Path:
    """The path of the hwloc XML of a node, with its network card."""
    return Path(str(resources.files("corewise_laboratory") / "studies" / "topologies" / f"{machine}.xml"))


def planned_threads(policy: str, topology: Path, os_pus: frozenset[int]) -> list[dict[str, Any]]:
    """The threads of a process with this mask (OS indices), as the affinity library plans them.

    Each has `cpuset`, and `core`, None if it may use several. Raises InputError if the library refuses.
    """
    document = json.loads(plan_threads(f"policy={policy};mask={index_text(os_pus)}", str(topology)))
    return [thread | {"cpuset": indices_of(thread["cpuset"])} for thread in document["threads"]]


def thread_places(topology: Path, binding: str, policy: str) -> dict[str, float]:
    """Plans the threads of every process on a node with one process for each object of the binding.

    A pinned thread has exactly one core. `shared_cores` have several pinned threads; on `idle_cores` no
    thread may run; `outside` are threads that may run outside their process's cores; `narrowed` are those
    whose mask is not that of their process; of `doubled_cores` a thread may use several hardware threads.
    """
    machine = corewise.machine(str(topology))
    core_of_pu = {pu: core for core in range(machine.n_cores) for pu in machine.os_pus(core)}
    masks = [frozenset(pus) for pus in binding_file(machine, binding).os_pus or []]
    threads = [(mask, thread) for mask in masks for thread in planned_threads(policy, topology, mask)]
    pinned = Counter(thread["core"] for _, thread in threads if thread["core"] is not None)
    doubled = {
        core
        for pus in {thread["cpuset"] for _, thread in threads}
        for core, n in Counter(core_of_pu[pu] for pu in pus).items()
        if n > 1
    }
    reachable = {core_of_pu[pu] for _, thread in threads for pu in thread["cpuset"]}
    return {
        "threads": float(len(threads)),
        "pinned": float(pinned.total()),
        "shared_cores": float(sum(n > 1 for n in pinned.values())),
        "idle_cores": float(machine.n_cores - len(reachable)),
        "outside": float(sum(not thread["cpuset"] <= mask for mask, thread in threads)),
        "narrowed": float(sum(thread["cpuset"] != mask for mask, thread in threads)),
        "doubled_cores": float(len(doubled)),
    }


@dataclass(frozen=True, kw_only=True)
class Workloads(Runs):
    """Times of the runtime's workloads on this host, by process binding and thread policy.

    `scales` has, by workload, its --scale for "quick" and "full"; `nodes`, `repeats` and `warmups` are by
    scale. This host stands for the nodes, whose processes share its cores.
    """

    policies: list[str]
    bindings: list[str]
    scales: dict[str, dict[str, str]]
    nodes: dict[str, list[int]]
    # "the average execution time from 13 consecutive runs, accounting for the first three as warm-up" (3)
    repeats: dict[str, int] = field(default_factory=lambda: {"quick": 3, "full": 10})
    warmups: dict[str, int] = field(default_factory=lambda: {"quick": 1, "full": 3})
    source: ClassVar[str] = "measured"
    starts: ClassVar[bool] = True
    columns: ClassVar[tuple[str, ...]] = ("t", "low", "high")

    def run(self, options: Options) -> Outcome:
        """A row for each configuration, with the mean time. Raises MissingError without MPI or the workloads.

        As in the affinity paper, NUMA binding is left out if it has the same cores as another binding. Board
        and socket always run; if their cores are the same, the difference shows the noise.
        """
        same = bindings_of(corewise.machine("local"), self.bindings)
        kept = [binding for binding, of in same.items() if of is None or binding != "numa"]
        rows: list[Row] = []
        problems: list[str] = []
        for nodes, binding in itertools.product(self.nodes[options.scale], kept):
            plan, verified = self._start(binding, nodes, options)
            if not verified:
                problems.append(f"{binding}, {nodes} nodes: a process was not on the cores of its binding")
            for workload, policy in itertools.product(self.scales, self.policies):
                labels = {"workload": workload, "policy": policy, "binding": binding, "nodes": str(nodes)}
                options.tell(", ".join(labels.values()))
                rows.append(self._row(labels, plan, options, problems))
        notes = [f"Scale {options.scale}: this host stands for all nodes.", *dict.fromkeys(problems)]
        return Outcome(Rows(rows), "measured on this host", failed=bool(problems), notes=notes)

    def _start(self, binding: str, nodes: int, options: Options) -> tuple[LaunchPlan, bool]:
        """How to start the processes, and whether each had the binding's cores in a first, quick run."""
        here = corewise.machine("local")
        n_processes = nodes * len(bound_objects(here, binding))
        placement = binding_file(here, binding, n_processes, share=True)
        place = options.folder / "launch" / f"{binding}-{nodes}"
        command = workload_command(n_processes)
        plan = parse_application(command).plan_to_apply(placement, str(place))
        write_files(plan)
        workload = next(iter(self.scales))
        with open(place / "verify.txt", "w") as output:
            argv = [*command, workload, "--scale", self.scales[workload]["quick"]]
            run = corewise.run(argv, placement, output=output)
        return plan, run.verified is True and run.exit_code == 0

    def _row(self, labels: dict[str, str], plan: LaunchPlan, options: Options, problems: list[str]) -> Row:
        """The mean of the repeats after the warm-ups. Adds a sentence for each failed run."""
        workload, policy = labels["workload"], labels["policy"]
        argv = [*plan.argv, workload, "--scale", self.scales[workload][options.scale]]
        start = LaunchPlan(argv, plan.env | {"COREWISE_AFFINITY": f"policy={policy}"})
        warmups = self.warmups[options.scale]
        times = []
        for repeat in range(warmups + self.repeats[options.scale]):
            path = options.folder / "runs" / f"{options.scale}-{'-'.join(labels.values())}-{repeat}.json"
            try:
                numbers = kept_or_run(path, lambda: _seconds(start))
            except RunError as error:
                problems.append(f"{', '.join(labels.values())}: {error}")
                continue
            if repeat >= warmups:
                times.append(numbers["t"])
        return row_of(labels, **interval_values(mean_interval(times) if times else None))


def _seconds(start: LaunchPlan) -> dict[str, Any]:
    """The workload's own time, from its CSV output; raises RunError."""
    code, printed, messages = printed_by(start, _RUN_TIMEOUT_S)
    row = next(csv.DictReader(printed.splitlines()), None)
    if code != 0 or row is None:
        last = (messages.strip().splitlines() or ["it printed nothing"])[-1]
        raise RunError(f"a run ended with exit code {code}: {last}")
    return {"t": float(row["seconds"])}
