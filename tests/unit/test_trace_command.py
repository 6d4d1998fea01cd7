"""What `corewise trace` says of a profile."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from corewise.cli.trace import unfinished


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
