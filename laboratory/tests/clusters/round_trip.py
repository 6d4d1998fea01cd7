"""Starts random placements by a launcher in a cluster of the lab, and checks where the ranks run.

    python round_trip.py FOLDER NUMBER PERIOD SEED -- LAUNCHER ... PROGRAM

Starts each placement with the launch files that `corewise tune` writes. Some are observed while PROGRAM,
which uses MPI, runs: then the verdict of `corewise run` is checked, too. In each PERIOD placements, one is
started differently on purpose and one has a core that doesn't exist. Under Open MPI each node has a random
shape from SHAPES.

Prints a JSON line for each placement with a wrong outcome, and a last line with the counts of all outcomes.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from corewise.clusters.netns import AGENT
from corewise.model import Machine
from corewise.nouns.launch_plan import LaunchPlan
from corewise.observe.runs import reported, run_of
from corewise.start.application import Application, parse_application
from corewise.start.launching import write_files
from corewise.start.wanted import Wanted
from plan_cases import indices
from random_placements import Case, machine_of_shapes, random_cases, shape_file

SHOW = (
    'echo "rank ${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-$SLURM_PROCID}} on $(hostname) '
    'has $(grep Cpus_allowed_list /proc/self/status | cut -f2)"'
)
LINE = re.compile(r"rank (\d+) on (\S+) has ([0-9,-]+)")
# hwloc's synthetic strings, some with a set of hardware threads to which the node is restricted
SHAPES = [
    ("core:2 pu:1",),
    ("pack:2 core:1 pu:1",),  # another tree with the fingerprint of the first one
    ("core:1 pu:2",),
    ("core:1 pu:1",),
    ("core:2 pu:1", "0x2"),
]
# Replaces ssh: on HOST, hwloc reads the cores in $SHAPES_OF_NODES/HOST.xml.
SHAPING_AGENT = f"""\
#!/bin/sh
for word; do
  if [ -f "$SHAPES_OF_NODES/$word.xml" ]; then
    export HWLOC_XMLFILE="$SHAPES_OF_NODES/$word.xml" HWLOC_THISSYSTEM=1
  fi
done
exec {AGENT} "$@"
"""
AGENT_VARIABLES = ("OMPI_MCA_plm_rsh_agent", "PRTE_MCA_plm_ssh_agent")
TIMEOUT_S = 60


class RoundTrip:
    """The placements of one command. `folder` gets a subfolder for each."""

    def __init__(self, folder: Path, command: list[str], seed: int):
        self.folder, self.rng = folder, random.Random(seed)
        application = parse_application(command)
        program = application.command.programs[0]
        self.program = program.app
        show = replace(program, app=["bash", "-c", SHOW])
        self.application = replace(application, command=replace(application.command, programs=[show]))
        self.files = [shape_file(folder, *shape) for shape in SHAPES]
        self.agent = folder / "agent"
        self.agent.write_text(SHAPING_AGENT)
        self.agent.chmod(0o755)

    def machines(self) -> Iterator[Machine]:
        """Yields machines with as many nodes as there are hosts, in varying order of the hosts."""
        has_shapes = self.application.launcher.name in ("openmpi4", "openmpi5")
        for number in itertools.count():
            hosts = self.rng.sample(self.application.hosts, len(self.application.hosts))
            self.application = replace(self.application, hosts=hosts)
            files = [self.rng.choice(self.files) if has_shapes else self.files[0] for _ in hosts]
            shapes = self.folder / str(number) / "shapes"
            shapes.mkdir(parents=True)
            for host, path in zip(hosts, files, strict=True):
                (shapes / f"{host.name}.xml").symlink_to(path)
            yield machine_of_shapes(files)

    def wrong(self, case: Case, observed: bool) -> str | None:
        """What is wrong with the outcome of a case; None if nothing is."""
        folder = self.folder / str(case.number)
        plan, profile = self._plan(case, folder, observed), folder / "profile"
        done = self._run(plan, folder)
        seen = {int(rank): (host, sorted(indices(mask))) for rank, host, mask in LINE.findall(done.stdout)}
        hosts = self.application.host_names
        wanted = {rank: (hosts[node], pus) for rank, (node, pus) in enumerate(case.wanted)}
        if case.spoiled == "absent":
            refused = done.returncode != 0 and 0 not in seen
            return None if refused else f"not refused: {seen}; exit code {done.returncode}"
        if (seen == wanted) != (case.spoiled is None):
            return f"wanted {wanted}, found {seen}, exit code {done.returncode}; {done.stderr[-600:]}"
        if observed:
            run = run_of("", plan, (done.returncode, 0.0), reported(profile), Wanted(hosts, case.placement))
            if run.verified != (case.spoiled is None):
                return f"corewise says verified = {run.verified}; {done.stderr[-600:]}"
        return None

    def _plan(self, case: Case, folder: Path, observed: bool) -> LaunchPlan:
        if not observed:
            return self.application.plan_to_apply(case.started, str(folder))
        program = self.application.command.programs[0]
        both = replace(program, app=["bash", "-c", f'{SHOW}; exec "$@"', "bash", *self.program])
        command = replace(self.application.command, programs=[both])
        application: Application = replace(self.application, command=command)
        return application.plan_placed(case.started, str(folder), str(folder / "profile"))

    def _run(self, plan: LaunchPlan, folder: Path) -> subprocess.CompletedProcess:
        write_files(plan)
        shaping = {"SHAPES_OF_NODES": str(folder / "shapes")}
        shaping |= dict.fromkeys(AGENT_VARIABLES, str(self.agent))
        try:
            return subprocess.run(
                plan.argv,
                env=os.environ | plan.env | shaping,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=TIMEOUT_S,
            )
        except subprocess.TimeoutExpired as ended:
            output, errors = ((text or b"").decode() for text in (ended.stdout, ended.stderr))
            return subprocess.CompletedProcess(plan.argv, 124, output, errors + "not done in time")


def main(folder: Path, number: int, period: int, seed: int, command: list[str]) -> None:
    """Every case that starts another placement is observed, and the same number of other cases."""
    trip = RoundTrip(folder, command, seed)
    counts: Counter[str] = Counter()
    for case in random_cases(trip.machines(), number, period, seed):
        why = trip.wrong(case, observed=case.number % period in (0, period - 1))
        counts[case.spoiled or "right"] += 1
        counts["wrong"] += why is not None
        if why:
            print(
                json.dumps({"number": case.number, "kind": case.kind, "spoiled": case.spoiled, "why": why}),
                flush=True,
            )
    print(json.dumps(counts), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:5]), sys.argv[6:])
