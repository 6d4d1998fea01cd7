"""GOAL's binary schedules, as LogGOPSim's txt2bin writes them (its Parser.hpp, Graph::serialize_mmap)."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

from corewise.model import CommMatrix
from corewise.profile.dense import MOST_AMOUNT, MOST_RANKS
from corewise.profile.formats.format import InputFile

if TYPE_CHECKING:
    import numpy as np

# A file starts with the cookie, the number of ranks (4 bytes), 2 unused bytes, and start and end of each
# rank's part. Offsets count from the end of the cookie; numbers are little-endian.
COOKIE, INVALIDATED = struct.pack("<Q", 4223), struct.pack("<Q", 2342)
_HEAD_BYTES, _SPAN_BYTES = 6, 16
# A node of the graph; `rest` is tag, processor, card and four numbers that are not needed here.
_NODE = [("before", "<u4"), ("type", "u1"), ("peer", "<u4"), ("bytes", "<u8"), ("rest", "V22")]
_SEND, _RECEIVE, _COMPUTE = 1, 2, 3


def is_binary_goal(file: InputFile) -> bool:
    """Whether the file begins with the cookie of a schedule, valid or invalidated."""
    return file.head[:8] in (COOKIE, INVALIDATED)


def read_binary_goal(file: InputFile) -> CommMatrix:
    """What the ranks send; raises InputError if parts are missing, or if receives differ from sends."""
    import numpy as np

    if file.head[:8] == INVALIDATED:
        raise file.error(
            "a GOAL schedule that LogGOPSim --save-mem has used up; expected a fresh one: run txt2bin again"
        )
    content = np.fromfile(file.path, np.uint8)[8:]
    n = int(content[:4].view("<u4")[0]) if len(content) >= _HEAD_BYTES else 0
    if not 0 < n <= MOST_RANKS or len(content) < _HEAD_BYTES + n * _SPAN_BYTES:
        raise file.error(
            f"a GOAL schedule of {n} ranks in {len(content)} bytes; expected all of it: is it cut off?"
        )
    spans = content[_HEAD_BYTES : _HEAD_BYTES + n * _SPAN_BYTES].view("<u8").reshape(n, 2)
    sent, received = [], []
    for rank, (first, end) in enumerate(spans.tolist()):
        nodes = _nodes(file, content, rank, first, end)
        named = nodes[nodes["type"] != _COMPUTE]
        if not np.isin(nodes["type"], (_SEND, _RECEIVE, _COMPUTE)).all() or (named["peer"] >= n).any():
            raise file.error(
                f"rank {rank} has an action of an unknown type, or a peer that is none of {n} ranks"
            )
        sends, receives = (named[named["type"] == kind] for kind in (_SEND, _RECEIVE))
        sent.append((np.full(len(sends), rank), sends["peer"], sends["bytes"]))
        received.append((receives["peer"], np.full(len(receives), rank)))
    src, dst, size = (np.concatenate(column) for column in zip(*sent, strict=True))
    to, by = (np.concatenate(column) for column in zip(*received, strict=True))
    if not np.array_equal(_counted(src, dst, n), _counted(to, by, n)):
        raise file.error("sends and receives don't agree; expected a whole schedule")
    if size.astype(float).sum() >= MOST_AMOUNT:
        raise file.error("more than 2^62 bytes in all; expected fewer")
    return CommMatrix.from_columns(n, src, dst, size, np.ones(len(src), np.uint64))


def _nodes(file: InputFile, content: Any, rank: int, first: int, end: int) -> np.ndarray:
    """The actions of a rank. They follow their number, the number of root nodes, and the list of roots."""
    import numpy as np

    node = np.dtype(_NODE)
    if first + 8 <= end <= len(content):
        n_nodes, n_roots = content[first : first + 8].view("<u4").tolist()
        start = first + 8 + 4 * n_roots
        if start + n_nodes * node.itemsize <= end:
            nodes: np.ndarray = content[start : start + n_nodes * node.itemsize].view(node)
            return nodes
    raise file.error(
        f"the part of rank {rank} of a GOAL schedule is not in it; expected all of it: is it cut off?"
    )


def _counted(src: np.ndarray, dst: np.ndarray, n: int) -> np.ndarray:
    """Two rows: src * n + dst of each pair, and its number of messages."""
    import numpy as np

    return np.stack(np.unique(src.astype(np.int64) * n + dst.astype(np.int64), return_counts=True))
