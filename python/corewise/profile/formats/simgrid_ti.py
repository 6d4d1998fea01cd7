"""Reads the messages of SimGrid's time-independent traces (smpirun -trace-ti)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from corewise.files.document import require_regular
from corewise.model import CommMatrix
from corewise.profile.dense import MOST_AMOUNT, MOST_RANKS
from corewise.profile.formats.format import InputFile
from corewise.profile.formats.graphs import matrix_of
from corewise.text.escaping import printable

_ACTION = re.compile(rb"\A\s*\d+ (?:init|compute|i?send|i?recv|bcast|barrier|comm_size|location)\b")
_LIST = re.compile(rb"\A\S*rank-\d+\.txt\s*(?:\n|\Z)")
# Bytes of the datatypes 0, 1, ... (src/smpi/mpi/smpi_datatype.cpp, SimGrid 3.32 and 4.1); 0: no such type.
_SIZES = (
    *(8, 4, 1, 2, 8, 4, 1, 8, 1, 1, 2, 4, 8, 8, 16, 4, 1, 1, 2, 4, 8, 1, 2, 4, 8, 8, 16, 32, 8, 8),
    *(8, 16, 16, 8, 8, 8, 16, 16, 4, 4, 8, 16, 8, 16, 16, 4, 2, 4, 8, 16, 32, 1, 8, 16, 32, 0, 0, 1, 8, 8),
)
_BYTE, _DOUBLE = 1, 8  # of a line without datatype: TAU's traces, and MPE's, whose init has an argument


def is_time_independent(file: InputFile) -> bool:
    """Whether the file begins with an action of a rank, or is the list of the ranks' files."""
    return _ACTION.match(file.head) is not None or _LIST.match(file.head) is not None


def read_time_independent(file: InputFile) -> CommMatrix:
    """The messages of send, isend and sendRecv, without collectives.

    Raises InputError if ranks are missing, or if sends and receives differ.
    """
    sent: Counter[tuple[int, int]] = Counter()
    n_sent: Counter[tuple[int, int]] = Counter()
    n_received: Counter[tuple[int, int]] = Counter()  # source -1: any source
    ranks: set[int] = set()
    default = _BYTE
    for number, words in _actions(file):
        rank, action, *numbers = words
        if not re.fullmatch("[0-9]{1,7}", rank):
            raise file.found(rank, "the number of a rank", number)
        ranks.add(int(rank))
        if action == "init":
            default = _DOUBLE if numbers else _BYTE
        elif action in ("send", "isend"):
            pair = int(rank), _whole(file, number, numbers, 0)
            sent[pair] += _size(file, number, numbers, 2, 3, default)
            n_sent[pair] += 1
        elif action in ("recv", "irecv"):
            n_received[max(-1, _whole(file, number, numbers, 0)), int(rank)] += 1
        elif action == "sendRecv":
            pair = int(rank), _whole(file, number, numbers, 1)
            sent[pair] += _size(file, number, numbers, 0, 4, default)
            n_sent[pair] += 1
            n_received[max(-1, _whole(file, number, numbers, 3)), int(rank)] += 1
    named = ranks | {rank for pair in (*n_sent, *n_received) for rank in pair if rank >= 0}
    n = max(named, default=-1) + 1
    if len(ranks) < n or not 0 < n <= MOST_RANKS:
        raise file.error(
            f"a time-independent trace of SimGrid with {len(ranks)} of {n} ranks; expected all of them: "
            "name the file with the list of their files, which smpirun -trace-file writes"
        )
    alike = _per_receiver(n_sent) == _per_receiver(n_received)
    if all(source >= 0 for source, _ in n_received):
        alike = n_sent == n_received
    if any(rank < 0 for _, rank in n_sent) or not alike:
        raise file.error("sends and receives don't agree; expected a whole trace, all on MPI_COMM_WORLD")
    return matrix_of(file, n, {pair: (sent[pair], n_sent[pair]) for pair in n_sent})


def _per_receiver(messages: Counter[tuple[int, int]]) -> Counter[int]:
    total: Counter[int] = Counter()
    for (_, receiver), count in messages.items():
        total[receiver] += count
    return total


def _actions(file: InputFile) -> Iterator[tuple[int, list[str]]]:
    """Line number and words of each action, rank file after rank file."""
    files = [file.path] if _ACTION.match(file.head) else _listed(file)
    for path in files:
        file.refuse_large(path)
        for number, line in file.lines(path):
            words = line.partition("#")[0].split()
            if len(words) == 1:
                raise file.found(words[0], "rank and action", number)
            if words:
                yield number, words


def _listed(file: InputFile) -> list[Path]:
    """The files that a list names, relative to its own folder."""
    file.refuse_large()
    folder = Path(file.shown).parent
    names = file.path.read_text(encoding="utf-8", errors="surrogateescape").split()
    for name in names:
        require_regular(folder / name, "a rank's file of SimGrid's trace")
    return [folder / name for name in names]


def _whole(file: InputFile, number: int, numbers: list[str], at: int) -> int:
    """The integer `numbers[at]`; older versions of SimGrid write sizes as 1e6."""
    found = numbers[at] if at < len(numbers) else ""
    if re.fullmatch(r"-?[0-9]{1,18}", found):
        return int(found)
    if re.fullmatch(r"[0-9.]{1,18}e\+?[0-9]{1,2}", found):
        try:
            if (real := float(found)) == int(real) < MOST_AMOUNT:
                return int(real)
        except ValueError:
            pass
    raise file.error(
        f"a time-independent trace of SimGrid with {printable(found)[:24]!r}; expected a whole number", number
    )


def _size(file: InputFile, number: int, numbers: list[str], count: int, kind: int, default: int) -> int:
    """Bytes of numbers[count] elements of datatype numbers[kind], or of `default` bytes each without one."""
    elements = _whole(file, number, numbers, count)
    if kind >= len(numbers):
        return elements * default
    datatype = _whole(file, number, numbers, kind)
    if elements < 0 or not 0 <= datatype < len(_SIZES) or not _SIZES[datatype]:
        raise file.error(
            f"{elements} elements of datatype {datatype}; expected 0 or more of one of SimGrid's", number
        )
    return elements * _SIZES[datatype]
