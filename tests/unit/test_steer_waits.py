"""Waiting of ranks before the first swap and after the last, summed over the logs of each node."""

import pytest
from corewise.nouns.steered_run import SteeredLog, WaitTime, wait_shares
from steer_cases import steered_log


def log(node: int, before: tuple[float, float], after: tuple[float, float] | None = None) -> SteeredLog:
    """A log with (seconds waited, seconds in all). `after` is given if the log has a swap."""
    times = [None if time is None else WaitTime(*time) for time in (before, after)]
    return steered_log(node=node, time_before=times[0], time_after=times[1])


def test_of_one_log_it_is_what_the_log_says():
    assert wait_shares([log(0, (4, 10), (3, 30))]) == (0.4, 0.1)
    assert wait_shares([log(0, (4, 10))]) == (0.4, None)


def test_a_log_without_a_swap_lies_before_the_first_or_behind_the_last_one():
    # Before: 4 + 1 of 10 + 10 s. After: 3 of 30 s, and all of the last log, 7 of 20 s.
    logs = [log(0, (4, 10)), log(0, (1, 10), (3, 30)), log(0, (7, 20))]
    assert wait_shares(logs) == (0.25, 0.2)


def test_between_two_swaps_nothing_counts():
    logs = [log(0, (4, 10), (9, 9)), log(0, (8, 8)), log(0, (7, 7), (1, 10))]
    assert wait_shares(logs) == (0.4, 0.1)


def test_the_logs_of_two_nodes_are_not_mixed():
    # Node 0: 4 of 10 s before, 1 of 10 s after. Node 1: 6 of 30 s before, 3 of 30 s after.
    logs = [log(0, (4, 10), (1, 10)), log(1, (6, 30), (3, 30))]
    assert wait_shares(logs) == (0.25, 0.1)


def test_a_node_without_swaps_counts_only_where_no_node_has_any():
    assert wait_shares([log(0, (4, 10)), log(1, (1, 10), (2, 10))]) == (0.1, 0.2)
    assert wait_shares([log(0, (4, 10)), log(1, (1, 10))]) == (0.25, None)


@pytest.mark.parametrize("logs", [[], [log(0, (0, 0))]])
def test_without_time_there_is_no_share(logs):
    assert wait_shares(logs) == (None, None)


def test_a_swap_at_the_end_leaves_nothing_behind_it():
    assert wait_shares([log(0, (4, 10), (0, 0))]) == (0.4, None)
