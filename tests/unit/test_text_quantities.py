"""Quantities as text: units, three digits, ranges of indices."""

import pytest
from corewise.text.quantities import bytes_text, index_text, percent_text, seconds_text, value_text
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    "text, expected",
    [
        (bytes_text(0), "0 B"),
        (bytes_text(1023), "1023 B"),
        (bytes_text(1536), "1.50 KiB"),
        (bytes_text(10 * 2**30), "10.0 GiB"),
        (bytes_text(2**62), "4,096 PiB"),
        (seconds_text(0), "0 s"),
        (seconds_text(2.13e-3), "2.13 ms"),
        (seconds_text(75.0), "75.0 s"),
        (seconds_text(3e-12), "0.003 ns"),
        (percent_text(0.1234), "12.3 %"),
        (percent_text(-0.05), "\N{MINUS SIGN}5.0 %"),
        (percent_text(-0.0001), "0 %"),
        (value_text(2048, "bytes"), "2.00 KiB"),
        (value_text(2048, "bytes * distance"), "2.00 KiB × distance"),
        (value_text(0.002, "s"), "2.00 ms"),
        (value_text(3, "hops"), "3 hops"),
        (index_text([]), ""),
        (index_text([5, 0, 1, 2, 1]), "0-2,5"),
    ],
)
def test_text(text, expected):
    assert text == expected


@given(st.sets(st.integers(0, 300)))
def test_a_list_of_ranges_names_exactly_the_indices(indices):
    named = set()
    for part in filter(None, index_text(indices).split(",")):
        first, _, last = part.partition("-")
        named |= set(range(int(first), int(last or first) + 1))
    assert named == indices
