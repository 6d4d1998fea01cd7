"""Waiting of ranks before the first swap and after the last, summed over the logs of each node."""

import pytest
from corewise.nouns.steered_run import SteeredLog, WaitTime, wait_shares
from steer_cases import steered_log


def log(node: int, before: tuple[float, float], after: tuple[float, float] | None = None) -> SteeredLog:
    """A log with (seconds waited, seconds in all). `after` is given if the log has a swap."""
    times = [None if time is None else WaitTime(*time) for time in (before, after)]
    return steered_log(node=node, time_before=times[0], time_after=times[1])


CASES = {
    "one log": ([log(0, (4, 10), (3, 30))], (0.4, 0.1)),
    "no swap": ([log(0, (4, 10))], (0.4, None)),
    # Before: 4 + 1 of 10 + 10 s. After: 3 of 30 s, and all of the last log, 7 of 20 s.
    "a swap in the second log": ([log(0, (4, 10)), log(0, (1, 10), (3, 30)), log(0, (7, 20))], (0.25, 0.2)),
    "between two swaps": ([log(0, (4, 10), (9, 9)), log(0, (8, 8)), log(0, (7, 7), (1, 10))], (0.4, 0.1)),
    # Node 0: 4 of 10 s before, 1 of 10 s after. Node 1: 6 of 30 s before, 3 of 30 s after.
    "two nodes": ([log(0, (4, 10), (1, 10)), log(1, (6, 30), (3, 30))], (0.25, 0.1)),
    "a node without swaps": ([log(0, (4, 10)), log(1, (1, 10), (2, 10))], (0.1, 0.2)),
    "no node with swaps": ([log(0, (4, 10)), log(1, (1, 10))], (0.25, None)),
    "no log": ([], (None, None)),
    "no time": ([log(0, (0, 0))], (None, None)),
    "a swap at the end": ([log(0, (4, 10), (0, 0))], (0.4, None)),
}


@pytest.mark.parametrize(("logs", "shares"), CASES.values(), ids=CASES)
def test_the_shares_of_waiting_are_those_of_the_times_in_the_logs(logs, shares):
    assert wait_shares(logs) == shares
