"""The summary that `corewise trace` prints for a profile."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from corewise.cli.trace import events_told, unfinished


@pytest.mark.parametrize(
    ("finished", "sentences"),
    [
        ([True, True], []),
        ([True, False], ["rank 1 of 2 did not reach MPI_Finalize"]),
        ([False, True, False, False, False], ["ranks 0,2-4 of 5 did not reach MPI_Finalize"]),
    ],
)
def test_the_ranks_that_died_are_named(finished, sentences):
    ranks = [SimpleNamespace(finished=state) for state in finished]
    assert unfinished(SimpleNamespace(n_ranks=len(ranks), ranks=ranks)) == sentences


@pytest.mark.parametrize(
    ("n_events", "n_dropped", "sentences"),
    [
        (0, 0, []),
        (4, 0, ["events: 4 in 40 B, 10.0 B each"]),
        (4, 2, ["events: 4 in 40 B, 10.0 B each, 2 left out",
                "2 events were left out: give more --event-mib, or trace less"]),
        (0, 2, ["2 events were left out: give more --event-mib, or trace less"]),
    ],
)  # fmt: skip
def test_events_and_what_was_left_out_of_them_are_told(n_events, n_dropped, sentences):
    profile = SimpleNamespace(n_events=n_events, event_bytes=10 * n_events, n_events_dropped=n_dropped)
    assert events_told(profile) == sentences
