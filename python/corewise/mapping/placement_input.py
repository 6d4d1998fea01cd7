"""Reads the PLACEMENT of commands: corewise's own file, an Open MPI rankfile, or a rank order."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path
from typing import Any
from warnings import warn

from corewise.errors import InputError, Note
from corewise.files.document import read_text
from corewise.launchers import rankfile_read
from corewise.model import Machine
from corewise.nouns.comparison import Comparison
from corewise.nouns.mapping import Mapping
from corewise.nouns.placement import Placement
from corewise.nouns.rank_order import is_rank_order, read_rank_order

EXPECTED = (
    "a placement: what `corewise map -o` writes, an Open MPI rankfile (rank 0=HOST slot=0), or a rank order "
    "(0,2,1,3)"
)
_NUMBERS_ALONE = re.compile(r"(?:#.*|[0-9]+(?:-[0-9]+)?|[,\s])+")


def placement_like(
    given: Any, machine: Callable[[], Machine], hosts: Sequence[str] | None = None
) -> Placement:
    """The placement itself, in a file, or in a result of map or advise; others as read_placement_input()."""
    if isinstance(given, (str, PathLike)):
        return read_placement_input(Path(given), machine, hosts)
    if isinstance(given, Comparison):
        return given.best.placement
    if isinstance(given, Mapping):
        return given.placement
    if not isinstance(given, Placement):
        found = type(given).__name__
        raise InputError(f"found {found} as placement; expected a file, or what map or advise returned")
    return given


def read_placement_input(
    path: Path, machine: Callable[[], Machine], hosts: Sequence[str] | None = None
) -> Placement:
    """The placement. For a file that names no machine, `machine` is called; `hosts` are its nodes' names.

    Raises InputError for any other file.
    """
    if is_rank_order(path):
        return read_rank_order(path, machine())
    text = read_text(path, EXPECTED)
    if rankfile_read.RECOGNISED.search(text):
        return rankfile_read.read_rankfile(text, str(path), machine(), hosts)
    if _NUMBERS_ALONE.fullmatch(text):
        try:
            placement = read_rank_order(path, machine())
        except InputError as error:
            raise InputError(
                f"{error} (numbers alone are a rank order, and PLACEMENT comes before INPUT)"
            ) from error
        warn(f"{path} is read as a rank order: core after core gets the next rank of it.", Note, stacklevel=2)
        return placement
    if not text.lstrip().startswith(("{", "[")):
        raise InputError(f"is no placement; expected {EXPECTED}", path=path)
    return Placement.read(path)
