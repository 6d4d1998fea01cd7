"""Specifications of sweeps: what they mean, and one sentence for each possible error."""

import pytest
from corewise.errors import InputError
from corewise_laboratory.sweep.figure_spec import Bars, Scatter
from corewise_laboratory.sweep.spec import FORMAT, Measure, Protocol, read_spec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sweep_cases import SPEC, spec_of, written


def test_a_list_gives_labels_and_a_table_gives_words(tmp_path):
    spec = spec_of(tmp_path, 'binding = {board = ["--bind-to", "none"], none = [], socket = "s"}')
    assert spec.axes["n"] == {"1": ["1"], "2": ["2"], "4": ["4"]}
    assert spec.axes["binding"] == {"board": ["--bind-to", "none"], "none": [], "socket": ["s"]}
    assert (spec.name, spec.measure, spec.protocol, spec.group_by) == ("spec", Measure(), Protocol(), None)


def test_the_paper_s_protocol_is_13_consecutive_runs_and_the_mean_of_the_last_10(tmp_path):
    protocol = spec_of(tmp_path, '[runs]\nprotocol = "lavore"\nseed = 3').protocol
    assert (protocol.warmups + protocol.repeats, protocol.repeats) == (13, 10)
    assert (protocol.order, protocol.estimate, protocol.seed) == ("consecutive", "mean", 3)


def test_figures_name_axes_and_values(tmp_path):
    bars = '[[figures]]\nkind = "bars"\nseries = "policy"\n'
    scatter = '[[figures]]\nkind = "scatter"\naxis = "n"\nx = 1\ny = "4"\nseries = "policy"\n'
    assert spec_of(tmp_path, bars + scatter).figures == [Bars("policy"), Scatter("n", "1", "4", "policy")]


WRONG = [
    ("[run]", "run is unknown .known: format, .*did you mean 'runs'"),
    ('[measure]\ncolumn = "a"\nregex = "b"', "has a column and a regex"),
    ('[measure]\nregex = "a"', r"expected one group"),
    ('[measure]\nregex = "(a"', r"expected a regular expression"),
    ('[measure]\nbetter = "faster"', "expected lower or higher"),
    ("[runs]\nrepeats = 0", "runs.repeats is 0; expected a whole number of 1 or more"),
    ("[runs]\nrepeats = 2.5", "expected a whole number"),
    ('[runs]\norder = "interleave"', "did you mean 'interleaved'"),
    ('[runs]\nestimate = "avg"', "expected median or mean"),
    ("[runs]\ntimeout_s = -1", "seconds above 0"),
    ("[runs]\ntimeout_s = nan", "a finite number"),
    ('[runs]\nprotocol = "lavor"', "did you mean 'lavore'"),
    ('[runs]\nprotocol = "lavore"\nrepeats = 3', "repeats is set by the protocol"),
    ("[[exclude]]\npolicy = 'pinn'", "did you mean 'pin'"),
    ("[[exclude]]\npolcy = 'pin'", "did you mean 'policy'"),
    ('[[figures]]\nkind = "bar"', "did you mean 'bars'"),
    ('[[figures]]\nkind = "bars"\nseries = "polcy"', "did you mean 'policy'"),
    ('[[figures]]\nkind = "scatter"\naxis = "n"\nx = 1\ny = 3\nseries = "policy"', "expected one of 1, 2, 4"),
    ('[[figures]]\nkind = "scatter"\naxis = "n"\nx = 1\ny = 2\nseries = "n"', "another axis than 'n'"),
    ("twice = [1, 1]", "not '1' twice"),
    ("flag = [true]", "expected a text or a number"),
    ("empty = []", "expected a list of values"),
    ('"a b" = [1]', "letters, digits and _ only"),
    ("environment = 3\n[axes.environment]\nx = 1", "can't be read as TOML"),
]


@pytest.mark.parametrize(("more", "message"), WRONG)
def test_what_is_wrong_is_said_in_a_sentence(more, message, tmp_path):
    with pytest.raises(InputError, match=message) as caught:
        spec_of(tmp_path, more)
    assert str(tmp_path) in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "format is missing"),
        ('format = "corewise-machine"', "expected 'corewise-sweep'"),
        (f'format = "{FORMAT}"\nversion = 9', "the only version that this corewise reads"),
        (f'format = "{FORMAT}"\nversion = 1', "command is missing"),
        (f'format = "{FORMAT}"\nversion = 1\ncommand = []', "the program and its arguments"),
        (f'format = "{FORMAT}"\nversion = 1\ncommand = ["a", 3]', "a list of texts"),
        (f'format = "{FORMAT}"\nversion = 1\ncommand = ["a"]\ngroup_by = "x"', "expected an axis"),
    ],
)
def test_a_file_that_is_no_specification_is_refused(text, message, tmp_path):
    with pytest.raises(InputError, match=message):
        read_spec(written(tmp_path, text))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(at=st.integers(0, len(SPEC)), more=st.text(max_size=20))
def test_any_change_of_the_text_is_read_or_refused(at, more, tmp_path):
    path = tmp_path / "spec.toml"
    path.write_bytes((SPEC[:at] + more + SPEC[at:]).encode("utf-8", "surrogatepass"))
    try:
        assert read_spec(path).command
    except InputError as error:
        assert str(error).startswith(str(path))
