"""Repeats: when they end, their order, and that compared runs differ in placement alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from corewise.launchers import LAUNCHERS, Injection, Job, inject_unplaced, parse_command
from corewise.nouns.placement import Placement
from corewise.observe import repeats
from corewise.observe.repeats import DEFAULT_TIME_S, LEAST_ROUNDS, Limits, Progress, Series, run_repeats

BOTH = (Series("default"), Series("best"))


@pytest.fixture
def clock(monkeypatch):
    """A clock that only runs advance, each by `clock["run_s"]` seconds."""
    state = {"now": 0.0, "run_s": 1.0}
    monkeypatch.setattr(repeats.time, "monotonic", lambda: state["now"])
    return state


def run(clock, limits: Limits, settled_after: int = 10**6, series=BOTH):
    """How often each series ran, and the progress reported before each run."""
    said: list[Progress] = []

    def start_run(one: Series, place: Path) -> str:
        clock["now"] += clock["run_s"]
        return place.name

    done = run_repeats(
        start_run,
        series,
        Path("runs"),
        limits,
        lambda r: len(r.get("best", [])) >= settled_after,
        said.append,
    )
    return {label: len(of) for label, of in done.runs.items()}, said


def test_a_number_of_repeats_is_kept_whatever_the_spread(clock):
    runs, _ = run(clock, Limits(1.0, n_rounds=2), settled_after=1)
    assert runs == {"default": 2, "best": 2}


def test_repeats_go_on_until_the_spread_is_settled(clock):
    clock["run_s"] = 0.1
    runs, _ = run(clock, Limits(1.0), settled_after=7)
    assert runs["best"] == 7


def test_no_round_is_begun_that_does_not_fit_and_the_first_always_runs(clock):
    assert run(clock, Limits(1.0, time_s=9.0))[0]["best"] == 4  # rounds take 2 s
    assert run(clock, Limits(1.0, time_s=0.5))[0]["best"] == 1
    assert run(clock, Limits(1.0, n_rounds=3, time_s=9.0))[0]["best"] == 3


def test_without_limits_there_are_the_least_rounds_and_more_within_the_default_time(clock):
    assert run(clock, Limits(1.0))[0]["best"] == DEFAULT_TIME_S / 2
    clock["run_s"] = 100.0
    assert run(clock, Limits(1.0), settled_after=1)[0]["best"] == LEAST_ROUNDS


def test_each_round_runs_every_series_in_random_order_and_says_the_time(clock):
    _, said = run(clock, Limits(1.0, n_rounds=40))
    rounds = [tuple(progress.label for progress in said[i : i + 2]) for i in range(0, 80, 2)]
    # By chance, one of 2^39 sets of 40 rounds has only one of the two orders.
    assert set(rounds) == {("default", "best"), ("best", "default")}
    assert [progress.elapsed_s for progress in said[:4]] == [0, 1, 2, 3]
    assert [progress.left_s for progress in said[:4]] == [None, None, 78, 77]


def test_rounds_end_when_no_series_is_left_to_run(clock):
    series = (Series("default", most_rounds=1),)
    assert run(clock, Limits(1.0), settled_after=0, series=series)[0] == {"default": 1}
    assert run(clock, Limits(1.0, n_rounds=5), settled_after=0, series=series)[0] == {"default": 1}


def test_a_series_of_few_rounds_leaves_the_time_to_the_others(clock):
    # The first round takes 1 + 1 s, later rounds 1 s: 10 rounds fit into 11 s.
    series = (Series("as-written", most_rounds=1), Series("best"))
    assert run(clock, Limits(1.0, time_s=11.0), series=series)[0] == {"as-written": 1, "best": 10}


def test_an_interruption_keeps_the_runs_that_have_ended():
    def start_run(one: Series, place: Path) -> str:
        started.append(one.label)
        if len(started) == 4:
            raise KeyboardInterrupt
        return place.name

    started: list[str] = []
    done = run_repeats(
        start_run, BOTH, Path("runs"), Limits(1.0, n_rounds=2), lambda _: False, lambda _: None
    )
    assert done.interrupted
    assert sorted(run for runs in done.runs.values() for run in runs) == sorted(
        f"{label}-{started[: i + 1].count(label)}" for i, label in enumerate(started[:3])
    )


SHARED = Placement("m", "f", ["f"], [0, 0], [[0], [0]], [[0], [0]], oversubscribed=True)
PLACES = {"-f", "-rf", "--map-by", "--bind-to", "-n", "-N", "--cpu-bind=none", "--overcommit"}


@pytest.mark.parametrize("launcher", LAUNCHERS.values(), ids=list(LAUNCHERS))
def test_a_plan_and_the_command_with_its_settings_differ_in_placement_alone(launcher):
    # A plan adds only settings and options that place ranks.
    command = parse_command([*launcher.start, "./app"], launcher.options)
    for family in launcher.families:
        job = Job(command, ["localhost"], "/job", Injection("/bind", env={"A": "1"}), family=family)
        plan = launcher.plan(SHARED, job)
        settings = launcher.settings(SHARED, job)
        default = inject_unplaced(command, job, settings)
        assert all(word in plan.argv for word in settings)
        options = plan.argv[: plan.argv.index("/bind")]
        left = [word for word in options if word not in default.argv]
        names = {word for word in left if word.startswith("-")}
        assert names <= PLACES
