"""Repeated runs of several placements, interleaved, so that a drift of the machine meets all of them."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from corewise.execute.application import Application
from corewise.execute.folder import fresh_folder
from corewise.execute.kept_output import kept_output
from corewise.execute.observe import reported, run_of
from corewise.execute.standard_input import StandardInput
from corewise.execute.start import start
from corewise.files.placement import PlacementFile
from corewise.files.run import Run
from corewise.files.whole_file import write_whole
from corewise.text.any_bytes import json_text

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


@dataclass(frozen=True)
class Repeats:
    """The runs that ended, by label; `interrupted` says that Ctrl-C or SIGTERM kept others from it."""

    runs: dict[str, list[Run]]
    interrupted: bool


def run_repeats(
    application: Application,
    placements: dict[str, PlacementFile | None],
    folder: Path,
    limits: Limits,
    standard_input: StandardInput,
    say: Callable[[str], None],
) -> Repeats:
    """Runs each placement as often as the limits say; None is the command as it is.

    Each repeat begins with another placement. Every run leaves `folder`/LABEL-K with the files it was started
    from, its output (as kept_output() keeps it) and run.json. A run that fails is kept with its exit code, an
    interrupted one leaves nothing.
    """
    runs: dict[str, list[Run]] = {label: [] for label in placements}
    labels = list(placements)
    try:
        for repeat in range(limits.n_repeats):
            turn = repeat % len(labels)
            for label in labels[turn:] + labels[:turn]:
                say(f"run {sum(map(len, runs.values())) + 1} of {limits.n_repeats * len(labels)}: {label}")
                place = folder / f"{label}-{repeat + 1}"
                run = _run_once(application, label, placements[label], place, limits.run_s, standard_input)
                runs[label].append(run)
    except KeyboardInterrupt:
        return Repeats(runs, interrupted=True)
    return Repeats(runs, interrupted=False)


def _run_once(
    application: Application,
    label: str,
    placement: PlacementFile | None,
    place: Path,
    limit_s: float,
    standard_input: StandardInput,
) -> Run:
    with fresh_folder(place):
        profile_folder = place / "profile"
        if placement is None:
            plan = application.plan_as_is(str(place), str(profile_folder))
        else:
            plan = application.plan_placed(placement, str(place), str(profile_folder))
        with standard_input.for_run() as (stdin, fills_it), kept_output(place / "output.txt") as printed:
            streams = replace(printed, stdin=stdin, relays=(*fills_it, *printed.relays))
            ended = start(plan, streams, limit_s)
        run = run_of(label, plan, ended, reported(profile_folder), placement)
        write_whole(place / "run.json", json_text(run.to_json(), indent=1) + "\n")
        shutil.rmtree(profile_folder, ignore_errors=True)
        return run
