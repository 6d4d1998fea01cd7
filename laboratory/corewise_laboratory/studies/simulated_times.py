"""Times of patterns by SimGrid's SMPI, stored in papers/simulated.json by a digest of their inputs.

python -m corewise_laboratory.studies.simulated_times STUDY ...    simulates missing cases
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import corewise
from corewise import PlacementFile, model
from corewise.errors import MissingError
from corewise.plugin.documents import read_json, write_whole
from corewise.plugin.simulation import platform_xml

from corewise_laboratory.studies.claim_list import papers_file

SOURCE = Path(__file__).parent / "steps.c"
TIMEOUT_S = 600.0

_simulates = False  # set by the command above; otherwise missing times stay missing


def simulated_s(traffic: model.Traffic, machine: model.Machine, placement: model.Placement) -> float | None:
    """The makespan of the traffic's messages, step by step, s; None if it isn't stored."""
    steps = steps_text(traffic)
    cores = [int(placement.cores(rank)[0]) for rank in range(traffic.n_ranks)]
    asked = "\n".join((platform_xml(machine, cores), str(cores), steps))
    key = hashlib.sha256(asked.encode()).hexdigest()[:16]
    known = _known()
    if key not in known and _simulates:
        known[key] = _simulate(steps, machine, placement)
        document = {"format": "corewise-simulated-times", "version": 1, "time_s": known}
        write_whole(_path(), json.dumps(document, indent=1, sort_keys=True) + "\n")
    return known.get(key)


def steps_text(traffic: model.Traffic) -> str:
    """Lines "STEP SRC DST BYTES", with a step for each repetition of each phase."""
    lines: list[str] = []
    step = 0
    for phase in traffic.phases:
        messages = list(zip(*(column.tolist() for column in phase.matrix.columns()[:3]), strict=True))
        for _ in range(phase.repeat):
            lines += [f"{step} {src} {dst} {size}" for src, dst, size in messages]
            step += 1
    return "\n".join(lines) + "\n"


def _path() -> Path:
    return Path(str(papers_file("simulated.json")))


@cache
def _known() -> dict[str, float]:
    return dict(read_json(_path(), "times by SMPI").table("time_s").values)


@cache
def _player() -> str:
    """The path of the program that sends the steps, built for SMPI; raises MissingError."""
    program = Path(tempfile.mkdtemp()) / "steps"
    try:
        subprocess.run(["smpicc", "-O2", str(SOURCE), "-o", str(program)], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise MissingError(f"steps.c could not be built ({error}); expected SimGrid's smpicc") from error
    return str(program)


def _simulate(steps: str, machine: model.Machine, placement: model.Placement) -> float:
    with tempfile.NamedTemporaryFile("w", suffix=".steps") as file:
        file.write(steps)
        file.flush()
        placed = PlacementFile.of(placement, machine)
        command = [_player(), file.name]
        found = corewise.simulate(
            command, machine, placed, engine="smpi", compute_factor=0, timeout_s=TIMEOUT_S
        )
    makespan_s = found.placements[0].makespan_s
    if makespan_s is None:
        raise MissingError("the simulation failed")
    return makespan_s


def main() -> None:
    """Runs the studies that the command line names, and stores missing times."""
    from corewise_laboratory.studies import simulated_times  # by name: __main__ is another copy
    from corewise_laboratory.studies.driver import run_study
    from corewise_laboratory.studies.kinds.kind import StudyOptions
    from corewise_laboratory.studies.study_file import load_study

    simulated_times._simulates = True
    for name in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as folder:
            options = StudyOptions(
                Path(folder), started=False, tell=lambda text: print(text, file=sys.stderr)
            )
            run_study(load_study(name), options)


if __name__ == "__main__":
    main()
