"""Dense arrays to draw many events: time in MPI, messages and waiting by rank."""

from __future__ import annotations

import numpy as np

# The result of EventLog.columns().
Columns = dict[str, np.ndarray]


def busy_share(columns: Columns, n_columns: int) -> np.ndarray:
    """[rank, column] the fraction of time inside MPI in each of `n_columns` equal intervals."""
    whole = columns["part"] == 0
    rank, begin, end = (columns[name][whole] for name in ("rank", "begin_s", "end_s"))
    scale = n_columns / last_s(columns)
    # A difference array, so that an event costs the same whatever the number of columns that it spans.
    share = np.zeros((int(rank.max()) + 1, n_columns + 2))
    first_column = np.clip((begin * scale).astype(int), 0, n_columns - 1)
    last_column = np.clip((end * scale).astype(int), 0, n_columns - 1)
    inside = first_column == last_column
    np.add.at(share, (rank[inside], first_column[inside]), (end - begin)[inside] * scale)
    np.add.at(share, (rank[inside], first_column[inside] + 1), -(end - begin)[inside] * scale)
    r, a, b = rank[~inside], first_column[~inside], last_column[~inside]
    head, tail = a + 1 - begin[~inside] * scale, end[~inside] * scale - b
    for column, step in ((a, head), (a + 1, 1 - head), (b, tail - 1), (b + 1, -tail)):
        np.add.at(share, (r, column), step)
    return np.clip(np.cumsum(share, axis=1)[:, :n_columns], 0, 1)


def last_s(columns: Columns) -> float:
    """End of the last event, s; never 0."""
    return max(float(columns["end_s"].max(initial=0)), 1e-9)


def matched_sends(columns: Columns) -> np.ndarray:
    """Indices of events that send a message with a known receive."""
    return np.flatnonzero((columns["sends"] != 0) & (columns["matches"] >= 0))


def arrivals(columns: Columns, sends: np.ndarray) -> np.ndarray:
    """Indices of the events at whose end messages arrive: receives, or the calls that complete these."""
    receives = columns["matches"][sends]
    completed = columns["completed_by"][receives]
    found: np.ndarray = np.where(completed >= 0, completed, receives)
    return found


def message_lines(columns: Columns) -> np.ndarray:
    """[message, 4] src, time of sending, dst, time of arrival (s), sorted by src."""
    sends, rank = matched_sends(columns), columns["rank"]
    arrived = arrivals(columns, sends)
    return np.column_stack([rank[sends], columns["begin_s"][sends], rank[arrived], columns["end_s"][arrived]])


def message_counts(columns: Columns, n_columns: int) -> np.ndarray:
    """[rank, column] sent messages with a known receive in each of `n_columns` equal intervals."""
    sends = matched_sends(columns)
    begin = columns["begin_s"][sends] * (n_columns / last_s(columns))
    column = np.clip(begin.astype(int), 0, n_columns - 1)
    n_ranks = int(columns["rank"].max()) + 1
    cells = columns["rank"][sends].astype(np.int64) * n_columns + column
    return np.bincount(cells, minlength=n_ranks * n_columns).reshape(n_ranks, n_columns)


def waited_s(columns: Columns, most_cells: int) -> np.ndarray:
    """[waiter, awaited] time in blocking receives and in calls that complete requests, s.

    The time of a call that completes several requests is divided equally. If there are more than `most_cells`
    ranks, neighbours share a row and a column.
    """
    n_ranks = int(max(columns["rank"].max(), columns["peer"].max())) + 1
    a_cell = -(-n_ranks // most_cells)
    n_cells = -(-n_ranks // a_cell)
    blocking = (columns["receives"] != 0) & (columns["starts"] == 0) & (columns["peer"] >= 0)
    completed = (columns["completed_by"] >= 0) & (columns["peer"] >= 0)
    n_completed = np.bincount(columns["completed_by"][completed], minlength=len(columns["rank"]))
    cells = np.zeros(n_cells * n_cells)
    for chosen, calls in (
        (np.flatnonzero(blocking), np.flatnonzero(blocking)),
        (np.flatnonzero(completed), columns["completed_by"][completed]),
    ):
        time = (columns["end_s"][calls] - columns["begin_s"][calls]) / np.maximum(n_completed[calls], 1)
        pairs = columns["rank"][chosen] // a_cell * n_cells + columns["peer"][chosen] // a_cell
        cells += np.bincount(pairs, time, minlength=n_cells * n_cells)
    return cells.reshape(n_cells, n_cells)
