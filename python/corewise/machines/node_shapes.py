"""Node shapes from hwloc, without hwloc's own messages on standard error."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from math import prod
from pathlib import Path

from corewise.errors import InputError
from corewise.files.document import require_regular
from corewise.model import (
    NodeShape,
    read_local_topology,
    read_topology_synthetic,
    read_topology_xml,
)

# hwloc needs a second for so many; the largest nodes have a few thousand.
MOST_PUS = 2**16
_HIDE = "HWLOC_HIDE_ERRORS"  # 2: hwloc reports nothing, as its manual's "Environment Variables" says


@contextmanager
def _quiet_hwloc() -> Iterator[None]:
    before = os.environ.get(_HIDE)
    os.environ[_HIDE] = "2"
    try:
        yield
    finally:  # programs that we start must find the user's own setting
        if before is None:
            del os.environ[_HIDE]
        else:
            os.environ[_HIDE] = before


def local() -> NodeShape:
    """This machine, as far as this process may use it."""
    with _quiet_hwloc():
        return read_local_topology()


def from_xml(path: str) -> NodeShape:
    """hwloc XML, as lstopo writes it; raises InputError naming the file."""
    require_regular(Path(path), "an hwloc XML file")
    with _quiet_hwloc():
        return read_topology_xml(path)


def from_synthetic(description: str) -> NodeShape:
    """hwloc's synthetic syntax; raises InputError quoting it, also for more PUs than any node has."""
    levels = re.sub(r"\([^()]*\)|\[[^]]*\]", " ", description)  # attributes and memory hold other numbers
    n_pus = prod(int(number) for number in re.findall(r"(\d{1,12})\d*(?:\s|$)", levels))
    if n_pus > MOST_PUS:
        raise InputError(f"'{description}' is a node of more than {MOST_PUS} PUs; expected fewer")
    with _quiet_hwloc():
        return read_topology_synthetic(description)
