"""The value of a run in its output: found exactly once, else refused in a sentence."""

import math

import pytest
from corewise.errors import InputError
from corewise_laboratory.sweep.measuring import measured_value
from corewise_laboratory.sweep.spec import Measure
from hypothesis import given
from hypothesis import strategies as st

OUTPUT = "starting\nworkload,policy,seconds\npi,pin,0.25\ndone\n"


def test_without_a_column_it_is_the_wall_time():
    assert measured_value(Measure(), 1.5, "seconds\n3\n", "") == 1.5


def test_a_column_is_found_below_the_line_that_names_it():
    assert measured_value(Measure(column="seconds"), 1.5, OUTPUT, "seconds\n7\n") == 0.25


def test_a_regex_is_looked_for_in_output_and_messages():
    assert measured_value(Measure(regex=r"^time: (\S+) s$"), 1.5, OUTPUT, "time: 2e-3 s\n") == 0.002


@pytest.mark.parametrize(
    ("measure", "output", "message"),
    [
        (Measure(column="second"), OUTPUT, "found 0 values of column 'second'; expected one"),
        (Measure(column="seconds"), "seconds\n1\n2\n", "found 2 values"),
        (Measure(column="seconds"), "seconds\n", "found 0 values"),
        (Measure(column="policy"), OUTPUT, "found 'pin' at column 'policy'; expected a number"),
        (Measure(column="seconds"), "seconds\nnan\n", "found 'nan'"),
        (Measure(regex="(x)?y"), "y", "found None"),
        (Measure(regex="t=([0-9]+)"), "t=1 t=2", "found 2 values"),
    ],
)
def test_none_several_and_what_is_no_number_are_refused(measure, output, message):
    with pytest.raises(InputError, match=message):
        measured_value(measure, 1.0, output, "")


@given(st.text(max_size=80), st.sampled_from([Measure(column="a"), Measure(regex="a(.)")]))
def test_any_output_is_a_finite_number_or_refused(output, measure):
    try:
        assert math.isfinite(measured_value(measure, 1.0, output, ""))
    except InputError as error:
        assert "expected" in str(error)
