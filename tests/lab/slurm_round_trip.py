"""Random placements through srun, in an allocation of four nodes with two cores each: wanted and found.

    python slurm_round_trip.py FOLDER NUMBER SEED

prints a JSON line for each: the (node's name, hardware threads) that each rank was to have and those that it
has. One in ten is sabotaged: rank 0 is told another host or another core than the placement says.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from dataclasses import dataclass

from corewise.execute.programs import BINDER, native
from corewise.execute.start import write_files
from corewise.files.launch_plan import LaunchPlan
from corewise.files.placement import PlacementFile
from corewise.launchers import LAUNCHERS, Injection, Job, parse_command

NODES = ["n0", "n1", "n2", "n3"]
SHOW = 'echo "$SLURM_PROCID $SLURMD_NODENAME $(grep Cpus_allowed_list /proc/self/status | cut -f2)"'
TIMEOUT_S = 60


@dataclass(frozen=True)
class Case:
    """A placement on four nodes whose names are in any order, and what goes wrong on purpose."""

    placement: PlacementFile
    names: list[str]
    sabotaged: str | None

    @property
    def wanted(self) -> list[list[str]]:
        masks = ["-".join(map(str, pus)) for pus in self.placement.os_pus]
        return [[self.names[node], mask] for node, mask in zip(self.placement.node, masks, strict=True)]


def cases(n_cases: int, seed: int) -> list[Case]:
    """Shapes: every slot taken, some slots, whole nodes, cores that ranks share."""
    rng = random.Random(seed)
    slots = [(node, [core]) for node in range(4) for core in range(2)]
    found = []
    for number in range(n_cases):
        shape = rng.choice(["full", "part", "wide", "shared"])
        if shape == "wide":
            chosen = [(node, [0, 1]) for node in rng.sample(range(4), rng.randint(1, 4))]
        elif shape == "shared":
            chosen = rng.choices(slots, k=rng.randint(2, 8))
        else:
            chosen = rng.sample(slots, 8 if shape == "full" else rng.randint(1, 7))
        node, cores = [node for node, _ in chosen], [cores for _, cores in chosen]
        placement = PlacementFile("m", "f", ["f"] * 4, node, cores, cores, oversubscribed=shape == "shared")
        sabotaged = rng.choice(["host", "core"]) if number % 10 == 9 else None
        found.append(Case(placement, rng.sample(NODES, 4), sabotaged))
    return found


def sabotaged(plan: LaunchPlan, case: Case) -> LaunchPlan:
    """The plan with another host for rank 0, or another core."""
    files = dict(plan.files)
    for path, text in files.items():
        first, *rest = text.splitlines()
        if case.sabotaged == "host" and path == plan.env["SLURM_HOSTFILE"]:
            files[path] = "\n".join([next(name for name in NODES if name != first), *rest]) + "\n"
        elif case.sabotaged == "core" and first.startswith("corewise-bind"):
            other = "0" if case.placement.os_pus[0] != [0] else "1"
            lines = [f"rank 0 {other}" if line.startswith("rank 0 ") else line for line in text.splitlines()]
            files[path] = "\n".join(lines) + "\n"
    return LaunchPlan([plan.argv[0], "--overcommit", *plan.argv[1:]], plan.env, files)


def found(case: Case, folder: str) -> list[list[str]]:
    """(node's name, hardware threads) of each rank, as srun started them."""
    srun = LAUNCHERS["srun"]
    command = parse_command(["srun", "bash", "-c", SHOW], srun.options)
    plan = srun.plan(
        case.placement, Job(command, case.names, folder, Injection(native(BINDER)), "allocation")
    )
    plan = sabotaged(plan, case) if case.sabotaged else plan
    write_files(plan)
    done = subprocess.run(
        plan.argv, env=os.environ | plan.env, stdout=subprocess.PIPE, text=True, timeout=TIMEOUT_S
    )
    lines = [line.split() for line in done.stdout.splitlines()]
    return [words for _, *words in sorted(lines, key=lambda words: int(words[0]))]


if __name__ == "__main__":
    for number, case in enumerate(cases(int(sys.argv[2]), int(sys.argv[3]))):
        seen = found(case, f"{sys.argv[1]}/{number}")
        print(json.dumps({"wanted": case.wanted, "found": seen, "sabotaged": case.sabotaged}), flush=True)
