"""Reads text tables: lists of pairs (src, dst, bytes, messages) and labelled squares; recognises each."""

from __future__ import annotations

import csv
import re
from array import array
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Literal

from corewise.errors import option
from corewise.model import CommMatrix
from corewise.profile.dense import MOST_AMOUNT, MOST_RANKS, matrix_from_dense, whole_square
from corewise.profile.formats.format import InputFile
from corewise.text.escaping import printable

if TYPE_CHECKING:
    import numpy as np

TableRow = tuple[int, list[str]]  # line number and cells
Kind = Literal["edges", "labelled", "text"]

COLUMNS = ("src", "dst", "bytes", "messages")
# Names of columns in lower case, without blanks, '_', '-' and units in brackets.
NAMES = {
    "src": "src source sender send from fromrank srcrank sourcerank sourceid srcid i row u origin fromnodeid",
    "dst": "dst dest destination target receiver recv to torank dstrank destrank targetrank peer j col "
    "column v targetid dstid tonodeid destinationrank",
    "bytes": "bytes size volume weight amount sentbytes nbytes bytessent totalbytes w data value numbytes",
    "messages": "messages msgs count nmessages nmsgs nummessages msgcount calls msg ncalls number",
    "": "index unnamed:0",  # the index of a DataFrame, which is ignored
}
_COLUMN_OF = {"": ""} | {word: column for column, words in NAMES.items() for word in words.split()}
_WHOLE = re.compile(r"\+?[0-9]{1,19}")
_REAL = re.compile(r"[+-]?([0-9]{1,40}\.?[0-9]{0,40}|\.[0-9]{1,40})([eE][+-]?[0-9]{1,3})?")
MOST_SQUARE_RANKS = 8192
_SQUARE = "expected a square, one row and one column a rank"
# A list may omit silent ranks. If more than half of the numbers are missing, they are probably ids.
LEAST_SHARE_NAMED = 0.5
# The third column of SNAP's temporal networks is not bytes but seconds since 1970.
LEAST_TIME_S, ROWS_OF_TIMES = 10**8, 20


def rows_of(file: InputFile) -> Iterator[TableRow]:
    """The rows without comments (#, %, //); a comment that names columns is returned as the first row."""
    delimiter = ""
    heading: TableRow | None = None
    for number, line in file.lines():
        text = line.strip(" \r\n\v\f\0") if "\t" in line else line.strip()
        if text.startswith(("#", "%", "//")):
            heading = (number, re.split(r"[,;\s]+", text.lstrip("#%/ ")))
        elif text.strip():
            if not delimiter:
                delimiter = next((mark for mark in ";\t," if mark in text), " ")
                if heading and _columns(heading[1]):
                    yield heading
            yield number, _cells(file, number, text, delimiter)


def _cells(file: InputFile, number: int, text: str, delimiter: str) -> list[str]:
    if delimiter == " ":
        cells = text.split()
    elif '"' in text:
        try:
            cells = next(csv.reader([text], delimiter=delimiter))
        except csv.Error as error:
            raise file.error(
                f"no row of cells ({error}); expected numbers between '{delimiter}'", number
            ) from error
    else:
        cells = text.split(delimiter)
    cells = [cell.strip(" \t'\"") for cell in cells]
    return cells[:-1] if len(cells) > 1 and not cells[-1] else cells


def kind_of(file: InputFile) -> Kind:
    """The kind of table; raises InputError if it is ambiguous, or if its heading is unknown."""
    first = list(islice(rows_of(file), 7))
    if not first:
        return "text"
    (_, head), n_rows, n = first[0], len(first), len(first[0][1])
    if not _is_number(head[0]):
        return _kind_with_heading(file, first)
    if n == 1 or not all(map(_is_number, head)):
        return "text"
    counts = [str(i) for i in range(n)]
    if n > 4:
        return "labelled" if head == counts and sum(1 for _ in rows_of(file)) == n + 1 else "text"
    if n_rows == n + 1 and head == counts:
        raise file.error(
            f"{n_rows} rows of {n} numbers, the first of them {','.join(head)}: a list of pairs (src, dst), "
            f"or a square below its labels; {_give('edges', 'labelled')}"
        )
    if n_rows != n or any(len(cells) != n for _, cells in first):
        return "edges"
    return _square_or_pairs(file, [cells for _, cells in first])


def _square_or_pairs(file: InputFile, cells: list[list[str]]) -> Kind:
    """Decides on n rows of n numbers, 2 to 4: a square if a list of pairs is implausible, else an error."""
    numbers = [[n for cell in row if (n := _amount(cell)) is not None] for row in cells]
    if [len(row) for row in numbers] != [len(row) for row in cells]:
        return "text"
    if numbers == [[0, 1], [1, 0]]:
        return "text"  # the same matrix either way
    n, ranks = len(numbers), {rank for row in numbers for rank in row[:2]}
    strange = (
        len(ranks) <= max(ranks)  # not every rank is named
        or any(row[0] == row[1] for row in numbers)
    )
    # Nobody lists pairs without messages, or a rank that sends itself 0 bytes.
    absurd = (n == 3 and any(row[0] == row[1] and not row[2] for row in numbers)) or (
        n == 4 and any(not row[3] for row in numbers)
    )
    if absurd or (strange and not any(numbers[i][i] for i in range(n))):
        return "text"
    raise file.error(
        f"{n} rows of {n} numbers: a list of pairs ({', '.join(COLUMNS[:n])}), or a square of {n} ranks "
        f"[src, dst]; {_give('edges', 'text')}"
    )


def _kind_with_heading(file: InputFile, first: list[TableRow]) -> Kind:
    (line, head), rows = first[0], first[1:]
    if _columns(head):
        return "edges"
    if rows and len(rows[0][1]) in (len(head), len(head) + 1) and (len(head) > 4 or _is_labelled(head, rows)):
        return "labelled"
    text = printable(" ".join(head))
    raise file.error(
        f"found {text[:40]!r}; expected numbers, or a first row that names the columns (src, dst, bytes, "
        "messages) or labels a square: rename them or delete the line",
        line,
    )


def _is_labelled(head: Sequence[str], rows: list[TableRow]) -> bool:
    """Whether this is a small labelled square: a row for each label, and labels that end in ranks."""
    n = len(rows)
    width = len(rows[0][1])
    fits = (len(head), width) in ((n + 1, n + 1), (n, n + 1), (n, n))
    labels = head[1:] if len(head) == n + 1 else head
    return (
        fits
        and _ranks_of_labels(labels, labels) is not None
        and not any(_COLUMN_OF.get(_plain(x)) for x in head)
    )


def column_of(name: str) -> str:
    """The one of COLUMNS that a column's name means; "" for others."""
    return _COLUMN_OF.get(_plain(name), "")


def _plain(name: str) -> str:
    return re.sub(r"[\s_-]|\([^()]*\)|\[[^][]*\]", "", name.lower())  # in linear time


def _columns(head: Sequence[str]) -> list[str]:
    """The column that each name means; empty unless all names are known and include src and dst."""
    columns = [_COLUMN_OF.get(_plain(name), "?") for name in head]
    named = [column for column in columns if column]
    sound = "?" not in columns and len(set(named)) == len(named) and {"src", "dst"} <= set(named)
    return columns if sound and columns.count("") <= 1 else []


def read_edges(file: InputFile, first_rank: int | None = None) -> CommMatrix:
    """Reads a list of pairs: src, dst, bytes (1 if missing) and messages (1 per line if missing).

    Repeated pairs are added up. Ranks count from `first_rank`. If it is None, they count from 0, and lists
    are refused that lack rank 0 or more than half of the ranks, or that have times as third column.
    """
    import numpy as np

    file.refuse_large()
    rows = rows_of(file)
    line, head = next(rows, (0, []))
    columns = _columns(head)
    if not columns:
        if not 2 <= len(head) <= 4:
            raise file.error(
                f"{len(head)} columns; expected two to four: src, dst, bytes, messages", line or None
            )
        columns, rows = list(COLUMNS[: len(head)]), rows_of(file)
    values = {name: array("Q") for name in COLUMNS}
    for number, cells in rows:
        _take(file, number, cells, columns, values)
    src, dst, sent, messages = (np.frombuffer(values[name], np.uint64) for name in COLUMNS)
    if not len(src):
        raise file.error("no pair of ranks; expected rows of src, dst, bytes, messages")
    if first_rank is None:
        _refuse_strange(file, src, dst, sent)
    lowest, highest = int(min(src.min(), dst.min())), int(max(src.max(), dst.max()))
    start = first_rank or 0
    if lowest < start or highest - start >= MOST_RANKS:
        raise file.error(
            f"names ranks {lowest} to {highest}; expected ranks from {start} on, at most {MOST_RANKS}"
        )
    if sent.astype(float).sum() >= MOST_AMOUNT or messages.astype(float).sum() >= MOST_AMOUNT:
        raise file.error("more than 2^62 bytes or messages in all; expected fewer")
    first = np.uint64(start)
    return CommMatrix.from_columns(highest - start + 1, src - first, dst - first, sent, messages)


def _take(
    file: InputFile, number: int, cells: list[str], columns: list[str], values: dict[str, array[int]]
) -> None:
    require_width(file, number, cells, len(columns))
    found = {
        column: whole(file, number, cell, "a rank" if column in ("src", "dst") else f"a number of {column}")
        for column, cell in zip(columns, cells, strict=True)
        if column
    }
    sent = found.setdefault("bytes", 1)
    if found.setdefault("messages", 1) == 0 and sent:
        raise file.error(f"{sent} bytes in 0 messages; expected at least one", number)
    for column, amount in found.items():
        values[column].append(amount)


def require_width(file: InputFile, number: int, cells: list[str], width: int) -> None:
    """Raises InputError if the row `number` has another number of cells."""
    if len(cells) != width:
        raise file.error(f"{len(cells)} cells after rows of {width}; expected the same in all rows", number)


def whole(file: InputFile, number: int, cell: str, what: str) -> int:
    """The cell as a whole number from 0 to 2^62; raises InputError."""
    if (amount := _amount(cell)) is None:
        raise file.found(cell, f"{what}: whole, 0 or more", number)
    return amount


def _give(*formats: str) -> str:
    """The options that decide how an ambiguous file is read."""
    return f"give {' or '.join(option('format', name) for name in formats)}"


def _refuse_strange(file: InputFile, src: np.ndarray, dst: np.ndarray, sent: np.ndarray) -> None:
    import numpy as np

    named = np.union1d(src, dst)
    lowest, highest = int(named[0]), int(named[-1])
    if lowest == 1 and len(named) == highest:
        raise file.error(
            f"names ranks 1 to {highest} and no rank 0: ranks count from 1, or rank 0 is silent; "
            f"{_give('edges-from-1', 'edges-from-0')}"
        )
    if lowest > 0 or len(named) < LEAST_SHARE_NAMED * (highest + 1):
        raise file.error(
            f"names {len(named)} numbers, {lowest} to {highest}, which look like ids rather than ranks; "
            f"expected ranks from 0 on: renumber them, or {_give('edges-from-0', 'edges-from-1')}"
        )
    if (
        len(sent) >= ROWS_OF_TIMES
        and sent.min() >= LEAST_TIME_S
        and (sent[1:] >= sent[:-1]).all()
        and sent[0] < sent[-1]
    ):
        raise file.error(
            "the third column never decreases and has values of 10^8 and more, like times; expected bytes: "
            f"leave it out, or {_give('edges-from-0')}"
        )


def read_square(file: InputFile) -> CommMatrix:
    """A plain square of bytes [src, dst], a row a line; each pair above 0 is one message."""
    import numpy as np

    rows: list[np.ndarray] = []
    for number, line in file.lines():
        words = line.replace(",", " ").split()
        if not words or words[0].startswith("#"):
            continue
        if rows and len(words) != len(rows[0]):
            raise file.error(
                f"a row of {len(words)} numbers after a first row of {len(rows[0])}; {_SQUARE}", number
            )
        if len(rows) == len(words):
            raise file.error(f"one row more than the {len(words)} columns; {_SQUARE}", number)
        if len(words) > MOST_SQUARE_RANKS:
            raise file.error(
                f"{len(words)} columns; expected at most {MOST_SQUARE_RANKS}: write .mtx", number
            )
        rows.append(_amounts(file, number, words))
    if not rows:
        raise file.error("no row of numbers; expected a square matrix")
    if len(rows) < len(rows[0]):
        raise file.error(
            f"ends after {len(rows)} rows of {len(rows[0])} numbers; {_SQUARE}: is the file cut off?"
        )
    return matrix_from_dense(file.shown, whole_square(file.shown, "the square", np.array(rows)))


def _amounts(file: InputFile, number: int, words: list[str]) -> np.ndarray:
    """The words as uint64; most rows have digits alone, which NumPy converts fast."""
    import numpy as np

    digits = "".join(words)
    if digits.isascii() and digits.isdecimal() and max(map(len, words)) < 19:
        return np.array(words).astype(np.uint64)
    return np.array([whole(file, number, word, "a number of bytes") for word in words], np.uint64)


def read_labelled(file: InputFile) -> CommMatrix:
    """A square of bytes [src, dst] under labels, as pandas and R write it.

    Rows may have labels too. If labels end in 0 to n - 1 (or 1 to n), these numbers are the ranks. Other
    labels must be the same for rows and columns, in the same order.
    """
    import numpy as np

    file.refuse_large()
    rows = rows_of(file)
    line, head = next(rows, (0, []))
    body = list(rows)
    n = len(body)
    width = len(body[0][1]) if body else 0
    shape = (len(head), width)
    if n == 0 or shape not in ((n + 1, n + 1), (n, n + 1), (n, n)):
        raise file.error(
            f"{n} rows of {width} cells under {len(head)} labels; expected a square with its labels"
        )
    labels = head[1:] if len(head) == n + 1 else head
    own = [cells[0] for _, cells in body] if width == n + 1 else labels
    orders = _ranks_of_labels(labels, own)
    if orders is None:
        raise file.error(
            "rows and columns have different labels; expected those of the same ranks", line or None
        )
    order, order_of_rows = orders
    entries = []
    for src, (number, cells) in zip(order_of_rows, body, strict=True):
        require_width(file, number, cells, width)
        for dst, cell in zip(order, cells[width - n :], strict=True):
            if amount := whole(file, number, cell, "a number of bytes"):
                entries.append((src, dst, amount, 1))
    table = np.array(entries, np.uint64).reshape(-1, 4)
    if table[:, 2].astype(float).sum() >= MOST_AMOUNT:
        raise file.error("more than 2^62 bytes in all; expected fewer")
    return CommMatrix.from_columns(n, *table.T)


def _ranks_of_labels(columns: Sequence[str], rows: Sequence[str]) -> tuple[list[int], list[int]] | None:
    """The rank of each column and of each row; None if the labels don't determine it."""
    numbers = [
        [int(m[1]) if (m := re.search(r"([0-9]{1,7})(?:\.0)?$", x)) else -1 for x in labels]
        for labels in (columns, rows)
    ]
    n = len(columns)
    for first in (0, 1):
        if all(sorted(found) == list(range(first, first + n)) for found in numbers):
            return [x - first for x in numbers[0]], [x - first for x in numbers[1]]
    alike = list(columns) == list(rows) and len(set(columns)) == n and not any(map(_is_number, columns))
    return (list(range(n)), list(range(n))) if alike else None


def _is_number(cell: str) -> bool:
    return _REAL.fullmatch(cell) is not None


def _amount(cell: str) -> int | None:
    """The whole number from 0 to 2^62, which may be written as 5.0 or 1e3; else None."""
    if _WHOLE.fullmatch(cell):
        amount = int(cell)
    elif _REAL.fullmatch(cell) and (real := float(cell)) >= 0 and real <= MOST_AMOUNT and real == int(real):
        amount = int(real)
    else:
        return None
    return amount if amount <= MOST_AMOUNT else None
