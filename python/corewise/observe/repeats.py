"""Repeats runs of placements in rounds of random order, so that drifts of the machine favour none."""

from __future__ import annotations

import random
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from corewise.files.whole_file import write_whole
from corewise.nouns.launch_plan import LaunchPlan
from corewise.nouns.placement import Placement
from corewise.nouns.run import Run
from corewise.observe.runs import reported, run_of
from corewise.start.application import Application
from corewise.start.folder import fresh_folder
from corewise.start.kept_output import kept_output
from corewise.start.launching import start
from corewise.start.standard_input import StandardInput
from corewise.statistics import LEAST_REPEATS
from corewise.text.escaping import json_text

# A run is stopped if it takes this many times as long as the first run, because an MPI start may hang.
SLOWDOWN_LIMIT = 20
LEAST_LIMIT_S = 60.0
# Without --repeats and --repeat-time.
DEFAULT_TIME_S = 30.0
LEAST_ROUNDS = LEAST_REPEATS  # fewer can't reach the confidence for a verdict

Runs = dict[str, list[Run]]


@dataclass(frozen=True)
class Series:
    """Runs to repeat: of a placement, or of the command as written if `wanted` is None.

    `settings` are further launcher options for runs without a placement. The series runs in the first
    `most_rounds` rounds, None for all.
    """

    label: str
    wanted: Placement | None = None
    settings: Sequence[str] = ()
    most_rounds: int | None = None


@dataclass(frozen=True)
class Limits:
    """When the repeats end; `first_wall_s`, an earlier run's duration, determines the limit of each run.

    `n_rounds` is how often each series runs, None to decide by the spread. `time_s` limits all runs together:
    after the first round, a round starts only if it fits. If both are None, at least LEAST_ROUNDS run, and
    more within DEFAULT_TIME_S.
    """

    first_wall_s: float
    n_rounds: int | None = None
    time_s: float | None = None

    @property
    def run_s(self) -> float:
        return max(LEAST_LIMIT_S, SLOWDOWN_LIMIT * self.first_wall_s)

    def rounds_left(self, n_done: int, elapsed_s: float, round_s: float, is_settled: bool) -> int:
        """How many rounds can still follow, if each takes `round_s` like the last one.

        `is_settled`: the spread requires no more rounds.
        """
        if n_done == 0:
            return 1
        if self.n_rounds is None and is_settled and n_done >= LEAST_ROUNDS:
            return 0
        time_s = DEFAULT_TIME_S if self.time_s is None else self.time_s
        fitting = max(0, int((time_s - elapsed_s) / round_s))
        if self.time_s is None:
            least = LEAST_ROUNDS if self.n_rounds is None else self.n_rounds
            fitting = max(fitting, least - n_done)
        return fitting if self.n_rounds is None else min(fitting, self.n_rounds - n_done)


@dataclass(frozen=True)
class Progress:
    """The progress before a run; `left_s` is the time that the repeats can still take, None if unknown."""

    label: str
    n_done: int
    elapsed_s: float
    left_s: float | None


@dataclass(frozen=True)
class Repeats:
    """The runs that ended, by label; `interrupted`: by Ctrl-C or SIGTERM, before all had run."""

    runs: Runs
    interrupted: bool


def run_repeats(
    start_run: Callable[[Series, Path], Run],
    series: Sequence[Series],
    folder: Path,
    limits: Limits,
    is_settled: Callable[[Runs], bool],
    say: Callable[[Progress], None],
) -> Repeats:
    """Runs all series round by round until the limits or Ctrl-C; returns the runs by label, in order.

    The order of each round is random without a fixed seed, as the intervals of measured_gain() require.
    `start_run` makes a run in the folder `folder`/LABEL-K. `is_settled` judges the runs after each round.
    Failed runs are kept with their exit code.
    """
    runs: Runs = {one.label: [] for one in series}
    begin_s = time.monotonic()
    n_done, elapsed_s, round_s = 0, 0.0, 0.0
    try:
        while n_left := limits.rounds_left(n_done, elapsed_s, round_s, n_done > 0 and is_settled(runs)):
            if not (in_order := _round(series, n_done)):
                break
            end_s = elapsed_s + n_left * round_s if n_done else None
            for one in in_order:
                now_s = time.monotonic() - begin_s
                left_s = None if end_s is None else max(0.0, end_s - now_s)
                say(Progress(one.label, sum(map(len, runs.values())), now_s, left_s))
                runs[one.label].append(start_run(one, folder / f"{one.label}-{n_done + 1}"))
            n_done += 1
            before_s, elapsed_s = elapsed_s, time.monotonic() - begin_s
            round_s = elapsed_s - before_s
    except KeyboardInterrupt:
        return Repeats(runs, interrupted=True)
    return Repeats(runs, interrupted=False)


def _round(series: Sequence[Series], n_done: int) -> list[Series]:
    """The series of the next round, in random order."""
    running = [one for one in series if one.most_rounds is None or n_done < one.most_rounds]
    return random.sample(running, len(running))


@dataclass(frozen=True)
class Starter:
    """Makes one run of a series; all runs have the same standard input and time limit."""

    application: Application
    standard_input: StandardInput
    limit_s: float

    def __call__(self, series: Series, place: Path) -> Run:
        """Leaves the plan's files, run.json and the output (see kept_output()) in the folder `place`.

        An interrupted run leaves no folder.
        """
        with fresh_folder(place):
            profile_folder = place / "profile"
            plan = self._plan(series, str(place), str(profile_folder))
            with (
                self.standard_input.for_run() as (stdin, fills_it),
                kept_output(place / "output.txt") as printed,
            ):
                streams = replace(printed, stdin=stdin, relays=(*fills_it, *printed.relays))
                ended = start(plan, streams, self.limit_s)
            wanted = self.application.wanted(series.wanted, self.application.machine)
            run = run_of(series.label, plan, ended, reported(profile_folder), wanted)
            write_whole(place / "run.json", json_text(run.to_json(), indent=1) + "\n")
            shutil.rmtree(profile_folder, ignore_errors=True)
            return run

    def _plan(self, series: Series, directory: str, profile: str) -> LaunchPlan:
        if series.wanted is None:
            return self.application.plan_as_is(directory, profile, series.settings)
        return self.application.plan_placed(series.wanted, directory, profile)
