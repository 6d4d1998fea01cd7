"""Traffic of known forms for another number of ranks, checked by hand."""

from __future__ import annotations

import numpy as np
import pytest
from corewise.errors import InputError
from corewise.model import CommMatrix, Phase, Traffic
from corewise.profile import patterns
from corewise.profile.inputs import Input
from corewise.profile.scaling import known_pattern, scaled


def entries(matrix: CommMatrix) -> dict[tuple[int, int], tuple[int, int]]:
    src, dst, sent, messages = (column.tolist() for column in matrix.columns())
    pairs, values = zip(src, dst, strict=True), zip(sent, messages, strict=True)
    return dict(zip(pairs, values, strict=True))


def matrix_of(n_ranks: int, of_pairs: dict[tuple[int, int], tuple[int, int]]) -> CommMatrix:
    src, dst = np.array(list(of_pairs), np.int32).T
    sent, messages = np.array(list(of_pairs.values()), np.uint64).T
    return CommMatrix.from_columns(n_ranks, src.copy(), dst.copy(), sent.copy(), messages.copy())


def named(name: str, matrix: CommMatrix) -> Input:
    return Input(name, "npz", Traffic.of(matrix))


@pytest.mark.parametrize("pattern", [patterns.ring, patterns.recursive_doubling, patterns.binomial])
def test_a_pattern_of_the_generators_is_the_same_as_generated_at_that_number(pattern):
    found, _ = scaled([named("eight", pattern(8, 1000))], 32)
    assert entries(found.traffic.folded()) == entries(pattern(32, 1000))


def test_a_pattern_repeated_keeps_its_repeats():
    three = [entries(patterns.ring(4, 500))] * 3
    sums = {pair: tuple(np.sum([each[pair] for each in three], axis=0).tolist()) for pair in three[0]}
    found, form = scaled([named("thrice", matrix_of(4, sums))], 6)
    assert form == "ring all-gather"
    assert entries(found.traffic.folded())[0, 1] == (3 * 5 * 500, 3 * 5)  # p-1 messages per call


def test_phases_are_scaled_one_by_one():
    phases = [Phase(7, patterns.ring(4, 64))]
    found, _ = scaled([Input("phased", "profile", Traffic.of_phases(phases))], 8)
    assert [phase.repeat for phase in found.traffic.phases] == [7]
    assert entries(found.traffic.phases[0].matrix) == entries(patterns.ring(8, 64))


def open_grid_3x3(along: int, across: int) -> CommMatrix:
    """Each row sends `along` bytes to the next row, each column `across` bytes to the next column."""
    pairs = {}
    for row in range(3):
        for column in range(3):
            rank = 3 * row + column
            if row < 2:
                pairs[rank, rank + 3] = pairs[rank + 3, rank] = (along, 1)
            if column < 2:
                pairs[rank, rank + 1] = pairs[rank + 1, rank] = (across, 2)
    return matrix_of(9, pairs)


def test_a_grid_keeps_what_each_axis_exchanges():
    found, form = scaled([named("halo", open_grid_3x3(along=10, across=30))], 12)  # 4 rows of 3
    assert form == "2-dimensional open grid"
    larger = entries(found.traffic.folded())
    assert larger[0, 3] == larger[6, 9] == larger[9, 6] == (10, 1)
    assert larger[0, 1] == larger[10, 11] == (30, 2)
    assert (2, 3) not in larger
    assert len(larger) == 2 * (3 * 3 + 4 * 2)


def test_one_more_message_is_no_known_form():
    pairs = entries(patterns.ring(8, 100)) | {(0, 5): (100, 1)}
    assert known_pattern(matrix_of(8, pairs)) is None
    with pytest.raises(InputError, match=r"odd can't be extrapolated: .* none of the known forms"):
        scaled([named("odd", matrix_of(8, pairs))], 16)


def test_two_ranks_tell_nothing():
    assert known_pattern(patterns.ring(2, 100)) is None


def test_a_number_that_the_form_does_not_have_is_refused():
    with pytest.raises(InputError, match="recursive-doubling all-gather can't be scaled to 24 ranks"):
        scaled([named("eight", patterns.recursive_doubling(8, 100))], 24)


def test_inputs_that_differ_in_more_than_their_ranks_are_refused():
    with pytest.raises(InputError, match=r"small and large can't be extrapolated: .*differ in more"):
        scaled([named("small", patterns.ring(4, 100)), named("large", patterns.ring(8, 50))], 16)
