"""Sweeps: specifications, grids, measured values and estimates, small enough to work out by hand."""

import json
import math
import os
from collections import Counter

import pytest
from corewise.errors import InputError
from corewise.nouns.load import Load
from corewise.statistics import mean_interval
from corewise_laboratory.sweep.journal import RunRecord
from corewise_laboratory.sweep.results import entries, text, write_results
from corewise_laboratory.sweep.running import measured_value
from corewise_laboratory.sweep.spec import (
    FORMAT,
    Measure,
    Protocol,
    SweepSpec,
    configurations,
    planned_runs,
    read_spec,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sweep_cases import SPEC, spec_of


def test_a_list_gives_labels_and_a_table_gives_words(tmp_path):
    spec = spec_of(tmp_path, 'binding = {board = ["--bind-to", "none"], none = [], socket = "s"}')
    assert spec.axes["n"] == {"1": ["1"], "2": ["2"], "4": ["4"]}
    assert spec.axes["binding"] == {"board": ["--bind-to", "none"], "none": [], "socket": ["s"]}
    assert (spec.name, spec.measure, spec.protocol, spec.group_by) == ("spec", Measure(), Protocol(), None)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("[run]", "run is unknown .known: format, .*did you mean 'runs'"),
        ('[measure]\nregex = "a"', "expected one group"),
        ('[measure]\nregex = "(a"', "expected a regular expression"),
        ('[measure]\nbetter = "faster"', "measure.better is 'faster'; expected"),
        ("[runs]\nrepeats = 0", "runs.repeats is 0; expected"),
        ("[runs]\nrepeats = 2.5", "runs.repeats is 2.5; expected"),
        ("[runs]\ntimeout_s = -1", "runs.timeout_s is -1; expected"),
        ("[runs]\ntimeout_s = nan", "runs.timeout_s is NaN; expected"),
        ("[runs]\nrepeat = 3", "runs.repeat is unknown"),
        ("twice = [1, 1]", "different values"),
        ("flag = [true]", "expected a text or a number"),
        ("empty = []", "expected a list of values"),
        ('"a b" = [1]', "letters, digits and _ only"),
        ("environment = 3\n[axes.environment]\nx = 1", "can't be read as TOML"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(more, message, tmp_path):
    with pytest.raises(InputError, match=message) as caught:
        spec_of(tmp_path, more)
    assert str(tmp_path) in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "format is missing"),
        (b'format = "corewise-machine"', "expected 'corewise-sweep'"),
        (f'format = "{FORMAT}"\nversion = 9'.encode(), "the only version that this corewise reads"),
        (f'format = "{FORMAT}"\nversion = 1'.encode(), "command is missing"),
        (f'format = "{FORMAT}"\nversion = 1\ncommand = []'.encode(), "the program and its arguments"),
        (f'format = "{FORMAT}"\nversion = 1\ncommand = ["a", 3]'.encode(), "a list of texts"),
        (f'format = "{FORMAT}"\nversion = 1\ncommand = ["a"]\ngroup_by = "x"'.encode(), "expected an axis"),
        (b"a = " + b"[" * 100_000, "nested too deep"),
        (b"\xff\xfe\x00\x9f" * 100, "spec.toml"),
        (None, "is a device, FIFO or socket; expected"),
    ],
)
def test_a_file_that_is_no_specification_is_refused(content, message, tmp_path):
    path = tmp_path / "spec.toml"
    os.mkfifo(path) if content is None else path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        read_spec(path)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(at=st.integers(0, len(SPEC)), more=st.text(max_size=20))
def test_any_change_of_the_text_is_read_or_refused(at, more, tmp_path):
    path = tmp_path / "spec.toml"
    path.write_bytes((SPEC[:at] + more + SPEC[at:]).encode("utf-8", "surrogatepass"))
    try:
        assert read_spec(path).command
    except InputError as error:
        assert str(error).startswith(str(path))


def spec(command: list[str], environment: dict[str, str] | None = None, **axes) -> SweepSpec:
    return SweepSpec("s", command, axes, environment or {})


A, B = {"1": ["1"], "2": ["2"]}, {"p": ["p"], "q": ["q"]}
WORDS = {"socket": ["--bind-to", "socket"], "nothing": []}


@pytest.mark.parametrize(
    ("of", "argvs"),
    [
        (spec(["app"]), [["app"]]),
        (
            spec(["run", "{a}", "-x{b}"], a=A, b=B),
            [["run", "1", "-xp"], ["run", "1", "-xq"], ["run", "2", "-xp"], ["run", "2", "-xq"]],
        ),
        (
            spec(["mpirun", "{a}", "app"], a=WORDS),
            [["mpirun", "--bind-to", "socket", "app"], ["mpirun", "app"]],
        ),
        (
            spec(["awk", "{print $1} {other} {b}"], b=B),
            [["awk", f"{{print $1}} {{other}} {b}"] for b in "pq"],
        ),
    ],
)
def test_the_grid_is_every_combination_the_last_axis_fastest(of, argvs):
    assert [entry.argv for entry in configurations(of)] == argvs


def test_values_go_into_the_environment():
    grid = configurations(spec(["app"], {"OMP_NUM_THREADS": "{a}"}, a=A))
    assert [entry.environment for entry in grid] == [{"OMP_NUM_THREADS": "1"}, {"OMP_NUM_THREADS": "2"}]
    assert grid[1].label == "a=2"


MANY = {str(value): [str(value)] for value in range(2000)}


@pytest.mark.parametrize(
    ("of", "message"),
    [
        (spec(["app"], n=A), "axis 'n' is used nowhere"),
        (spec(["app", "-n{n}"], n={"two": ["a", "b"]}), "the value 'two' of axis 'n' is 2 words"),
        (spec(["{n}"], n={"none": []}), "the command is empty"),
        (spec(["a\0"]), "text without it"),
        (spec(["a"], {"A": "\0"}), "text without it"),
        (spec(["a"], {"": "1"}), "expected a name"),
        (spec(["a"], {"A=B": "1"}), "expected a name"),
        (
            spec(["{a}", "{b}"], a=MANY, b=MANY),
            "4000000 combinations and 24000000 runs; expected at most 100000",
        ),
        (
            SweepSpec("s", ["a"], {}, protocol=Protocol(repeats=10**9)),
            "1 combinations and 1000000001 runs; expected at most 100000 and 1000000",
        ),
    ],
)
def test_what_can_not_be_started_is_refused(of, message):
    with pytest.raises(InputError, match=message):
        configurations(of)


@given(
    n=st.integers(2, 8),
    protocol=st.builds(
        Protocol,
        repeats=st.integers(1, 5),
        warmups=st.integers(0, 3),
        seed=st.integers(0, 99),
    ),
)
def test_every_configuration_runs_as_often_and_the_seed_decides_the_order(n, protocol):
    runs = planned_runs(n, protocol)
    rounds = protocol.repeats + protocol.warmups
    assert runs == planned_runs(n, protocol)
    assert Counter(run.configuration for run in runs) == dict.fromkeys(range(n), rounds)
    assert sum(run.warmup for run in runs) == n * protocol.warmups
    for index in range(n):
        assert [run.repeat for run in runs if run.configuration == index] == list(range(rounds))
    assert [run.repeat for run in runs] == sorted(run.repeat for run in runs)


def test_configurations_are_shuffled():
    orders = {tuple(run.configuration for run in planned_runs(6, Protocol(seed=seed))) for seed in range(3)}
    assert len(orders) == 3


@pytest.mark.parametrize(
    ("measure", "output", "found"),
    [
        (Measure(), "seconds\n3\n", 1.5),  # the wall time
        (Measure(regex=r"^time: (\S+) s$"), "starting\n", 0.002),  # in the messages
        (Measure(regex="t=(.)"), "no", "found 0 values of regex"),
        (Measure(regex="t=(.*)"), "t=pin", "found 'pin' at regex"),
        (Measure(regex="t=(.*)"), "t=nan", "found 'nan'"),
        (Measure(regex="(x)?y"), "y", "found None"),
        (Measure(regex="t=([0-9]+)"), "t=1 t=2", "found 2 values"),
    ],
)
def test_a_value_is_found_exactly_once_or_refused(measure, output, found):
    try:
        assert measured_value(measure, 1.5, output, "time: 2e-3 s\n") == found
    except InputError as error:
        assert str(error).startswith(found)


@given(st.text(max_size=80))
def test_any_output_is_a_finite_number_or_refused(output):
    try:
        assert math.isfinite(measured_value(Measure(regex="a(.)"), 1.0, output, ""))
    except InputError as error:
        assert "expected" in str(error)


def grouped(group_by: str | None = None, better: str = "lower") -> SweepSpec:
    axes = {"policy": {"default": ["d"], "pin": ["p"]}, "binding": {"board": ["b"], "socket": ["s"]}}
    return SweepSpec(
        name="small",
        command=["true", "{policy}", "{binding}"],
        axes=axes,
        group_by=group_by,
        measure=Measure(better=better),
    )


def record(configuration: int, repeat: int, value: float | None, warmup: bool = False) -> RunRecord:
    problem = "exit code 1: it said nothing" if value is None else None
    return RunRecord(configuration, repeat, warmup, value, 0.1, 0, problem, "2026-01-01T00:00:00", "here")


# Configurations in the order of the grid: default board, default socket, pin board, pin socket.
RECORDS = [
    record(0, 0, 99.0, warmup=True),
    *(record(0, repeat, value) for repeat, value in enumerate([2.0, 4.0, 12.0], start=1)),
    record(1, 1, 2.0),
    record(2, 1, 8.0),
    record(2, 2, None),
    record(3, 1, None),
]


@pytest.mark.parametrize(
    ("of", "relative"),
    [
        (grouped(), [2.0, 1.0, 4.0, None]),
        (grouped(group_by="binding"), [1.0, 1.0, 2.0, None]),
        (grouped(better="higher"), [0.5, 0.25, 1.0, None]),
    ],
)
def test_estimates_are_compared_with_the_best_of_their_group(of, relative):
    found = entries(of, configurations(of), RECORDS)
    assert [one["samples"] for one in found] == [[2.0, 4.0, 12.0], [2.0], [8.0], []]
    assert [len(one["problems"]) for one in found] == [0, 0, 1, 1]
    assert [one["estimate"] for one in found] == [4.0, 2.0, 8.0, None]
    assert [one["relative"] for one in found] == relative


def test_the_table_and_the_document(tmp_path):
    of, load = grouped(group_by="binding"), Load(5.7, None, 2)
    document = write_results(of, configurations(of), RECORDS, tmp_path, load)
    lines = text(of, document, load)
    assert lines[1].split() == ["policy", "binding", "runs", "median", "interval", "/", "best"]
    assert lines[2].split() == ["default", "board", "3", "4.00", "s", "2.00", "s", "to", "12.0", "s", "1.000"]
    assert "2 runs of 8 failed." in lines
    assert [line for line in lines if line.startswith("The machine is busy: load 5.7 on 2 hardware threads")]
    assert json.loads((tmp_path / "results.json").read_text()) == document
    assert (document["n_runs"], document["n_failed"], document["source"]) == (8, 2, "measured")


@given(st.lists(st.floats(0.001, 1e6), min_size=1, max_size=12))
def test_the_interval_of_a_mean_lies_in_the_range_and_holds_it(values):
    interval = mean_interval(values)
    assert min(values) <= interval.low * (1 + 1e-12)
    assert interval.high <= max(values) * (1 + 1e-12)
    assert interval.low <= interval.expected * (1 + 1e-9) and interval.expected <= interval.high * (1 + 1e-9)


def test_the_interval_of_a_mean_of_two_values():
    # resamples of {1, 3}: 1, 2, 2 and 3, a quarter each, so the ends are far more frequent than 1 in 40
    interval = mean_interval([1.0, 3.0])
    assert (interval.low, interval.expected, interval.high, interval.confidence) == (1.0, 2.0, 3.0, 0.5)
