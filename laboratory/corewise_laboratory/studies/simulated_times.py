"""Times by SimGrid's SMPI, stored in simulated.json by a digest of their inputs.

recordings.py simulates missing cases. A pattern is simulated message by message. For a stored matrix, the
events of its run are replayed, from its profile of `corewise trace --mode events`: hpl.2000.16.profile for
hpl.2000.16.npz.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import tempfile
from functools import cache
from importlib import resources
from pathlib import Path

import corewise
import numpy as np
from corewise import Input, Placement, model
from corewise.errors import InputError, MissingError
from corewise.files.document import read_json
from corewise.files.whole_file import write_whole
from corewise.simulation.smpi_platform import platform_xml

SOURCE = Path(__file__).parent / "steps.c"
TIMEOUT_S = 600.0

recordings: Path | None = None  # the folder of profiles; without one, missing times stay missing


def simulated_s(found: Input, machine: model.Machine, placement: model.Assignment) -> float | None:
    """The makespan of the messages without computing, s; None if it isn't stored."""
    steps = steps_text(found.traffic)
    cores = [int(placement.cores(rank)[0]) for rank in range(found.traffic.n_ranks)]
    replayed = [] if found.kind == "pattern" else ["the events of this matrix"]
    asked = "\n".join((platform_xml(machine, cores), str(cores), steps, *replayed))
    key = hashlib.sha256(asked.encode()).hexdigest()[:16]
    known = _known()
    if key not in known and recordings:
        placed = Placement.of(placement, machine)
        known[key] = (
            _makespan_s(_recording_of(found, recordings), machine, placed)
            if replayed
            else _sent_s(steps, machine, placed)
        )
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
    return Path(str(resources.files("corewise_laboratory") / "studies" / "simulated.json"))


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


def _sent_s(steps: str, machine: model.Machine, placed: Placement) -> float:
    with tempfile.NamedTemporaryFile("w", suffix=".steps") as file:
        file.write(steps)
        file.flush()
        return _makespan_s([_player(), file.name], machine, placed)


def _recording_of(matrix: Input, folder: Path) -> Path:
    """The profile with the events of a matrix; raises InputError if it lacks a part of the matrix's bytes."""
    path = folder / f"{matrix.name.removesuffix('.npz')}.profile"
    recorded, wanted = (_bytes_between(one) for one in (corewise.read(path), matrix))
    if recorded.shape != wanted.shape or (recorded < wanted).any():
        raise InputError(f"{path} is another run than that of {matrix.name}: it lacks some of its messages")
    return path


def _bytes_between(found: Input) -> np.ndarray:
    """The bytes of the whole run, [source, destination]."""
    src, dst, size, _ = model.Traffic.of(found.traffic.folded()).phases[0].matrix.columns()
    between = np.zeros((found.traffic.n_ranks,) * 2, dtype=np.int64)
    between[src, dst] = size
    return between


def _makespan_s(work: Path | list[str], machine: model.Machine, placed: Placement) -> float:
    """The makespan of a recording or of a command under SMPI, s, without computing."""
    found = corewise.simulate(work, machine, placed, engine="smpi", compute_factor=0, timeout_s=TIMEOUT_S)
    makespan_s = found.placements[0].makespan_s
    if makespan_s is None:
        raise MissingError("the simulation failed")
    return makespan_s
