"""advise warns if its order of placements may be wrong, depending on the calls that take most of the time."""

from __future__ import annotations

import pytest
from corewise.mapping import comparison as module
from corewise.profile.tables import CallTotals


@pytest.mark.parametrize(
    ("times_s", "expected"),
    [
        ({"MPI_Alltoallv": 0.6, "MPI_Recv": 0.4}, "exchanges of all ranks with all"),
        ({"MPI_Recv": 0.5, "MPI_Send": 0.5}, "as in a pipeline"),
        ({"MPI_Waitall": 0.6, "MPI_Recv": 0.4}, None),
        ({"MPI_Send": 0.0}, None),  # counted, but not timed
    ],
)
def test_the_calls_that_take_half_of_the_time_in_mpi_decide(monkeypatch, times_s, expected):
    table = [CallTotals(call=call, count=1, bytes=8, time_s=time_s) for call, time_s in times_s.items()]
    monkeypatch.setattr(module, "call_table", lambda _: table)
    found = module.order_doubt(None)
    assert found is None if expected is None else expected in found
