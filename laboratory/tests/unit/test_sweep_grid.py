"""Configurations and the order of their runs, small enough to write down."""

from collections import Counter

import pytest
from corewise.errors import InputError
from corewise_laboratory.sweep.grid import configurations, planned_runs
from corewise_laboratory.sweep.spec import Protocol, SweepSpec
from hypothesis import given
from hypothesis import strategies as st


def spec(command: list[str], environment: dict[str, str] | None = None, **axes) -> SweepSpec:
    return SweepSpec("s", command, axes, environment or {})


def test_the_grid_is_every_combination_the_last_axis_fastest():
    grid = configurations(
        spec(["run", "{a}", "-x{b}"], a={"1": ["1"], "2": ["2"]}, b={"p": ["p"], "q": ["q"]})
    )
    assert [entry.argv for entry in grid] == [
        ["run", "1", "-xp"],
        ["run", "1", "-xq"],
        ["run", "2", "-xp"],
        ["run", "2", "-xq"],
    ]
    assert grid[2].label == "a=2 b=p"


def test_a_token_of_its_own_becomes_all_words_of_a_value_or_none():
    words = {"socket": ["--bind-to", "socket"], "nothing": []}
    grid = configurations(spec(["mpirun", "{binding}", "app"], binding=words))
    assert [entry.argv for entry in grid] == [["mpirun", "--bind-to", "socket", "app"], ["mpirun", "app"]]


def test_values_go_into_the_environment_and_double_braces_are_braces():
    grid = configurations(spec(["awk", "{{print {n}}}"], {"OMP_NUM_THREADS": "{n}"}, n={"2": ["2"]}))
    assert grid[0].argv == ["awk", "{print 2}"]
    assert grid[0].environment == {"OMP_NUM_THREADS": "2"}


def test_excluded_combinations_are_left_out():
    axes = {"a": {"1": ["1"], "2": ["2"]}, "b": {"1": ["1"], "2": ["2"]}}
    some = SweepSpec("s", ["{a}", "{b}"], axes, exclude=[{"a": "1", "b": "2"}])
    assert [entry.label for entry in configurations(some)] == ["a=1 b=1", "a=2 b=1", "a=2 b=2"]
    with pytest.raises(InputError, match="every configuration is excluded"):
        configurations(SweepSpec("s", ["{a}", "{b}"], axes, exclude=[{"a": "1"}, {"a": "2"}]))


@pytest.mark.parametrize(
    ("token", "message"),
    [
        ("{polcy}", "did you mean 'policy'"),
        ("{policy!r}", "no axis"),
        ("{policy:3}", "no axis"),
        ("{}", "no axis"),
        ("{policy", "expected {axis}"),
        ("}", "expected {axis}"),
    ],
)
def test_a_brace_that_means_nothing_is_refused(token, message):
    with pytest.raises(InputError, match=message):
        configurations(spec(["app", "{policy}", token], policy={"pin": ["pin"]}))


def test_an_axis_that_nothing_uses_and_words_inside_a_token_are_refused():
    with pytest.raises(InputError, match="axis 'n' is used nowhere"):
        configurations(spec(["app"], n={"1": ["1"]}))
    with pytest.raises(InputError, match="the value 'two' of axis 'n' is 2 words"):
        configurations(spec(["app", "-n{n}"], n={"two": ["a", "b"]}))
    with pytest.raises(InputError, match="the command is empty"):
        configurations(spec(["{n}"], n={"none": []}))


@pytest.mark.parametrize(
    ("command", "environment"),
    [(["a\0"], {}), (["a"], {"A": "\0"}), (["a"], {"": "1"}), (["a"], {"A=B": "1"})],
)
def test_what_no_system_can_start_is_refused(command, environment):
    with pytest.raises(InputError, match="expected (a name|text) without"):
        configurations(spec(command, environment))


def test_a_sweep_without_axes_is_one_configuration():
    assert [entry.argv for entry in configurations(spec(["app"]))] == [["app"]]


protocols = st.builds(
    Protocol,
    repeats=st.integers(1, 5),
    warmups=st.integers(0, 3),
    order=st.sampled_from(["interleaved", "consecutive"]),
    seed=st.integers(0, 99),
)


@given(n=st.integers(1, 8), protocol=protocols)
def test_every_configuration_runs_as_often_and_the_seed_decides_the_order(n, protocol):
    runs = planned_runs(n, protocol)
    assert runs == planned_runs(n, protocol)
    assert Counter(run.configuration for run in runs) == {
        index: protocol.repeats + protocol.warmups for index in range(n)
    }
    assert sum(run.warmup for run in runs) == n * protocol.warmups
    for index in range(n):
        mine = [run.repeat for run in runs if run.configuration == index]
        assert mine == list(range(protocol.repeats + protocol.warmups))


def test_interleaved_rounds_hold_each_configuration_once_and_differ():
    runs = planned_runs(5, Protocol(repeats=4, warmups=0))
    rounds = [[run.configuration for run in runs[at : at + 5]] for at in range(0, 20, 5)]
    assert all(sorted(order) == [0, 1, 2, 3, 4] for order in rounds)
    assert len({tuple(order) for order in rounds}) > 1


def test_consecutive_runs_stay_together_and_configurations_are_shuffled():
    runs = planned_runs(6, Protocol(repeats=2, warmups=1, order="consecutive"))
    blocks = [[run.configuration for run in runs[at : at + 3]] for at in range(0, 18, 3)]
    assert all(len(set(block)) == 1 for block in blocks)
    assert [block[0] for block in blocks] != sorted(block[0] for block in blocks)
