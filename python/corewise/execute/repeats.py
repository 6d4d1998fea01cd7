"""Repeated runs of several placements, interleaved, so that a drift of the machine meets all of them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from corewise.execute.application import Application
from corewise.execute.observe import reported, run_of
from corewise.execute.start import start
from corewise.files.placement import PlacementFile
from corewise.files.run import Run
from corewise.files.whole_file import write_whole

# A placement that makes a program this much slower than its first run is ended: an MPI start may also hang.
SLOWDOWN_LIMIT = 20
LEAST_LIMIT_S = 60.0


@dataclass(frozen=True)
class Limits:
    """How often each placement runs; how long the command took before sets the time limit of a run."""

    n_repeats: int
    first_wall_s: float

    @property
    def run_s(self) -> float:
        return max(LEAST_LIMIT_S, SLOWDOWN_LIMIT * self.first_wall_s)


def run_repeats(
    application: Application,
    placements: dict[str, PlacementFile | None],
    folder: Path,
    limits: Limits,
    say: Callable[[str], None],
) -> dict[str, list[Run]]:
    """Runs each placement as often as the limits say; None is the command as it is.

    Each repeat begins with another placement. Every run leaves `folder`/LABEL-K with the files it was started
    from, its output and run.json. A run that fails is kept with its exit code.
    """
    runs: dict[str, list[Run]] = {label: [] for label in placements}
    labels = list(placements)
    for repeat in range(limits.n_repeats):
        turn = repeat % len(labels)
        for label in labels[turn:] + labels[:turn]:
            say(f"run {sum(map(len, runs.values())) + 1} of {limits.n_repeats * len(labels)}: {label}")
            place = folder / f"{label}-{repeat + 1}"
            runs[label].append(_run_once(application, label, placements[label], place, limits.run_s))
    return runs


def _run_once(
    application: Application, label: str, placement: PlacementFile | None, place: Path, limit_s: float
) -> Run:
    place.mkdir(parents=True)
    profile_folder = place / "profile"
    if placement is None:
        plan = application.plan_as_is(str(place), str(profile_folder))
    else:
        plan = application.plan_placed(placement, str(place), str(profile_folder))
    with open(place / "output.txt", "w") as output:
        ended = start(plan, output, limit_s)
    run = run_of(label, plan, ended, reported(profile_folder), placement)
    write_whole(place / "run.json", json.dumps(run.to_json(), indent=1) + "\n")
    shutil.rmtree(profile_folder, ignore_errors=True)
    return run
