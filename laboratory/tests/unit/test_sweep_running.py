"""Running sweeps of shell scripts: order, failures, time limits, continuing, and that nothing is left."""

import os
from contextlib import suppress

import pytest
from corewise.errors import InputError, MissingError
from corewise_laboratory.sweep.grid import configurations, planned_runs
from corewise_laboratory.sweep.running import run_sweep
from corewise_laboratory.sweep.spec import Measure, Protocol, SweepSpec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sweep_cases import small


def run(spec, folder, say=lambda _: None):
    return run_sweep(spec, configurations(spec), folder, say)


def test_every_run_happens_in_the_planned_order(tmp_path):
    log = tmp_path / "log"
    spec = small(f"echo $1 >>{log}", repeats=2, warmups=1, n=["a", "b", "c"])
    records = run(spec, tmp_path / "d")
    planned = [run.configuration for run in planned_runs(3, spec.protocol)]
    assert log.read_text().split() == ["abc"[index] for index in planned]
    assert [record.configuration for record in records] == planned
    assert all(record.value == record.wall_s > 0 for record in records)


def test_a_failure_a_silent_run_and_a_slow_one_are_recorded_and_the_rest_goes_on(tmp_path):
    script = 'case $1 in bad) echo "no luck" >&2; exit 7;; mute) ;; slow) sleep 30;; *) echo "t=2";; esac'
    spec = SweepSpec(
        name="s",
        command=["sh", "-c", script, "sh", "{n}"],
        axes={"n": {label: [label] for label in ("bad", "mute", "slow", "good")}},
        measure=Measure(regex="t=([0-9]+)"),
        protocol=Protocol(repeats=1, warmups=0, timeout_s=0.5),
    )
    records = {record.configuration: record for record in run(spec, tmp_path / "d")}
    assert records[0].problem == "exit code 7: no luck"
    assert records[1].problem.startswith("found 0 values of regex")
    assert records[2].problem.startswith("ended after its 0.5") and records[2].exit_code == 124
    assert (records[3].value, records[3].problem) == (2.0, None)


class Stop(Exception):
    """Stands for an interruption of a sweep between two runs."""


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=8)
@given(stops=st.lists(st.integers(0, 5), max_size=3))
def test_interrupted_anywhere_it_goes_on_and_runs_everything_once(stops, tmp_path_factory):
    folder = tmp_path_factory.mktemp("sweep")
    spec = small(f"echo $1 >>{folder}/log", repeats=3, n=["a", "b"])
    for stop in stops:

        def say(progress, stop=stop):
            if progress.done == stop:
                raise Stop

        with suppress(Stop):
            run(spec, folder / "d", say)
    records = run(spec, folder / "d")
    assert sorted((record.configuration, record.repeat) for record in records) == [
        (index, repeat) for index in (0, 1) for repeat in (0, 1, 2)
    ]
    assert sorted((folder / "log").read_text().split()) == ["a"] * 3 + ["b"] * 3
    assert [record.configuration for record in records] == [
        run.configuration for run in planned_runs(2, spec.protocol)
    ]


def test_a_finished_sweep_runs_nothing_and_another_one_is_refused(tmp_path):
    log = tmp_path / "log"
    run(small(f"echo $1 >>{log}", n=["a"]), tmp_path / "d")
    run(small(f"echo $1 >>{log}", n=["a"]), tmp_path / "d")
    assert log.read_text().split() == ["a", "a"]
    with pytest.raises(InputError, match="another specification"):
        run(small(f"echo $1 >>{log}", n=["b"]), tmp_path / "d")


def test_a_program_that_is_not_there_is_said_before_anything_runs(tmp_path):
    spec = SweepSpec("s", ["{program}"], {"program": {"sh": ["true"], "none": ["no-such-program"]}})
    with pytest.raises(MissingError, match=r"'no-such-program' was not found \(program=none\)"):
        run(spec, tmp_path / "d")
    assert not (tmp_path / "d").exists()


def test_the_environment_is_laid_over_ours(tmp_path, monkeypatch):
    monkeypatch.setenv("OURS", "5")
    spec = SweepSpec(
        "s",
        ["sh", "-c", "echo t=$OURS$THEIRS"],
        {"n": {"3": ["3"]}},
        {"THEIRS": "{n}"},
        measure=Measure(regex="t=([0-9]+)"),
        protocol=Protocol(repeats=1, warmups=0),
    )
    assert run(spec, tmp_path / "d")[0].value == 53


def test_no_run_takes_the_standard_input_away_from_another(tmp_path):
    ours, theirs = os.pipe()
    os.write(theirs, b"for the first\n")
    os.close(theirs)
    before = os.dup(0)
    os.dup2(ours, 0)
    try:
        records = run(small("echo t=$(wc -c)", repeats=2, n=["a"]), tmp_path / "d")
    finally:
        os.dup2(before, 0)
        os.close(before)
        assert os.read(ours, 100) == b"for the first\n"
        os.close(ours)
    assert [record.exit_code for record in records] == [0, 0]
